// Requests of a merchant that must sign, with signatures broken in every known way. The signing client is that of the
// tests, which builds the base line by line.
import { createHash } from 'node:crypto';
import { COMPONENTS, createKey, digestOf, draftRequest, signDraft } from '../../server/test/signing.ts';
import type { Draft, Sendable } from '../../server/test/signing.ts';
import { randomSoundBody } from './body-cases.ts';
import type { Operation } from './document.ts';
import { bearer, renderRequest, type Header } from './request.ts';
import { ANYTHING, refused, type Case, type Expected, type Scene } from './world.ts';

/** Changes before signing: the signature is genuine, but not sufficient. */
type BreakDraft = (draft: Draft) => void;
/** Changes after signing: the signature is wrong or unreadable. */
type BreakSigned = (signed: Sendable) => void;

const STRANGER = createKey('stranger', 'ecdsa-p256-sha256');
const HOUR_SECONDS = 3_600;

const DRAFTS: Readonly<Record<string, BreakDraft>> = {
  ...Object.fromEntries(
    COMPONENTS.map((name): readonly [string, BreakDraft] => [
      `${name} is not covered`,
      (draft) => void (draft.components = draft.components.filter((one) => one !== name)),
    ]),
  ),
  ...Object.fromEntries(
    ['alg', 'keyid', 'created', 'expires'].map((name): readonly [string, BreakDraft] => [
      `without ${name}`,
      (draft) => void (draft.parameters = draft.parameters.filter(([one]) => one !== name)),
    ]),
  ),
  'covers nothing': (draft) => void (draft.components = []),
  'covers one twice': (draft) => void draft.components.push('@method'),
  'covers what is not there': (draft) => void draft.components.push('x-not-there'),
  'covers an unknown part': (draft) => void draft.components.push('@moon'),
  'covers with a parameter': (draft) => void (draft.components[0] = '"@method";req'),
  'another method': (draft) => void (draft.method = 'PUT'),
  'another authority': (draft) => void (draft.authority = 'elsewhere.example'),
  'another algorithm': (draft) => setParameter(draft, 'alg', '"rsa-pss-sha512"'),
  'an algorithm without a key': (draft) => setParameter(draft, 'alg', '"hmac-sha256"'),
  'no algorithm at all': (draft) => setParameter(draft, 'alg', '"none"'),
  'an unknown key': (draft) => setParameter(draft, 'keyid', '"unknown"'),
  'a key named like every object': (draft) => setParameter(draft, 'keyid', '"__proto__"'),
  'made in the past': (draft) => shiftTimes(draft, -HOUR_SECONDS),
  'made in the future': (draft) => shiftTimes(draft, HOUR_SECONDS),
  'ended before it began': (draft) => setParameter(draft, 'expires', '1'),
  'a time that is none': (draft) => setParameter(draft, 'created', '"yesterday"'),
  'a time that is too large': (draft) => setParameter(draft, 'created', '999999999999999'),
  'a time of a thousand digits': (draft) => setParameter(draft, 'created', '9'.repeat(1_000)),
  "a stranger's hand": (draft) => void (draft.sign = (base) => draftOf(STRANGER, base)),
  'nothing signed': (draft) => void (draft.sign = () => Buffer.alloc(0)),
  'zeroes signed': (draft) => void (draft.sign = () => Buffer.alloc(64)),
  'a signature of a megabyte': (draft) => void (draft.sign = () => Buffer.alloc(9_000, 7)),
  'half a DER': (draft) => void (draft.sign = () => Buffer.from('3006020101', 'hex')),
  'the digest of another body': (draft) => void (draft.headers['content-digest'] = digestOf('{}')),
  'a digest of MD5': (draft) => {
    const hash = createHash('md5').update(draft.body).digest('base64');
    draft.headers['content-digest'] = `md5=:${hash}:`;
  },
  'a digest that is none': (draft) => void (draft.headers['content-digest'] = 'sha-512=:!!!:'),
  'an empty digest': (draft) => void (draft.headers['content-digest'] = ''),
  'an old date': (draft) => void (draft.headers['signature-date'] = '2001-01-01T00:00:00Z'),
  'a date that is none': (draft) => void (draft.headers['signature-date'] = 'today'),
};

const SIGNED: Readonly<Record<string, BreakSigned>> = {
  'another body': (signed) => void (signed.body = signed.body.replace(/"amount":"/, '"amount":"9')),
  'a blank more in the body': (signed) => void (signed.body += ' '),
  'another path': (signed) => void (signed.path += '?a=b'),
  'not signed': (signed) => removeHeaders(signed, 'signature', 'signature-input'),
  'without Signature': (signed) => removeHeaders(signed, 'signature'),
  'without Signature-Input': (signed) => removeHeaders(signed, 'signature-input'),
  'without Content-Digest': (signed) => removeHeaders(signed, 'content-digest'),
  'Signature-Input of brackets': (signed) => void (signed.headers['signature-input'] = '('.repeat(4_000)),
  'Signature-Input of spaces': (signed) =>
    void (signed.headers['signature-input'] = `sig-pp=${' '.repeat(4_000)}`),
  'Signature-Input of commas': (signed) => void (signed.headers['signature-input'] = ','.repeat(4_000)),
  'an empty Signature': (signed) => void (signed.headers['signature'] = ''),
  'a Signature without colons': (signed) => void (signed.headers['signature'] = 'sig-pp=abc'),
  'a Signature of another label': (signed) =>
    void (signed.headers['signature'] = String(signed.headers['signature']).replace('sig-pp', 'sig-qq')),
  'a Signature of bad base64': (signed) => void (signed.headers['signature'] = 'sig-pp=:????:'),
  'a thousand signatures': (signed) => {
    const many = Array.from({ length: 300 }, (_, index) => `s${index}=("@method");created=1`);
    signed.headers['signature-input'] = many.join(', ');
  },
  'a label twice': (signed) => {
    const { 'signature-input': input } = signed.headers;
    signed.headers['signature-input'] = `${String(input)}, ${String(input)};keyid="unknown"`;
  },
  'a bit of the signature': (signed) =>
    void (signed.headers['signature'] = String(signed.headers['signature']).replace(/[A-Z]/, (letter) =>
      letter === 'A' ? 'B' : 'A',
    )),
};

export function randomSignatureCase(operation: Operation, scene: Scene): Case {
  const { random, world } = scene;
  const { key, token } = world.signer;
  const body = randomSoundBody(operation, scene)?.toString() ?? '{}';
  const draft = draftRequest({ url: `http://${world.host}`, path: operation.path, body, key });
  const what = random.chance(0.2) ? 'sound' : random.pick([...Object.keys(DRAFTS), ...Object.keys(SIGNED)]);
  DRAFTS[what]?.(draft);
  const signed = signDraft(draft);
  SIGNED[what]?.(signed);
  const headers = Object.entries(signed.headers).map(([name, value]): Header => [name, String(value)]);
  return {
    family: 'signatures',
    what: `POST ${operation.path}, ${what}`,
    bytes: renderRequest({
      method: 'POST',
      path: signed.path,
      host: world.host,
      headers: [bearer(token), ...headers],
      body: Buffer.from(signed.body),
    }),
    methods: ['POST'],
    expected: expectedOf(what, body, signed.body),
  };
}

/** Without an amount there is nothing to change. */
function expectedOf(what: string, generated: string, sent: string): Expected {
  if (what === 'sound') return { type: 'SOUND' };
  if (what === 'another body' && generated === sent) return ANYTHING;
  return refused(`signed, but: ${what}`);
}

function setParameter(draft: Draft, name: string, value: string): void {
  draft.parameters = draft.parameters.map(([one, old]) => [one, one === name ? value : old]);
}

function shiftTimes(draft: Draft, seconds: number): void {
  draft.parameters = draft.parameters.map(([name, value]) =>
    ['created', 'expires'].includes(name) ? [name, String(Number(value) + seconds)] : [name, value],
  );
}

function removeHeaders({ headers }: Sendable, ...names: readonly string[]): void {
  for (const name of names) Reflect.deleteProperty(headers, name);
}

function draftOf(key: typeof STRANGER, base: Buffer): Buffer {
  return draftRequest({ url: 'http://x', path: '/', body: '', key }).sign(base);
}
