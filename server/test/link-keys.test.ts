// B11: what proves for a short time that we made it is signed by keys of its own, which can be replaced.
import { createHmac, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { deriveLinkKeys, type KeyList } from '../src/core/access/link-keys.ts';
import { formToken, isFormToken } from '../src/core/checkouts/page-code.ts';
import { renderLink } from '../src/core/statements/statement-link.ts';
import { call, openTestGateway, TEST_KEYS, type TestGateway } from './gateway.ts';
import { ask, statementRequest, waitForStatement } from './statement-files.ts';

const HOUR_MS = 3_600_000;
const [OLD_KEY] = TEST_KEYS.linkKeys;
const NEW_KEY = Buffer.alloc(32, 9);

let gateway: TestGateway;
let statementId: string;
let path: string;
const stops: (() => Promise<void>)[] = [];
beforeAll(async () => {
  gateway = await openTestGateway();
  statementId = await ask(gateway, statementRequest());
  await gateway.gateway.movableClock?.move(11_000);
  path = new URL((await waitForStatement(gateway, statementId))['downloadUrl']).pathname;
});
afterAll(async () => {
  for (const stop of stops) await stop();
  await gateway.stop();
});

const now = () => gateway.engine.clock.now().getTime();
const statusOf = async (link: string, at = gateway.url) => (await fetch(`${at}/statements/${link}`)).status;

async function openWith(linkKeys: KeyList): Promise<string> {
  const config = { ...gateway.config, keys: { ...TEST_KEYS, linkKeys } };
  const other = await openGateway(config, { role: 'api', logTo: 2 });
  stops.push(() => other.stop());
  return (await other.start()).url;
}

const bytesOf = (id: string) => Buffer.from(id.replaceAll('-', ''), 'hex');

const linkUntil = (expiresAt: number, keys = deriveLinkKeys(TEST_KEYS.linkKeys).statementLinks) =>
  renderLink(keys, { merchantId: gateway.merchantId, statementId, expiresAt: new Date(expiresAt) });

describe('B11: a link to a statement', () => {
  test('B11: a link to a statement is not signed by the reference key, which can never be replaced', async () => {
    const expiry = Buffer.alloc(6);
    expiry.writeUIntBE(now() + HOUR_MS, 0, 6);
    const claim = Buffer.concat([bytesOf(gateway.merchantId), bytesOf(statementId), expiry]);
    const forgedWith = (key: Buffer, purpose: string) => {
      const mac = createHmac('sha256', key).update(purpose).update(claim).digest().subarray(0, 24);
      return Buffer.concat([claim, mac]).toString('base64url');
    };
    for (const purpose of ['statement-link/', '']) {
      for (const key of [TEST_KEYS.referenceKey, OLD_KEY, deriveLinkKeys([OLD_KEY]).formTokens[0]])
        expect(await statusOf(forgedWith(key, purpose))).toBe(404);
    }
    expect(await statusOf(forgedWith(deriveLinkKeys([OLD_KEY]).statementLinks[0], ''))).toBe(200);
  });

  test('B11: a link to a statement that lasts longer than a day is refused, whatever key signed it', async () => {
    expect(await statusOf(linkUntil(now() + 24 * HOUR_MS))).toBe(200);
    expect(await statusOf(linkUntil(now() + 25 * HOUR_MS))).toBe(404);
    expect(await statusOf(linkUntil(now() - 1))).toBe(404);
  });

  test('B11: a link to a statement works while its key is in the list, and not afterwards', async () => {
    const link = path.slice(path.lastIndexOf('/') + 1);
    const both = await openWith([NEW_KEY, OLD_KEY]);
    expect(await statusOf(link, both)).toBe(200);
    const { body } = await call({ ...gateway, url: both }, 'GET', `/v2/statements/${statementId}`);
    const newPath = new URL(body['data'].downloadUrl).pathname;
    const newOnly = await openWith([NEW_KEY]);
    expect(await statusOf(link, newOnly)).toBe(404);
    expect((await fetch(`${newOnly}${newPath}`)).status).toBe(200);
  });
});

test('B11: a form of a hosted page is taken while its key is in the list, and not afterwards', () => {
  const form = { path: `/pay/${randomUUID()}`, attemptNo: 1 };
  const token = formToken(deriveLinkKeys([OLD_KEY]).formTokens, form);
  const isTaken = (keys: KeyList) => isFormToken(deriveLinkKeys(keys).formTokens, form, token);
  expect(isTaken([NEW_KEY, OLD_KEY])).toBe(true);
  expect(isTaken([NEW_KEY])).toBe(false);
  expect(isFormToken(deriveLinkKeys([OLD_KEY]).statementLinks, form, token)).toBe(false);
  expect(isFormToken(deriveLinkKeys([OLD_KEY]).formTokens, { ...form, attemptNo: 2 }, token)).toBe(false);
});
