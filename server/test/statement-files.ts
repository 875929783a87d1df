// Statements as a merchant handles them: asked for, waited for, fetched and read.
import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { parseAmount, type Amount } from '../src/domain/money.ts';
import { call, waitUntil, type TestGateway } from './gateway.ts';
import type { Body } from './requests.ts';

type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

export type CsvRow = Readonly<Record<string, string>>;

/** RFC 4180, by its letter. */
export function parseCsv(text: string): readonly CsvRow[] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = '', end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n|$)/gy)) {
    rows.at(-1)!.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === '\r\n') rows.push([]);
  }
  const [names = [], ...others] = rows;
  expect(others.pop(), 'the last line ends').toEqual(['']);
  return others.map((cells) => {
    expect(cells).toHaveLength(names.length);
    return Object.fromEntries(names.map((name, index) => [name, cells[index]!]));
  });
}

/** Of everything up to now, in the wallet of Rwandan francs. */
export function statementRequest(changes: Body = {}): Body {
  const now = Date.now();
  return {
    wallet: { country: 'RWA', currency: 'RWF' },
    callbackUrl: 'http://127.0.0.1:9/',
    startDate: new Date(now - 24 * 3_600_000).toISOString(),
    endDate: new Date(now + 3_600_000).toISOString(),
    ...changes,
  };
}

/** Asks for a statement that must be accepted. Answers its identifier. */
export async function ask(caller: Caller, request: Body = statementRequest()): Promise<string> {
  const { body } = await call(caller, 'POST', '/v2/statements', request);
  expect(body).toEqual({ statementId: expect.any(String), status: 'ACCEPTED', created: expect.any(String) });
  return body['statementId'];
}

export async function readStatement(caller: Caller, statementId: string): Promise<Body> {
  const { body } = await call(caller, 'GET', `/v2/statements/${statementId}`);
  expect(body['status']).toBe('FOUND');
  return body['data'];
}

/** Waits until a statement has ended. Anyone who wants one of just now moves the clock first, or waits. */
export async function waitForStatement(caller: Caller, statementId: string): Promise<Body> {
  // It begins ten seconds after its end, in a thread that a busy machine takes its time to start.
  const timeout = 150_000;
  await waitUntil(async () => (await readStatement(caller, statementId))['status'] !== 'PROCESSING', {
    timeout,
  });
  return readStatement(caller, statementId);
}

export async function fetchRows({ downloadUrl, fileSize }: Body): Promise<readonly CsvRow[]> {
  const answer = await fetch(downloadUrl);
  expect(answer.status).toBe(200);
  const bytes = Buffer.from(await answer.arrayBuffer());
  expect(bytes).toHaveLength(fileSize);
  const isCompressed = answer.headers.get('content-type') === 'application/gzip';
  return parseCsv((isCompressed ? gunzipSync(bytes) : bytes).toString());
}

export function amountIn(text: string | undefined): Amount {
  const negative = text?.startsWith('-') === true;
  const absolute = parseAmount(text?.replace('-', '') ?? '')!;
  return negative ? -absolute : absolute;
}

/** What stands in the file beside what adding it up gives. Both balances are in it, and each row leads to the next. */
export function expectToAddUp(rows: readonly CsvRow[]): {
  readonly opening: Amount;
  readonly closing: Amount;
} {
  const [first, last] = [rows[0]!, rows.at(-1)!];
  expect([first['type'], last['type']]).toEqual(['OPENING_BALANCE', 'CLOSING_BALANCE']);
  let balance = amountIn(first['balance']);
  for (const row of rows.slice(1, -1)) {
    expect(amountIn(row['net']), row['id']).toBe(amountIn(row['amount']) - amountIn(row['fee']));
    balance += amountIn(row['net']);
    expect(amountIn(row['balance']), row['id']).toBe(balance);
  }
  expect(amountIn(last['balance'])).toBe(balance);
  return { opening: amountIn(first['balance']), closing: balance };
}
