// The audit log: who did what manually. Only appended to, in the transaction of the action itself.
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { column, columns, type Row } from './columns.ts';
import type { Tx } from './database.ts';
import { derivedUuid } from './derived-uuid.ts';
import { rowInserter } from './rows.ts';
import type { Keyring } from './encryption/encryption.ts';

export type AuditedAct =
  | 'MERCHANT_CREATED'
  | 'MERCHANT_SUSPENDED'
  | 'MERCHANT_RESUMED'
  | 'MERCHANT_MOVED'
  | 'MERCHANT_MOVE_ABORTED'
  | 'OPERATIONS_SET'
  | 'PROVIDERS_ACTIVATED'
  | 'PROVIDERS_DEACTIVATED'
  | 'CALLBACK_URL_SET'
  | 'CALLBACKS_ENABLED'
  | 'CALLBACKS_REPLAYED'
  | 'CALLBACK_READ'
  | 'CALLBACK_ASKED_AGAIN'
  | 'CANCELLATION_ASKED'
  | 'REFUND_ASKED'
  | 'PERSONAL_DATA_SHOWN'
  | 'PHONE_NUMBER_SEARCHED'
  | 'PAYMENTS_EXPORTED'
  | 'CONTACT_SET'
  | 'FEE_SET'
  | 'LIMIT_SET'
  | 'LIMIT_REMOVED'
  | 'FROZEN'
  | 'FREEZE_LIFTED'
  | 'NUMBERS_LISTED'
  | 'NUMBERS_UNLISTED'
  | 'NUMBERS_EXPORTED'
  | 'REVIEW_RULE_SET'
  | 'REVIEW_RULE_REMOVED'
  | 'REVIEW_DECIDED'
  | 'TOKEN_CREATED'
  | 'TOKEN_REVOKED'
  | 'AVAILABILITY_SET'
  | 'PUBLIC_KEY_ADDED'
  | 'PUBLIC_KEY_REMOVED'
  | 'SIGNATURES_SET'
  | 'PAGE_BRAND_SET'
  | 'REGIONAL_SETTINGS_SET'
  | 'SIGNING_KEY_ADDED'
  | 'SIGNING_KEY_RETIRED'
  | 'OPERATOR_CREDENTIALS_SET'
  | 'OPERATOR_CREDENTIALS_REMOVED'
  | 'OPERATOR_ACCOUNT_RETIRED'
  | 'OPERATOR_TRAFFIC_READ'
  | 'OPERATOR_CERTIFICATION_STARTED'
  | 'WALLET_TOPPED_UP'
  | 'WALLET_SETTLED'
  | 'WALLET_ADJUSTED'
  | 'BANK_ACCOUNT_SET'
  | 'SETTLEMENT_REQUESTED'
  | 'SETTLEMENT_PAID'
  | 'SETTLEMENT_REJECTED'
  | 'FLOAT_MOVED'
  | 'PERSONAL_DATA_ERASED'
  | 'PAYMENT_ENDED'
  | 'PAYMENT_CANCELLED'
  | 'PAYMENT_READ'
  | 'REPORT_IMPORTED'
  | 'REPORT_REFUSED'
  | 'REPORT_READING_ACCEPTED'
  | 'FILE_VOIDED'
  | 'LOST_PAYMENT_DECIDED'
  | 'BANK_FILE_IMPORTED'
  | 'REPORT_MAPPING_SET'
  | 'DAILY_CLOSE_STARTED'
  | 'DAILY_CLOSE_FIRST_DAY_SET'
  | 'DAY_CLOSED'
  | 'DAY_REOPENED'
  | 'DAY_CLOSE_EXPORTED'
  | 'CELL_BALANCES_LEFT'
  | 'CELL_BALANCES_ARRIVED'
  | 'RIGHTS_GRANTED'
  | 'DATA_RE_ENCRYPTED'
  | 'DATA_REHASHED'
  | 'DATA_KEY_REPLACED'
  | 'DATA_KEY_DESTROYED'
  | 'TIME_SET_BACK'
  | 'RECOVERY_BEGUN'
  | 'RECOVERY_ENDED'
  | 'RECOVERY_ENDED_AT_PROVIDER'
  | 'CASE_READ'
  | 'CASE_RESOLVED'
  | 'NOTIFICATION_DISMISSED'
  | 'PAYOUT_HOLDER_LOOKED_UP'
  | 'PAYOUTS_PREPARED'
  | 'PAYOUTS_APPROVED'
  | 'PAYOUTS_SENT_ALONE'
  | 'PAYOUTS_CANCELLED'
  | 'PAYOUT_LIMIT_RAISED'
  | 'PAYOUT_LIMIT_LOWERED'
  | 'WALLET_ALERT_SET'
  | 'PAYMENT_LINK_CREATED'
  | 'PAYMENT_LINK_DEACTIVATED'
  | 'APPROVAL_REQUESTED'
  | 'APPROVAL_CONFIRMED'
  | 'APPROVAL_GIVEN'
  | 'APPROVAL_REJECTED'
  | 'APPROVAL_WITHDRAWN'
  | 'PERSON_INVITED'
  | 'PERSON_JOINED'
  | 'INVITATION_WITHDRAWN'
  | 'ROLE_SET'
  | 'MEMBER_REMOVED'
  | 'CALLBACK_TESTED'
  | 'SIGNED_IN'
  | 'BREAK_GLASS_SIGNED_IN'
  | 'PASSWORD_RESET'
  | 'TWO_FACTOR_REMOVED'
  | 'TWO_FACTOR_ADDED'
  | 'PASSWORD_CHANGED'
  | 'PASSWORD_REMOVED'
  | 'SIGN_IN_FAILED'
  | 'NEW_DEVICE'
  | 'STATEMENT_ASKED_FOR'
  | 'STATEMENT_FETCHED';

export type AuditEntry = {
  readonly at: Date;
  /** The person who acted, or the API token. */
  readonly actor: string;
  readonly act: AuditedAct;
  /** Null for an action that concerns no merchant alone. */
  readonly merchantId: string | null;
  /** What was acted on: a merchant, a token, a provider, a case. */
  readonly subject: string;
  /** Codes, identifiers and amounts only. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The person's own words. Encrypted at rest under the merchant's data key. */
  readonly reason?: string;
};

const entries = columns({
  id: 'uuid',
  at: 'timestamptz',
  actor: 'text',
  act: column<AuditedAct>('text'),
  merchantId: 'uuid null',
  subject: 'text',
  detail: 'jsonb',
  encryptedReason: 'bytea null',
  reasonHash: 'bytea null',
});

type EncryptedEntry = Row<typeof entries>;

const insertEncrypted = rowInserter('audit_log', entries.cells);

export async function insertAuditEntries(
  tx: Tx,
  keyring: Keyring,
  made: readonly AuditEntry[],
): Promise<void> {
  await insertEncrypted(
    tx,
    made.map((entry) => encrypted(keyring, entry)),
  );
}

const insertOnce = rowInserter('audit_log', entries.cells, 'on conflict (id) do nothing');

/** Written once, however many processes try: `name` gives the entry its identifier. */
export async function insertAuditEntryOnce(
  tx: Tx,
  name: string,
  entry: Omit<AuditEntry, 'reason'>,
): Promise<void> {
  await insertOnce(tx, [{ ...entry, id: derivedUuid(name), encryptedReason: null, reasonHash: null }]);
}

/** With its number in the log, as digits. */
const listed = columns({ ...entries.defs, entryNo: column<string>('text', 'entry_no::text') });

/** An entry whose reason is still encrypted: the merchant's data key may have to be loaded first. */
export type EncryptedAuditEntry = Row<typeof listed>;

export type AuditQuery = {
  /** All merchants when it is null. */
  readonly merchantId: string | null;
  readonly countMax: number;
  /** Only what was written before this entry. */
  readonly beforeNo?: string | null;
  /** Only what this person did. */
  readonly actor?: string | null;
  /** Only actions of this kind. */
  readonly act?: string | null;
};

/** The newest entries first. The statement names only what is asked for, so that an index serves each. */
export async function listAuditEntries(tx: Tx, query: AuditQuery): Promise<readonly EncryptedAuditEntry[]> {
  const { countMax, merchantId, actor = null, act = null, beforeNo = null } = query;
  const asked = [
    ['merchant_id =', merchantId],
    ['actor =', actor],
    ['act =', act],
    ['audit_log.entry_no <', beforeNo],
  ].filter(([, value]) => value !== null);
  const where = asked.map(([text], at) => `${text} $${at + 2}`).join(' and ');
  return listed.select(
    tx,
    `from audit_log ${where === '' ? '' : `where ${where}`} order by audit_log.entry_no desc limit $1`,
    [countMax, ...asked.map(([, value]) => value)],
  );
}

/** Random, so that no one finds a reason by hashing guesses. 16 bytes. */
const PREFIX_LENGTH = 22;

type WithReason = Pick<EncryptedEntry, 'id' | 'merchantId' | 'encryptedReason' | 'reasonHash'>;

export function openReason(keyring: Keyring, entry: WithReason): string | null {
  return openPrefixed(keyring, entry)?.slice(PREFIX_LENGTH) ?? null;
}

/** Whether the reason is the one that was given. The merchant's data key must be loaded. */
export function isReasonUnchanged(keyring: Keyring, entry: WithReason): boolean {
  try {
    const prefixed = openPrefixed(keyring, entry);
    return prefixed === null
      ? entry.reasonHash === null
      : entry.reasonHash?.equals(sha256(prefixed)) === true;
  } catch {
    // It was not encrypted by us, or for another row.
    return false;
  }
}

function openPrefixed(keyring: Keyring, { id, merchantId, encryptedReason }: WithReason): string | null {
  if (encryptedReason === null || merchantId === null) return null;
  return keyring.openText(identityOf(merchantId, id), encryptedReason);
}

function encrypted(keyring: Keyring, entry: AuditEntry): EncryptedEntry {
  const id = randomUUID();
  if (entry.reason === undefined) return { ...entry, id, encryptedReason: null, reasonHash: null };
  if (entry.merchantId === null) throw new Error('a reason is encrypted under the key of a merchant');
  const prefixed = `${randomBytes(16).toString('base64url')}${entry.reason}`;
  const encryptedReason = keyring.encrypt(identityOf(entry.merchantId, id), prefixed);
  return { ...entry, id, encryptedReason, reasonHash: sha256(prefixed) };
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function identityOf(merchantId: string, id: string) {
  return { merchantId, row: `audit_log/${id}` };
}

/** The names of those who onboarded merchants. The log cannot be changed, so this cannot either. */
export async function listOnboarders(tx: Tx, merchantIds: readonly string[]): Promise<readonly string[]> {
  const { rows } = await tx.query<{ actor: string }>(
    `select distinct actor from audit_log where merchant_id = any($1::uuid[]) and act = 'MERCHANT_CREATED'`,
    [merchantIds],
  );
  return rows.map(({ actor }) => actor);
}

/** Whether there is such an entry since then. */
export async function wasRecordedSince(
  tx: Tx,
  { act, actor, since }: { readonly act: AuditedAct; readonly actor: string; readonly since: Date },
): Promise<boolean> {
  const { rowCount } = await tx.query(
    'select 1 from audit_log where act = $1 and actor = $2 and at > $3 limit 1',
    [act, actor, since],
  );
  return rowCount !== 0;
}
