// Cases as people resolve them: what was found, and how it was resolved.
import type { Resolution } from '../../domain/reconciliation/cases.ts';
import { renderAmount, type Amount } from '../../domain/money.ts';
import type { Evidence } from '../../domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import { paymentKeys } from '../rows.ts';
import { column, columns, type Row } from '../columns.ts';
import type { Keyring } from '../encryption/encryption.ts';
import { unpackCounters } from '../limits/limit-counters.ts';

/** Of the payment the case is about. */
const payments = columns({
  state: 'payment_state',
  amount: 'numeric',
  currency: 'text',
  provider: 'text',
});
const cases = columns({
  caseId: 'uuid',
  ...paymentKeys.defs,
  evidence: column<Evidence>('text'),
  /** Which of those of its payment with the same evidence. */
  caseNo: 'int',
  /**
   * The operator's transaction it is about; null where the operator named none. A reversal without a transaction of its
   * own is named by the one that it reverses.
   */
  providerTransactionId: column<string | null>(
    'text null',
    `coalesce(cases.provider_transaction_id,
       case evidence when 'LATE_FAILURE' then payments.provider_transaction_id end)`,
  ),
  openedAt: 'timestamptz',
  resolvedAt: 'timestamptz null',
  encryptedStatement: column<Buffer | null>('bytea null', 'encrypted_evidence'),
  packedCounters: column<Buffer | null>('bytea null', 'cases.counted_in'),
  ...payments.defs,
});

export type StoredCase = Omit<Row<typeof cases>, keyof (typeof payments)['defs'] | 'packedCounters'> & {
  readonly payment: Row<typeof payments>;
  /** The counters of limits in which a late success counts. */
  readonly countedIn: readonly string[];
};

async function select(tx: Tx, tail: string, values: readonly unknown[]): Promise<readonly StoredCase[]> {
  const rows = await cases.select(
    tx,
    `from cases join payments using (merchant_id, kind, payment_id) ${tail}`,
    values,
  );
  return rows.map(({ state, amount, currency, provider, packedCounters, ...row }) => ({
    ...row,
    countedIn: packedCounters === null ? [] : unpackCounters(packedCounters),
    payment: { state, amount, currency, provider },
  }));
}

/** The oldest first. */
export async function listCases(
  tx: Tx,
  options: { readonly onlyOpen: boolean },
): Promise<readonly StoredCase[]> {
  const tail = 'where not $1 or resolved_at is null order by opened_at, case_id';
  return select(tx, tail, [options.onlyOpen]);
}

export type CaseCursor = { readonly at: Date; readonly caseId: string };

/** A page of those that wait, the oldest first. */
export async function listOpenCases(
  tx: Tx,
  { after, countMax }: { readonly after: CaseCursor | null; readonly countMax: number },
): Promise<readonly StoredCase[]> {
  return select(
    tx,
    `where resolved_at is null and (opened_at, case_id) > ($1, $2)
     order by opened_at, case_id limit $3`,
    [after?.at ?? '-infinity', after?.caseId ?? NO_CASE, countMax],
  );
}

/** A page of those that were resolved, the newest first. */
export async function listResolvedCases(
  tx: Tx,
  { after, countMax }: { readonly after: CaseCursor | null; readonly countMax: number },
): Promise<readonly StoredCase[]> {
  return select(
    tx,
    `where resolved_at is not null and (resolved_at, case_id) < ($1, $2)
     order by resolved_at desc, case_id desc limit $3`,
    [after?.at ?? 'infinity', after?.caseId ?? NO_CASE, countMax],
  );
}

/** Before every other identifier; at the end of time it comes after all there are. */
const NO_CASE = '00000000-0000-0000-0000-000000000000';

/** The oldest first. */
export async function listCasesOf(
  tx: Tx,
  { merchantId, kind, paymentId }: PaymentKey,
): Promise<readonly StoredCase[]> {
  const tail = 'where merchant_id = $1 and kind = $2 and payment_id = $3 order by opened_at, case_id';
  return select(tx, tail, [merchantId, kind, paymentId]);
}

export async function findCase(tx: Tx, caseId: string): Promise<StoredCase | null> {
  return selectCase(tx, caseId, '');
}

/** Locks a case. Its payment is locked before, as everywhere. */
export async function lockCase(tx: Tx, caseId: string): Promise<StoredCase | null> {
  return selectCase(tx, caseId, 'for update of cases');
}

/** The database refuses it without an approval in the same transaction. */
export async function markResolved(
  tx: Tx,
  resolved: {
    readonly caseId: string;
    readonly resolution: Resolution;
    readonly amount: Amount;
    readonly now: Date;
  },
): Promise<void> {
  const { caseId, resolution, amount, now } = resolved;
  await tx.query(
    'update cases set resolution = $2, resolved_amount = $3, resolved_at = $4 where case_id = $1',
    [caseId, resolution, renderAmount(amount), now],
  );
}

/** What the operator said. The merchant's data key must be loaded. */
export function openStatement(keyring: Keyring, found: StoredCase): string | null {
  const identity = { merchantId: found.merchantId, row: `cases/${found.caseId}` };
  return keyring.openText(identity, found.encryptedStatement);
}

async function selectCase(tx: Tx, caseId: string, suffix: string): Promise<StoredCase | null> {
  const [found] = await select(tx, `where case_id = $1 ${suffix}`, [caseId]);
  return found ?? null;
}
