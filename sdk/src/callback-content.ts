// What a verified callback says.
import { fieldsOf, type Fields } from './answer.ts';
import type { Checkout, Deposit, Payout, Refund, Remittance, SplitPayment, Statement } from './api.ts';
import type { Bytes } from './base64.ts';
import { CHECKOUT, DEPOSIT, PAYOUT, REFUND, REMITTANCE, SPLIT_PAYMENT, STATEMENT, tell } from './kind.ts';

type Content<Kind extends string, Payment> = {
  readonly kind: Kind;
  readonly id: string;
  readonly payment: Payment;
};

export type CallbackContent =
  | Content<'deposit', Deposit>
  | Content<'payout', Payout>
  | Content<'refund', Refund>
  | Content<'remittance', Remittance>
  | Content<'splitPayment', SplitPayment>
  | Content<'checkout', Checkout>
  | Content<'statement', Statement>
  /** Something else: a test message of the dashboard, or a payment that was started through the earlier API. */
  | { readonly kind: 'other'; readonly id: null; readonly payment: Fields };

/** A refund names its deposit too, so that its own identifier is looked for first. */
const KINDS = [REFUND, CHECKOUT, SPLIT_PAYMENT, STATEMENT, PAYOUT, REMITTANCE, DEPOSIT];

export function readCallback(body: Bytes): CallbackContent {
  const record = parse(body);
  const kind = KINDS.find(({ idName }) => typeof record[idName] === 'string');
  if (kind === undefined || 'correspondent' in record) return { kind: 'other', id: null, payment: record };
  const id = String(record[kind.idName]);
  // The names of the kinds are those of the union, which the compiler cannot follow through a search.
  return { kind: kind.name, id, payment: tell(kind, record) } as unknown as CallbackContent;
}

function parse(body: Bytes): Fields {
  try {
    return fieldsOf(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}
