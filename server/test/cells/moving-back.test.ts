// A merchant that moves back to a cell with a trace of it, which differs from what was changed since.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { record } from '../../src/core/audit.ts';
import { reEncrypter } from '../../src/core/encryption/re-encrypt.ts';
import { inTransaction } from '../../src/store/database.ts';
import { loadDataKeys } from '../../src/store/encryption/data-keys.ts';
import { MERCHANT_COLUMNS } from '../../src/store/encryption/encrypted-columns.ts';
import { eraseTraces } from '../../src/store/encryption/erasure.ts';
import { declareReEncryption, reEncryptPage } from '../../src/store/encryption/re-encryption.ts';
import { select } from '../gateway.ts';
import { moveBetween, openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
});
afterAll(() => cells.stop());

test('A merchant moves back after a payer with a payment page was erased.', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const key = { merchantId, kind: 'DEPOSIT', paymentId: randomUUID() } as const;
  await one.engine.store.database.query(
    `insert into payment_pages
       (merchant_id, deposit_id, written_id, api_version, code_hash, encrypted_order, created_at, expires_at)
     values ($1, $2, 'page', 'v2', 'code', 'order', $3, $4)`,
    [merchantId, key.paymentId, new Date(0), new Date()],
  );
  expect(await moveBetween(cells, one, two)).toEqual({ type: 'MOVED' });
  expect(await inTransaction(two.engine.store.database, (tx) => eraseTraces(tx, [key]))).toBe(1);
  expect(await moveBetween(cells, two, one)).toEqual({ type: 'MOVED' });
  expect(await select(one, 'select 1 from payment_pages')).toEqual([]);
});

const AUDIT_REASONS = MERCHANT_COLUMNS.find(({ table }) => table === 'audit_log')!;
/** No value names it. */
const ANOTHER_KEY = 255;

/** As a new data key does. */
async function reEncryptReasons({ engine }: TestCell, merchantId: string): Promise<number> {
  const { database, keyring } = engine.store;
  const reEncrypt = reEncrypter(keyring, AUDIT_REASONS, merchantId);
  const order = { of: AUDIT_REASONS, merchantId, keyNo: ANOTHER_KEY, reEncrypt };
  return inTransaction(database, async (tx) => {
    await declareReEncryption(tx);
    return (await reEncryptPage(tx, order, { after: null, countMax: 1_000 })).reEncrypted;
  });
}

const reasons = (cell: TestCell) =>
  select(cell, `select encrypted_reason from audit_log where act = 'PERSONAL_DATA_ERASED'`);

test('A merchant moves back after the reasons in its audit log were encrypted again, and takes them along.', async () => {
  const { one, two, merchant } = cells;
  const { merchantId } = merchant;
  const entry = { by: 'Ana', merchantId, subject: merchantId, detail: {}, reason: 'asked by letter' };
  for (const { engine } of [one, two]) await loadDataKeys(engine.store, [merchantId]);
  await record(one.engine, one.engine.store.database, [{ ...entry, act: 'PERSONAL_DATA_ERASED' }]);
  expect(await moveBetween(cells, one, two)).toEqual({ type: 'MOVED' });
  expect(await reEncryptReasons(two, merchantId)).toBe(1);
  expect(await reasons(one)).not.toEqual(await reasons(two));
  expect(await moveBetween(cells, two, one)).toEqual({ type: 'MOVED' });
  expect(await reasons(one)).toEqual(await reasons(two));
});
