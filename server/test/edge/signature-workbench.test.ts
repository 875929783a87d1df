// The signature workbench: what a developer is told about a request that is signed wrongly, and one that is not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { addPublicKey } from '../../src/core/merchants/administer-keys.ts';
import { findDifference } from '../../src/sandbox/control/wire/signature-report.ts';
import { depositRequest, openTestGateway, select, type TestGateway } from '../gateway.ts';
import {
  baseOf,
  createKey,
  draftRequest,
  send,
  signDraft,
  signWith,
  type Draft,
  type Sendable,
} from '../signing.ts';

const key = createKey('shop', 'ecdsa-p256-sha256');
const spare = createKey('spare', 'ecdsa-p256-sha256');
let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
  const { engine, merchantId } = gateway;
  for (const { name, pem } of [key, spare])
    await addPublicKey(engine, { by: 'test', merchantId, name, algorithm: 'ecdsa-p256-sha256', pem });
});
afterAll(() => gateway.stop());

function draftOf(): Draft {
  return draftRequest({
    url: gateway.url,
    path: '/v2/deposits',
    body: JSON.stringify(depositRequest()),
    key,
  });
}

/** Exactly the request that would be sent, behind the path of the workbench. */
async function tryOut(sent: Sendable, headers: Record<string, string> = {}): Promise<Record<string, any>> {
  const path = `/sandbox/signatures${sent.path}`;
  const answer = await send(gateway, { ...sent, path, headers: { ...sent.headers, ...headers } });
  expect(answer.status).toBe(200);
  return answer.body;
}

const encoded = (base: string) => ({ 'malipo-signature-base': Buffer.from(base).toString('base64') });

test('a request that is signed well is told so, with the base and its lines, and starts nothing', async () => {
  const draft = draftOf();
  const report = await tryOut(signDraft(draft));
  expect(report).toEqual({
    verdict: 'ACCEPTED',
    explanation: 'The signature is good.',
    signatureBase: baseOf(draft),
    lines: baseOf(draft).split('\n'),
    contentDigest: draft.headers['content-digest'],
    signedRequestsOnly: false,
  });
  expect(await select(gateway, 'select 1 from payments')).toEqual([]);
});

/** Has the client sign something else than the base. */
const sign = (change: (base: string) => string) => (draft: Draft) => {
  draft.sign = (base) => signWith('ecdsa-p256-sha256', key.privateKey, Buffer.from(change(base.toString())));
};

describe('what is wrong is told in plain words', () => {
  test.each<[string, (draft: Draft) => void, string, string]>([
    [
      'no @path',
      (draft) => draft.components.splice(2, 1),
      'COMPONENTS',
      'the signature does not cover @path',
    ],
    [
      'a key no one knows',
      (draft) => (draft.parameters[1]![1] = '"x"'),
      'KEY',
      'has no public key of the name',
    ],
    [
      'a digest of another body',
      (draft) => (draft.headers['content-digest'] = 'sha-512=:AAAA:'),
      'DIGEST',
      'does not fit the body',
    ],
    [
      'the path of the workbench',
      signedPath,
      'SIGNATURE',
      'You signed the path of the workbench. Sign /v2/deposits.',
    ],
    [
      'the host without its port',
      (draft) => (draft.authority = '127.0.0.1'),
      'SIGNATURE',
      'You signed the authority without its port. We expect the @authority of http://127.0.0.1:',
    ],
    [
      'localhost',
      (draft) => (draft.authority = 'localhost'),
      'SIGNATURE',
      'You signed the authority localhost.',
    ],
    [
      'a line break at the end',
      sign((base) => `${base}\n`),
      'SIGNATURE',
      'a line break at the end of the base',
    ],
    ['lines of Windows', sign((base) => base.replaceAll('\n', '\r\n')), 'SIGNATURE', 'by CR and LF'],
    [
      'the label in the last line',
      sign((base) => base.replace('params": (', 'params": sig-pp=(')),
      'SIGNATURE',
      'must begin at the parenthesis',
    ],
    ['a method in small letters', sign((base) => base.replace('POST', 'post')), 'SIGNATURE', 'in upper case'],
    [
      'no last line',
      sign((base) => base.split('\n').slice(0, -1).join('\n')),
      'SIGNATURE',
      'left out the last line',
    ],
    ['the body', (draft) => sign(() => draft.body)(draft), 'SIGNATURE', 'You signed the body.'],
    [
      'another key than named',
      (draft) => (draft.sign = (base) => signWith('ecdsa-p256-sha256', spare.privateKey, base)),
      'SIGNATURE',
      'It was made with the key that is registered as spare.',
    ],
    [
      'something no one can guess',
      sign((base) => `${base}x`),
      'SIGNATURE',
      'Compare signatureBase with what you signed, or send yours in Malipo-Signature-Base.',
    ],
  ])('%s', async (_, bend, rule, words) => {
    const draft = draftOf();
    bend(draft);
    const report = await tryOut(signDraft(draft));
    expect(report).toMatchObject({ verdict: 'REFUSED', rule });
    expect(report['explanation']).toContain(words);
  });

  function signedPath(draft: Draft): void {
    const path = `/sandbox/signatures${draft.path}`;
    sign((base) => base.replace('"@path": /v2/deposits', `"@path": ${path}`))(draft);
  }
});

describe('with the base that the client signed', () => {
  test('the first line that differs is told', async () => {
    const draft = draftOf();
    const own = baseOf({
      ...draft,
      headers: { ...draft.headers, 'content-type': 'application/json;charset=utf-8' },
    });
    draft.sign = () => signWith('ecdsa-p256-sha256', key.privateKey, Buffer.from(own));
    const report = await tryOut(signDraft(draft), encoded(own));
    expect(report['difference']).toEqual({
      line: 6,
      expected: '"content-type": application/json',
      received: '"content-type": application/json;charset=utf-8',
    });
    expect(report['explanation']).toContain('see difference');
  });

  test('one that is right leaves only key and algorithm', async () => {
    const draft = draftOf();
    const stranger = createKey('shop', 'ecdsa-p256-sha256');
    draft.sign = (base) => signWith('ecdsa-p256-sha256', stranger.privateKey, base);
    const report = await tryOut(signDraft(draft), encoded(baseOf(draft)));
    expect(report['difference']).toBeUndefined();
    expect(report['explanation']).toContain('You signed the right base');
  });

  test.each([
    ['a\nb', 'a\nb', null],
    ['a\nb', 'a\nc', { line: 2, expected: 'b', received: 'c' }],
    ['a\nb', 'a', { line: 2, expected: 'b', received: '' }],
    ['a', 'a\nb', { line: 2, expected: '', received: 'b' }],
    ['a', '', { line: 1, expected: 'a', received: '' }],
  ])('%j and %j differ by %j', (expected, received, difference) => {
    expect(findDifference(expected, received)).toEqual(difference);
  });
});
