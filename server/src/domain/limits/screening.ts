// What the platform's own screening service is asked, and what it may answer. Pure.
import { renderAmount } from '../money.ts';
import type { Payment } from '../payments/payment.ts';
import { VERDICTS, type Verdict } from './review.ts';

/** Nothing that identifies a person. */
export const DEFAULT_SCREENING_FIELDS = [
  'merchantId',
  'kind',
  'paymentId',
  'amount',
  'currency',
  'country',
  'provider',
  'createdAt',
] as const;

/** What can be sent of a payment. Nothing else leaves. */
export const SCREENING_FIELDS = [
  ...DEFAULT_SCREENING_FIELDS,
  'phoneNumber',
  'customerMessage',
  'metadata',
] as const;
export type ScreeningField = (typeof SCREENING_FIELDS)[number];

export type ScreeningSettings = {
  readonly url: string;
  readonly fields: readonly ScreeningField[];
  /** From the first try. Then what is configured for no answer is done. */
  readonly deadlineMs: number;
  /** As many questions at once from each worker. */
  readonly atOnceMax: number;
};

/** The identifier is the payment's own number, which says nothing about it: the answer must repeat it. */
export function screeningBody(payment: Payment, fields: readonly ScreeningField[]): string {
  const chosen = fields.flatMap((field) => {
    const value = fieldOf(payment, field);
    return value === undefined ? [] : [[field, value] as const];
  });
  return JSON.stringify({ screeningId: payment.paymentNo, ...Object.fromEntries(chosen) });
}

function fieldOf(payment: Payment, field: ScreeningField): unknown {
  switch (field) {
    case 'paymentId':
      return payment.writtenId;
    case 'amount':
      return renderAmount(payment.amount);
    case 'createdAt':
      return payment.createdAt.toISOString();
    case 'phoneNumber':
    case 'customerMessage':
      return payment.details[field];
    case 'metadata':
      return payment.details.metadata?.map(({ name, value }) => ({ [name]: value }));
    case 'merchantId':
    case 'kind':
    case 'currency':
    case 'country':
    case 'provider':
      return payment[field];
  }
}

export type ScreeningAnswer = { readonly verdict: Verdict; readonly reason: string | null };

const REASON_LENGTH_MAX = 200;

/** Null for everything that is not an answer to this question: then it is as if nothing had been said. */
export function parseScreeningAnswer(
  text: string,
  { paymentNo, kind }: Pick<Payment, 'paymentNo' | 'kind'>,
): ScreeningAnswer | null {
  const { screeningId, decision, reason } = parseObject(text);
  const verdict = VERDICTS.find((one) => one === decision);
  if (verdict === undefined || screeningId !== paymentNo) return null;
  // The payer waits: a deposit is allowed or rejected.
  if (kind === 'DEPOSIT' && verdict === 'HOLD') return null;
  if (reason !== undefined && reason !== null && typeof reason !== 'string') return null;
  const said = typeof reason === 'string' ? reason.trim().slice(0, REASON_LENGTH_MAX) : '';
  return { verdict, reason: said === '' ? null : said };
}

function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}
