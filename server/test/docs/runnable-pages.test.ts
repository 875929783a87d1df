// What the pages tell a reader to run is run from the pages, and prints what they say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { isAsPromised, listRunnablePages, runPage } from './run-page.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

test('an output that differs from the promised one is noticed', () => {
  expect(isAsPromised('{"id":"a1","status":"ACCEPTED"}', '{"id":"…","status":"ACCEPTED"}')).toBe(true);
  expect(isAsPromised('{"id":"a1","status":"REJECTED"}', '{"id":"…","status":"ACCEPTED"}')).toBe(false);
  expect(isAsPromised('COMPLETED\nmore', 'COMPLETED')).toBe(false);
});

test.each(listRunnablePages())(
  '%s: every block runs and prints what the page says',
  async (page) => {
    // Each page begins as its reader does, with a merchant whose wallets hold what the sandbox gives.
    const { apiToken } = await createDemoMerchant(gateway.engine, gateway.receiver.url);
    const { printed, promised } = await runPage(page, {
      BASE: gateway.url,
      TOKEN: apiToken,
      SIMULATOR: gateway.simulator.url,
    });
    expect(printed).toHaveLength(promised.length);
    for (const [index, text] of printed.entries()) {
      const promise = promised[index];
      if (typeof promise !== 'string') continue;
      expect(isAsPromised(text, promise), `block ${index + 1} of ${page} printed:\n${text}`).toBe(true);
    }
  },
  60_000,
);
