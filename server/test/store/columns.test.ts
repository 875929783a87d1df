import { expect, test } from 'vitest';
import { column, columns } from '../../src/store/columns.ts';
import type { Tx } from '../../src/store/database.ts';
import { isAmong, replacedOn, unnested, valuesOf } from '../../src/store/rows.ts';

const rows = columns({
  merchantId: 'uuid',
  kind: 'payment_kind',
  amount: 'numeric',
  version: 'bigint',
  account: column<string | undefined>('text?', 'operator_account'),
  isPosted: column<boolean>('bool', 'posted_at is not null'),
  endedAt: 'timestamptz null',
});

/** Answers with these rows, and keeps what it was asked. */
function answering(...answers: readonly object[]): Tx & { readonly asked: unknown[] } {
  const asked: unknown[] = [];
  const query = async (text: string, values?: readonly unknown[]) => {
    asked.push([text, values]);
    return { rows: answers };
  };
  return { asked, query: query as unknown as Tx['query'] };
}

test('the select list names columns in snake case, gives them our names, and leaves expressions as they are', () => {
  expect(rows.names).toBe(
    'merchant_id as "merchantId", kind, amount, version, operator_account as "account", ' +
      'posted_at is not null as "isPosted", ended_at as "endedAt"',
  );
  expect(rows.only('merchantId', 'isPosted').namesIn('r')).toBe(
    'r.merchant_id as "merchantId", posted_at is not null as "isPosted"',
  );
});

test('amounts and large numbers are read from their texts, and an optional null is not there', async () => {
  const stored = { merchantId: 'm', kind: 'DEPOSIT', version: '7', isPosted: true, endedAt: null };
  const tx = answering(
    { ...stored, amount: '-12.5000', account: null },
    { ...stored, amount: '1', account: 'a' },
  );
  const read = await rows.select(tx, 'from t where kind = $1', ['DEPOSIT']);
  expect(tx.asked).toEqual([[`select ${rows.names} from t where kind = $1`, ['DEPOSIT']]]);
  expect(read).toStrictEqual([
    { ...stored, version: 7, amount: -125_000n },
    { ...stored, version: 7, amount: 10_000n, account: 'a' },
  ]);
});

test('the first row is found, or null where there is none', async () => {
  const names = rows.only('merchantId');
  expect(await names.find(answering({ merchantId: 'a' }, { merchantId: 'b' }), 'from t')).toEqual({
    merchantId: 'a',
  });
  expect(await names.find(answering(), 'from t')).toBeNull();
});

test('rows are written as arrays of each column: amounts and JSON as text, what is not there as null', () => {
  const { cells } = columns({
    ...rows.only('merchantId', 'amount', 'account').defs,
    detail: 'jsonb',
  });
  expect(unnested(cells, 'n')).toBe(
    'unnest($1::uuid[], $2::numeric[], $3::text[], $4::jsonb[]) as n (merchant_id, amount, operator_account, detail)',
  );
  const written = [
    { merchantId: 'a', amount: 125_000n, detail: { n: 1 } },
    { merchantId: 'b', amount: 0n, account: 'x', detail: {} },
  ];
  expect(valuesOf(cells, written)).toEqual([
    ['a', 'b'],
    ['12.5', '0'],
    [null, 'x'],
    ['{"n":1}', '{}'],
  ]);
});

test('a conflict replaces every column but those of the key', () => {
  const { cells } = rows.without('isPosted', 'kind', 'version', 'account');
  expect(isAmong(cells.slice(0, 1))).toBe('(merchant_id) in (select * from unnest($1::uuid[]))');
  expect(replacedOn('merchant_id', cells)).toBe(
    'on conflict (merchant_id) do update set amount = excluded.amount, ended_at = excluded.ended_at',
  );
});
