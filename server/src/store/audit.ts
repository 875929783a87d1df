// The audit log: who did what by hand. Only appended to, in the transaction of the act itself.
import { randomUUID } from 'node:crypto';
import type { Tx } from './database.ts';
import { rowInserter } from './rows.ts';
import type { Keyring } from './sealing.ts';

export type AuditedAct =
  | 'MERCHANT_CREATED'
  | 'MERCHANT_SUSPENDED'
  | 'MERCHANT_RESUMED'
  | 'MERCHANT_MOVED'
  | 'OPERATIONS_SET'
  | 'PROVIDERS_ACTIVATED'
  | 'PROVIDERS_DEACTIVATED'
  | 'CALLBACK_URL_SET'
  | 'CALLBACKS_ENABLED'
  | 'CALLBACKS_REPLAYED'
  | 'CALLBACK_READ'
  | 'CONTACT_SET'
  | 'FEE_SET'
  | 'TOKEN_CREATED'
  | 'TOKEN_REVOKED'
  | 'AVAILABILITY_SET'
  | 'PUBLIC_KEY_ADDED'
  | 'PUBLIC_KEY_REMOVED'
  | 'SIGNATURES_SET'
  | 'SIGNING_KEY_ADDED'
  | 'SIGNING_KEY_RETIRED'
  | 'OPERATOR_CREDENTIALS_SET'
  | 'OPERATOR_CREDENTIALS_REMOVED'
  | 'OPERATOR_TRAFFIC_READ'
  | 'WALLET_TOPPED_UP'
  | 'WALLET_SETTLED'
  | 'WALLET_ADJUSTED'
  | 'PAYMENT_ENDED'
  | 'PAYMENT_READ'
  | 'STATEMENT_IMPORTED'
  | 'CASE_READ'
  | 'RESOLUTION_PROPOSED'
  | 'RESOLUTION_APPROVED'
  | 'RESOLUTION_REJECTED';

export type AuditEntry = {
  readonly at: Date;
  /** The person who acted. */
  readonly actor: string;
  readonly act: AuditedAct;
  /** Null for an act that concerns no merchant alone. */
  readonly merchantId: string | null;
  /** What was acted on: a merchant, a token, a provider, a case. */
  readonly subject: string;
  /** Codes, identifiers and amounts only. */
  readonly detail: Readonly<Record<string, unknown>>;
  /** The person's own words. Sealed at rest under the merchant's data key. */
  readonly reason?: string;
};

type SealedEntry = AuditEntry & { readonly id: string; readonly sealedReason: Buffer | null };

const insertSealed = rowInserter<SealedEntry>('audit_log', [
  ['id', 'uuid', (entry) => entry.id],
  ['at', 'timestamptz', (entry) => entry.at],
  ['actor', 'text', (entry) => entry.actor],
  ['act', 'text', (entry) => entry.act],
  ['merchant_id', 'uuid', (entry) => entry.merchantId],
  ['subject', 'text', (entry) => entry.subject],
  ['detail', 'jsonb', (entry) => JSON.stringify(entry.detail)],
  ['sealed_reason', 'bytea', (entry) => entry.sealedReason],
]);

export async function insertAuditEntries(
  tx: Tx,
  keyring: Keyring,
  entries: readonly AuditEntry[],
): Promise<void> {
  await insertSealed(
    tx,
    entries.map((entry) => sealed(keyring, entry)),
  );
}

/** An entry whose reason is still sealed: the merchant's data key may have to be loaded first. */
export type SealedAuditEntry = Omit<AuditEntry, 'reason'> & {
  readonly id: string;
  readonly sealedReason: Buffer | null;
};

/** The newest entries first; all merchants when none is named. */
export async function listAuditEntries(
  tx: Tx,
  options: { readonly merchantId: string | null; readonly countMax: number },
): Promise<readonly SealedAuditEntry[]> {
  const { rows } = await tx.query<{
    id: string;
    at: Date;
    actor: string;
    act: AuditedAct;
    merchant_id: string | null;
    subject: string;
    detail: Record<string, unknown>;
    sealed_reason: Buffer | null;
  }>(
    `select id, at, actor, act, merchant_id, subject, detail, sealed_reason from audit_log
     where $1::uuid is null or merchant_id = $1 order by entry_no desc limit $2`,
    [options.merchantId, options.countMax],
  );
  return rows.map(({ merchant_id: merchantId, sealed_reason: sealedReason, ...row }) => ({
    ...row,
    merchantId,
    sealedReason,
  }));
}

export function openReason(keyring: Keyring, entry: SealedAuditEntry): string | null {
  if (entry.sealedReason === null || entry.merchantId === null) return null;
  return keyring.open(identityOf(entry.merchantId, entry.id), entry.sealedReason).toString();
}

function sealed(keyring: Keyring, entry: AuditEntry): SealedEntry {
  const id = randomUUID();
  if (entry.reason === undefined) return { ...entry, id, sealedReason: null };
  if (entry.merchantId === null) throw new Error('a reason is sealed under the key of a merchant');
  return { ...entry, id, sealedReason: keyring.seal(identityOf(entry.merchantId, id), entry.reason) };
}

function identityOf(merchantId: string, id: string) {
  return { merchantId, row: `audit_log/${id}` };
}
