// Payouts that people create in the dashboard, and when they need a second approver.
import type { FailureCode } from '../failure.ts';
import { parseAmount, type Amount } from '../money.ts';
import type { Metadata } from './payment.ts';

/** WAITING for approval, SENDING, DONE; STOPPED during sending, or CANCELLED before. */
export const BATCH_STATUSES = ['WAITING', 'SENDING', 'DONE', 'STOPPED', 'CANCELLED'] as const;
export type BatchStatus = (typeof BATCH_STATUSES)[number];

/** CLAIMED: about to become a payout. ACCEPTED: it is a payout with its own state. */
export const BATCH_ROW_STATUSES = ['WAITING', 'CLAIMED', 'ACCEPTED', 'REJECTED', 'CANCELLED'] as const;
export type BatchRowStatus = (typeof BATCH_ROW_STATUSES)[number];

export const BATCH_SOURCES = ['FILE', 'FORM'] as const;
export type BatchSource = (typeof BATCH_SOURCES)[number];

/** The wages of a large company. Two such files at once are prepared and sent equally fast. */
export const BATCH_ROWS_MAX = 10_000;

/** A payout as a person wrote it. */
export type WrittenPayout = {
  /** As people write numbers: with plus, spaces and extra zeroes. */
  readonly phoneNumber: string;
  readonly amountText: string;
  readonly currency: string;
  /** Null: predicted from the number. */
  readonly provider: string | null;
  /** Of a number without its country code; alpha-3. */
  readonly country?: string;
  /** For the people who approve it; no operator gets it. */
  readonly recipientName?: string;
  readonly customerMessage?: string;
  readonly clientReferenceId?: string;
  readonly metadata?: Metadata;
};

/** What can be wrong with a file of payouts, besides what the merchants' API rejects. */
export const FILE_FAULT_CODES = [
  'FILE_UNREADABLE',
  'FILE_EMPTY',
  'FILE_TOO_LONG',
  'COLUMN_MISSING',
  'COLUMN_UNKNOWN',
  'COLUMN_REPEATED',
  'TOO_MUCH_METADATA',
  'TOO_MANY_CELLS',
  'MISSING',
  'TOO_LONG',
] as const;

/** INVALID is worded by its column, PROVIDER_UNKNOWN by why it is not detected. */
export type FaultCode = (typeof FILE_FAULT_CODES)[number] | 'INVALID' | 'PROVIDER_UNKNOWN' | FailureCode;

/** An error in a row; `rowNo` 0 means the whole file. */
export type RowFault = {
  readonly rowNo: number;
  /** The column, or empty if it is not about one. */
  readonly column: string;
  readonly code: FaultCode;
  /** Names and limits for the words of the dashboard, never what somebody wrote: it may be personal data. */
  readonly parameters: Readonly<Record<string, string>>;
};

/** How much of each currency needs no second approver within a day. */
export type ApprovalLimits = ReadonlyMap<string, Amount>;

/** The window for amounts without a second approver; without it a large payout could be split into small ones. */
export const ALONE_WINDOW_MS = 24 * 60 * 60_000;

/**
 * Whether a second approver is needed. `sums` are the batch's sums by currency, `alone` the sums without a second
 * approver in the last day. A currency without a limit always needs one.
 */
export function needsSecondApprover(
  sums: ReadonlyMap<string, Amount>,
  { limits, alone }: { readonly limits: ApprovalLimits; readonly alone: ReadonlyMap<string, Amount> },
): boolean {
  return [...sums].some(([currency, amount]) => {
    const limit = limits.get(currency) ?? 0n;
    return amount + (alone.get(currency) ?? 0n) > limit;
  });
}

/** "RWF=100000,KES=5000". Null for another format. */
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

/** What is equal in rows that may be duplicates. */
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
  /** Number and amount are equal, or the reference is. */
  readonly same: 'RECIPIENT_AND_AMOUNT' | 'CLIENT_REFERENCE';
  readonly rowNos: readonly number[];
};

/** Rows that may be duplicates, in file order. */
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
