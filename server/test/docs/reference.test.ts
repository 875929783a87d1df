// The reference is whole: every route, command and state is documented, and nothing else is; and every page can be
// found from the list of pages. When routes or commands have changed:
// npx vitest run server/test/docs/reference.test.ts --update
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { COMMANDS, GROUPS } from '../../src/commands/commands.ts';
import { CHECKOUT_STATUSES } from '../../src/domain/checkouts/checkout.ts';
import { isFinal } from '../../src/domain/payments/lifecycle.ts';
import { PAYMENT_STATES } from '../../src/domain/payments/payment.ts';
import { listOperations } from '../edge/description.ts';
import { readTextTable } from '../domain/text-table.ts';
import { renderRoutesPage } from './routes-page.ts';
import { renderServerCommandsPage } from './server-commands-page.ts';

const ROOT = new URL('../../../', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

const operations = (name: string) =>
  listOperations(JSON.parse(read(`openapi/${name}.json`))).map(({ method, path }) => `${method} ${path}`);

/** The routes in the tables of a page. */
const written = (page: string) =>
  [...read(page).matchAll(/^\| (GET|POST|PUT|DELETE) \| (.*?) \|/gm)].flatMap(([, method, cell = '']) =>
    [...cell.matchAll(/`(\/[\w/{}-]*)`/g)].map(([, path]) => `${method} ${path}`),
  );

describe('routes', () => {
  test('the page is the one that is made from the documents', async () => {
    await expect(renderRoutesPage()).toMatchFileSnapshot('../../../docs/reference/routes.md');
  });

  test('read back, the page has every operation of API v2 and the sandbox once, and nothing else', () => {
    const listed = read('docs/reference/routes.md').matchAll(/`((?:GET|POST|PUT|DELETE) \/[^\s`]+)`/g);
    expect([...listed].map(([, route = '']) => route).toSorted()).toEqual(
      ['v2', 'sandbox'].flatMap(operations).toSorted(),
    );
  });

  test('every operation of the dashboard has its purpose in the document that the page links to', () => {
    const described = listOperations(JSON.parse(read('openapi/console.json')));
    expect(described.length).toBeGreaterThan(100);
    expect(described.filter((one) => !/^[A-Z].+/.test(one.described['summary'] ?? ''))).toEqual([]);
    expect(read('docs/reference/routes.md')).toContain('](../../openapi/console.json)');
  });

  test('pages about the API name no route that is not there', () => {
    const pages = ['deposits', 'payments-out', 'toolkit', 'v1'].map(
      (name) => `docs/reference/api-${name}.md`,
    );
    const known = new Set(['v2', 'v1'].flatMap(operations));
    const named = pages.flatMap(written);
    expect(named.length).toBeGreaterThan(25);
    expect(named.filter((route) => !known.has(route))).toEqual([]);
  });

  test('every route of API v1 is explained on its page', () => {
    expect(written('docs/reference/api-v1.md').toSorted()).toEqual(operations('v1').toSorted());
  });
});

describe('commands', () => {
  test('the page is the one that is made from the table', async () => {
    await expect(renderServerCommandsPage()).toMatchFileSnapshot(
      '../../../docs/reference/server-commands.md',
    );
  });

  test('commands read back, the page has a line for every command under its group, and for nothing else', () => {
    const page = read('docs/reference/server-commands.md');
    const sections = [...page.matchAll(/^## (.+)$/gm)].map(([, name = '']) => name);
    const listed = [...page.matchAll(/^- `([a-z][a-z-]*(?: [a-z][a-z-]*)?)[\s`]/gm)];
    expect(listed.map(([, name = '']) => name)).toEqual([...COMMANDS.keys()]);
    expect(sections.slice(1)).toEqual([...GROUPS.keys()]);
  });
});

describe('states', () => {
  const sections = new Map(
    read('docs/reference/states.md')
      .split(/^## /m)
      .slice(1)
      .map((text) => [text.slice(0, text.indexOf('\n')), rowsOf(text)]),
  );
  const statesOf = (title: string) => sections.get(title)?.map(({ state }) => state);
  const described = (path: string) =>
    JSON.parse(read('openapi/v2.json')).paths[path].get.responses[200].content['application/json'].schema
      .properties.data.properties.status.enum;

  test('every state of a payment has its row, in their order, and those that are final are called so', () => {
    expect(statesOf('Deposits, payouts, refunds, remittances')).toEqual([...PAYMENT_STATES]);
    for (const { state, final } of sections.get('Deposits, payouts, refunds, remittances') ?? []) {
      expect([state, final]).toEqual([state, isFinal(state as never) ? 'yes' : 'no']);
    }
  });

  test('so do the states of checkouts, split payments and statements', () => {
    expect(statesOf('Checkouts')?.toSorted()).toEqual(CHECKOUT_STATUSES.toSorted());
    expect(statesOf('Split payments')?.toSorted()).toEqual(
      described('/v2/split-payments/{splitPaymentId}').toSorted(),
    );
    expect(statesOf('Statements')?.toSorted()).toEqual(described('/v2/statements/{statementId}').toSorted());
  });
});

function rowsOf(section: string) {
  const start = section.indexOf('| Status |');
  const table = section.slice(start, section.indexOf('\n\n', start));
  return readTextTable(table).map(([, state = '', final = '']) => ({
    state: state.replaceAll('`', ''),
    final,
  }));
}

describe('the list of pages, which the navigation of the site is made from', () => {
  const list = read('docs/README.md');
  const linked = [...list.matchAll(/\]\(([^)#]+)/g)].map(([, path = '']) => join('docs', path));

  test('the list of pages, which the navigation of the site is made from has every page, each once; decisions have a list of their own', () => {
    const pages = listPages('docs').filter((path) => !/^docs\/(decisions\/\d|README|index)/.test(path));
    expect(linked.filter((path) => path.startsWith('docs/')).toSorted()).toEqual(pages.toSorted());
  });

  test('the list of pages, which the navigation of the site is made from leads nowhere that is not there', () => {
    expect(linked.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
  });

  test('decisions are all in theirs', () => {
    const decisions = [...read('docs/decisions/README.md').matchAll(/\]\((\d{4}-[\w-]+\.md)\)/g)];
    const files = readdirSync(join(ROOT, 'docs/decisions')).filter((name) => /^\d/.test(name));
    expect(decisions.map(([, name = '']) => name).toSorted()).toEqual(files.toSorted());
  });
});

function listPages(folder: string): readonly string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !/^(\.vitepress|node_modules)\//.test(path))
    .map((path) => join(folder, path));
}
