// What a process needs of a database that it reaches through a pooler. With MALIPO_TEST_POOLER=pgbouncer every other
// test shows that it is enough.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openGateway } from '../src/commands/serve/compose.ts';
import { openDatabase, SESSION_SETTINGS } from '../src/store/database.ts';
import { statementName } from '../src/store/preparing-client.ts';
import { createTestDatabase, type TestDatabase } from './database.ts';
import { testConfig } from './gateway.ts';

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

const open = (connections: { readonly isPooled: boolean }) => {
  const config = testConfig(database.url, 'http://127.0.0.1:9', {});
  return openGateway({ ...config, connections: { ...config.connections, ...connections } }, { role: 'api' });
};

test('a process does not start at a pooler whose role lacks a setting, and says which statement adds it', async () => {
  const owner = openDatabase({ url: database.url, connectionsMax: 1, applicationName: 'owner' });
  const name = new URL(database.url).pathname.slice(1);
  await owner.query(`alter database ${name} set lock_timeout = '7s'`);
  await owner.end();
  await expect(open({ isPooled: true })).rejects.toThrow(`alter role malipo set lock_timeout = '3s';`);
});

test('the page about the database has every setting of a session', () => {
  const page = readFileSync(new URL('../../docs/operating/database.md', import.meta.url), 'utf8');
  const statements = Object.entries(SESSION_SETTINGS).map(([name, value]) => `set ${name} = '${value}';`);
  expect(statements.filter((statement) => !page.includes(`alter role malipo ${statement}\n`))).toEqual([]);
});

test('a prepared statement has the same name in every process, which follows from its text', () => {
  const name = statementName('select $1::int as one');
  expect(name).toBe('malipo_5931f08e32e319479bf6335803f62849');
});
