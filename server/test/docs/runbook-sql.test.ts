// The statements of docs/operating/monitoring.md, on the schema that there is.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { readFences } from './page-blocks.ts';

const page = readFileSync(new URL('../../../docs/operating/monitoring.md', import.meta.url), 'utf8');
const statements = readFences(page).flatMap(({ info, text }) => (info === 'sql' ? [text] : []));

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

test.each(statements)('a statement of the runbook can be run: %s', async (statement) => {
  expect(statements.length).toBeGreaterThan(3);
  await expect(select(gateway, statement)).resolves.toBeInstanceOf(Array);
});
