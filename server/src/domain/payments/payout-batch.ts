// Payouts that people order in the dashboard, and when a second person must agree to them.
import { parseAmount, type Amount } from '../money.ts';
import type { Metadata } from './payment.ts';

/** WAITING for a person, SENDING, DONE; STOPPED while it was being sent, or CANCELLED before. */
export const BATCH_STATUSES = ['WAITING', 'SENDING', 'DONE', 'STOPPED', 'CANCELLED'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** CLAIMED: on its way to become a payout. ACCEPTED: it is one, and has a state of its own. */
export const BATCH_ROW_STATUSES = ['WAITING', 'CLAIMED', 'ACCEPTED', 'REJECTED', 'CANCELLED'] as const;
export type BatchRowStatus = (typeof BATCH_ROW_STATUSES)[number];

export const BATCH_SOURCES = ['FILE', 'FORM'] as const;
export type BatchSource = (typeof BATCH_SOURCES)[number];

/** A large company's wages. Two such files at once are prepared and sent as fast. */
export const BATCH_ROWS_MAX = 10_000;

/** A payout as a person wrote it. */
export type WrittenPayout = {
  /** As people write numbers: with plus, spaces and zeroes that do not belong. */
  readonly phoneNumber: string;
  readonly amountText: string;
  readonly currency: string;
  /** Null: predicted from the number. */
  readonly provider: string | null;
  readonly customerMessage?: string;
  readonly clientReferenceId?: string;
  readonly metadata?: Metadata;
};

/** What is wrong with a row; of the file as a whole where `rowNo` is 0. */
export type RowFault = {
  readonly rowNo: number;
  /** The column, or empty where it is not one's. */
  readonly column: string;
  readonly code: string;
  /** For people. Never repeats a value. */
  readonly message: string;
};

/** How much of each currency needs no second person, within a day. */
export type ApprovalLimits = ReadonlyMap<string, Amount>;

/** What one person's word was enough for counts for so long, or a large payout would only have to be cut in pieces. */
export const ALONE_WINDOW_MS = 24 * 60 * 60_000;

/**
 * Whether a second person must agree. `sums` are those of the batch by currency, `alone` what went without a second
 * person in the last day. A currency without a limit always needs one.
 */
export function needsSecondPerson(
  sums: ReadonlyMap<string, Amount>,
  { limits, alone }: { readonly limits: ApprovalLimits; readonly alone: ReadonlyMap<string, Amount> },
): boolean {
  return [...sums].some(([currency, amount]) => {
    const limit = limits.get(currency) ?? 0n;
    return amount + (alone.get(currency) ?? 0n) > limit;
  });
}

/** "RWF=100000,KES=5000". Null for another form. */
export function parseApprovalLimits(text: string): ApprovalLimits | null {
  const limits = new Map<string, Amount>();
  if (text.trim() === '') return limits;
  for (const entry of text.split(',').map((part) => part.trim())) {
    const [, currency = '', amountText = ''] = /^([A-Z]{3})=([0-9.]+)$/.exec(entry) ?? [];
    const amount = parseAmount(amountText);
    if (amount === null || limits.has(currency)) return null;
    limits.set(currency, amount);
  }
  return limits;
}

/** What is the same in rows that may be one payout written twice. */
export function sameKeysOf(row: {
  readonly phoneNumber: string;
  readonly amount: Amount;
  readonly currency: string;
  readonly clientReferenceId?: string | undefined;
}): readonly string[] {
  const { phoneNumber, amount, currency, clientReferenceId } = row;
  return [
    `${phoneNumber} ${amount} ${currency}`,
    ...(clientReferenceId === undefined || clientReferenceId === ''
      ? []
      : [`reference ${clientReferenceId}`]),
  ];
}

export type SameRows = {
  /** Number and amount are the same, or the reference is. */
  readonly same: 'RECIPIENT_AND_AMOUNT' | 'CLIENT_REFERENCE';
  readonly rowNos: readonly number[];
};

/** Rows that may be one payout written twice, those that come first first. */
export function findSameRows(
  rows: readonly (Parameters<typeof sameKeysOf>[0] & { readonly rowNo: number })[],
): readonly SameRows[] {
  const byKey = new Map<string, number[]>();
  for (const row of rows) {
    for (const key of sameKeysOf(row)) {
      const known = byKey.get(key);
      if (known === undefined) byKey.set(key, [row.rowNo]);
      else known.push(row.rowNo);
    }
  }
  return [...byKey]
    .filter(([, rowNos]) => rowNos.length > 1)
    .map(([key, rowNos]) => ({
      same: key.startsWith('reference ') ? 'CLIENT_REFERENCE' : 'RECIPIENT_AND_AMOUNT',
      rowNos,
    }));
}
