// What the pages tell a reader to run is run from the pages, and prints what they say: in a shell, and as programs in
// the languages of their tabs.
import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { openTestGateway, type TestGateway } from '../gateway.ts';
import { readFences, readGroups } from './page-blocks.ts';
import { isAsPromised, LANGUAGES, listRunnablePages, openPageFolder, runShell, runTabs } from './run-page.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway();
});
afterAll(() => gateway.stop());

/** Each reader begins with a merchant whose wallets hold what the sandbox gives. */
async function openReader(): Promise<Record<string, string>> {
  const { apiToken, merchantId } = await createDemoMerchant(gateway.engine, gateway.receiver.url);
  return {
    BASE: gateway.url,
    TOKEN: apiToken,
    MALIPO_URL: gateway.url,
    MALIPO_TOKEN: apiToken,
    MERCHANT_ID: merchantId,
    SIMULATOR: gateway.simulator.url,
  };
}

test('an output that differs from the promised one is noticed', () => {
  expect(isAsPromised('{"id":"a1","status":"ACCEPTED"}', '{"id":"…","status":"ACCEPTED"}')).toBe(true);
  expect(isAsPromised('{"id":"a1","status":"REJECTED"}', '{"id":"…","status":"ACCEPTED"}')).toBe(false);
  expect(isAsPromised('COMPLETED\nmore', 'COMPLETED')).toBe(false);
});

test.each(listRunnablePages())(
  '%s: every block and every tab runs and prints what the page says',
  async (page) => {
    const folder = await openPageFolder();
    try {
      const { printed, promised } = await runShell(page, { folder, environment: await openReader() });
      expect(printed).toHaveLength(promised.length);
      for (const [index, text] of printed.entries()) {
        const promise = promised[index];
        if (typeof promise !== 'string') continue;
        expect(isAsPromised(text, promise), `block ${index + 1} of ${page} printed:\n${text}`).toBe(true);
      }
      await Promise.all(
        LANGUAGES.map(async (language) => {
          const run = await runTabs(page, language, { folder, environment: await openReader() });
          const said = `the tabs for ${language.name} of ${page} printed:\n${run.printed}\n\nand say:\n${run.promised}`;
          expect(isAsPromised(run.printed, run.promised), said).toBe(true);
        }),
      );
    } finally {
      await folder.remove();
    }
  },
);

const GUIDES = new URL('../../../docs/guides/', import.meta.url);
const guides = readdirSync(GUIDES).map((name) => ({
  name,
  text: readFileSync(new URL(name, GUIDES), 'utf8'),
}));

/** Where a reader needs something other than a call with curl. */
const WITHOUT_CURL: Readonly<Record<string, string>> = {
  'callbacks.md': 'a receiver of callbacks is a program',
  'signatures.md': 'openssl signs what curl sends',
};

/** Pages that are about something other than one call, whose lines of curl need no other language. */
const CURL_ONLY: Readonly<Record<string, string>> = {
  'callbacks.md': 'reads a key for openssl',
  'sandbox.md': 'the control of the sandbox, which no SDK has',
  'signatures.md': 'openssl signs what curl sends',
};

test('every example of the API in a guide has a tab for curl, Node.js, PHP and Python', () => {
  const groups = guides.flatMap(({ name, text }) => readGroups(text).map((labels) => [name, ...labels]));
  expect(groups.length).toBeGreaterThan(12);
  const lacking = groups.filter(([name = '', ...labels]) => {
    const others = ['curl', 'openssl'].includes(labels[0] ?? '') ? labels.slice(1) : labels;
    const isWhole = others.length < labels.length || name in WITHOUT_CURL;
    return !isWhole || others.join() !== 'Node.js,PHP,Python';
  });
  expect(lacking).toEqual([]);
  const alone = guides.flatMap(({ name, text }) =>
    readFences(text).flatMap((fence) =>
      /^sh\b/.test(fence.info) && fence.label === null && fence.text.includes('/v2/') ? [name] : [],
    ),
  );
  expect([...new Set(alone)].toSorted()).toEqual(Object.keys(CURL_ONLY).toSorted());
});

test('every program that starts a payment looks at what came of it, also at what is not known', () => {
  const programs = guides.flatMap(({ name, text }) =>
    LANGUAGES.map(({ name: language }) => {
      const tabs = readFences(text).filter(({ info, label }) => label !== null && info.startsWith(language));
      return { page: `${name} ${language}`, text: tabs.map((tab) => tab.text).join('\n') };
    }),
  );
  const starting = programs.filter(({ text }) =>
    /payouts|refunds|remittances|[sS]plit_?[pP]ayments/.test(text),
  );
  expect(starting.length).toBeGreaterThan(10);
  expect(starting.filter(({ text }) => !/unknown/i.test(text) || !/rejected/i.test(text))).toEqual([]);
});
