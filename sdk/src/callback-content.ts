// The content of a verified callback.
import { fieldsOf, type Fields } from './answer.ts';
import type { Checkout, Deposit, Payout, Refund, Remittance, SplitPayment, Statement } from './api.ts';
import type { Bytes } from './base64.ts';
import {
  CHECKOUT,
  DEPOSIT,
  PAYOUT,
  REFUND,
  REMITTANCE,
  SPLIT_PAYMENT,
  STATEMENT,
  withMeaning,
} from './kind.ts';

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
  /** Something else: a test message of the dashboard, or a payment of API v1. */
  | { readonly kind: 'other'; readonly id: null; readonly payment: Fields };

/** A refund also contains its deposit's identifier, so its own is checked first. */
const KINDS = [REFUND, CHECKOUT, SPLIT_PAYMENT, STATEMENT, PAYOUT, REMITTANCE, DEPOSIT];

export function readCallback(body: Bytes): CallbackContent {
  const record = parse(body);
  const kind = KINDS.find(({ idName }) => typeof record[idName] === 'string');
  if (kind === undefined || 'correspondent' in record) return { kind: 'other', id: null, payment: record };
  const id = String(record[kind.idName]);
  // The kind names are those of the union, which the compiler cannot infer through a search.
  return { kind: kind.name, id, payment: withMeaning(kind, record) } as unknown as CallbackContent;
}

function parse(body: Bytes): Fields {
  try {
    return fieldsOf(JSON.parse(new TextDecoder().decode(body)));
  } catch {
    return {};
  }
}
