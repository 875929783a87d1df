// The request as the simulator receives it.
import { parseAmount } from '../../../domain/money.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import { textOf, type JsonObject } from '../../../connectors/json.ts';

export type TransactionRequest = {
  readonly reference: string;
  readonly operation: PaymentKind;
  readonly provider: string;
  readonly country: string;
  readonly amount: string;
  readonly currency: string;
  readonly phoneNumber: string;
  readonly message: string;
  readonly notificationUrl: string;
  readonly oneTimeCode?: string;
  readonly successUrl?: string;
  readonly failUrl?: string;
};

const REQUIRED = [
  'reference',
  'provider',
  'country',
  'amount',
  'currency',
  'phoneNumber',
  'notificationUrl',
] as const;
const OPTIONAL = ['oneTimeCode', 'successUrl', 'failUrl'] as const;

/** The request, or the name of the missing or invalid member. */
export function parseTransactionRequest(
  value: JsonObject,
): { request: TransactionRequest } | { problem: string } {
  const operation = PAYMENT_KINDS.find((kind) => kind === value['operation']);
  if (operation === undefined) return { problem: 'operation' };
  const missing = REQUIRED.find((name) => textOf(value[name]) === undefined);
  if (missing !== undefined) return { problem: missing };
  const amount = parseAmount(String(value['amount']));
  if (amount === null || amount <= 0n) return { problem: 'amount' };
  const texts = [...REQUIRED, ...OPTIONAL].flatMap((name) => {
    const text = textOf(value[name]);
    return text === undefined ? [] : [[name, text]];
  });
  const message = textOf(value['message']) ?? '';
  return { request: { ...Object.fromEntries(texts), operation, message } as TransactionRequest };
}
