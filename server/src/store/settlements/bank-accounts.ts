// Bank accounts that merchants registered, as rows: encrypted under the merchant's data key.
import type { BankAccount } from '../../domain/ledger/bank-account.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Tx } from '../database.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { isChanged, oneRowInserter } from '../rows.ts';

const requested = columns({
  bankAccountId: 'uuid',
  merchantId: 'uuid',
  currency: 'text',
  encryptedAccount: 'bytea',
  requestedAt: 'timestamptz',
});
const accounts = columns({
  ...requested.defs,
  status: column<'REQUESTED' | 'CURRENT' | 'REPLACED' | 'REJECTED'>('text'),
  usableFrom: 'timestamptz null',
});

type AccountRow = Row<typeof accounts>;

/** `usableFrom`: the end of the cooling-off; null where it is not approved. */
export type RegisteredAccount = Omit<AccountRow, 'encryptedAccount'> & { readonly account: BankAccount };

const insertEncrypted = oneRowInserter('bank_accounts', requested.cells);

/** As a request. The merchant's data key must be loaded. */
export async function insertBankAccount(
  tx: Tx,
  keyring: Keyring,
  { account, ...row }: Omit<RegisteredAccount, 'status' | 'usableFrom'>,
): Promise<void> {
  const encryptedAccount = keyring.encrypt(identityOf(row), JSON.stringify(account));
  await insertEncrypted(tx, { ...row, encryptedAccount });
}

/** Takes the place of the one before. Answers false where it is not requested any more. */
export async function makeAccountCurrent(
  tx: Tx,
  {
    merchantId,
    currency,
    bankAccountId,
    usableFrom,
  }: Pick<RegisteredAccount, 'merchantId' | 'currency' | 'bankAccountId'> & { readonly usableFrom: Date },
): Promise<boolean> {
  await tx.query(
    `update bank_accounts set status = 'REPLACED' where merchant_id = $1 and currency = $2 and status = 'CURRENT'`,
    [merchantId, currency],
  );
  return isChanged(
    tx,
    `update bank_accounts set status = 'CURRENT', usable_from = $3
     where merchant_id = $1 and bank_account_id = $2 and status = 'REQUESTED'`,
    [merchantId, bankAccountId, usableFrom],
  );
}

/** What is requested of a currency, and was not approved. */
export async function rejectRequestedAccount(
  tx: Tx,
  { merchantId, currency }: Pick<RegisteredAccount, 'merchantId' | 'currency'>,
): Promise<void> {
  await tx.query(
    `update bank_accounts set status = 'REJECTED'
     where merchant_id = $1 and currency = $2 and status = 'REQUESTED'`,
    [merchantId, currency],
  );
}

const current = accounts.only('bankAccountId', 'usableFrom');

/** The one that is registered for a currency, whether or not its cooling-off is over. */
export async function findCurrentAccount(
  tx: Tx,
  { merchantId, currency }: Pick<RegisteredAccount, 'merchantId' | 'currency'>,
): Promise<Row<typeof current> | null> {
  return current.find(
    tx,
    `from bank_accounts where merchant_id = $1 and currency = $2 and status = 'CURRENT'`,
    [merchantId, currency],
  );
}

/** Those that are registered or requested. The merchant's data key must be loaded. */
export async function listBankAccounts(
  tx: Tx,
  keyring: Keyring,
  merchantId: string,
): Promise<readonly RegisteredAccount[]> {
  const rows = await accounts.select(
    tx,
    `from bank_accounts where merchant_id = $1 and status in ('CURRENT', 'REQUESTED') order by currency, status`,
    [merchantId],
  );
  return rows.map((row) => openAccount(keyring, row));
}

/** By their identifiers. The data keys of their merchants must be loaded. */
export async function findBankAccounts(
  tx: Tx,
  keyring: Keyring,
  bankAccountIds: readonly string[],
): Promise<ReadonlyMap<string, BankAccount>> {
  const rows = await accounts.select(tx, 'from bank_accounts where bank_account_id = any ($1::uuid[])', [
    bankAccountIds,
  ]);
  return new Map(rows.map((row) => [row.bankAccountId, openAccount(keyring, row).account]));
}

function openAccount(keyring: Keyring, { encryptedAccount, ...row }: AccountRow): RegisteredAccount {
  return { ...row, account: keyring.openJson(identityOf(row), encryptedAccount) as BankAccount };
}

function identityOf({ merchantId, bankAccountId }: Pick<AccountRow, 'merchantId' | 'bankAccountId'>) {
  return { merchantId, row: `bank_accounts/${bankAccountId}` };
}
