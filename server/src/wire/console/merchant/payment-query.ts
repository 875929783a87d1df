// The query of a list of payments.
import { Type, type Static } from 'typebox';
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN, parseAmount, type Amount } from '../../../domain/money.ts';
import {
  PAYMENT_KINDS,
  PAYMENT_STATES,
  type PaymentKind,
  type PaymentState,
} from '../../../domain/payments/payment.ts';
import { momentOf, strict, timeSchema } from '../shape.ts';

/** Several are separated by commas. */
function listOf(words: string, maxLength: number) {
  return Type.String({ pattern: `^(${words})(,(${words}))*$`, maxLength });
}

const amountSchema = Type.String({ pattern: AMOUNT_PATTERN, maxLength: AMOUNT_LENGTH_MAX });

/** What payments are narrowed by. */
export const paymentFilterFields = {
  search: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'An identifier or its first eight characters or more (of a payment, of the deposit of a refund, of a split ' +
        'payment or checkout), a client reference, a phone number, a reference or transaction of the operator, or a ' +
        'whole value of the metadata.',
    }),
  ),
  kinds: Type.Optional(listOf(PAYMENT_KINDS.join('|'), 100)),
  states: Type.Optional(listOf(PAYMENT_STATES.join('|'), 100)),
  providers: Type.Optional(listOf('[A-Z0-9_]{1,40}', 2_000)),
  from: Type.Optional(timeSchema),
  to: Type.Optional(timeSchema),
  amountMin: Type.Optional(amountSchema),
  amountMax: Type.Optional(amountSchema),
};

/** Which page of the list. */
export const paymentPageFields = {
  identifier: Type.Optional(
    Type.String({
      maxLength: 36,
      description:
        'Instead of `search`: an identifier or its first eight characters or more, and nothing else is looked through.',
    }),
  ),
  cursor: Type.Optional(Type.String({ maxLength: 200, description: 'As the page before told it.' })),
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100; default: 50.' }),
  ),
};

export const paymentFilterSchema = strict(paymentFilterFields);
export const paymentQuerySchema = strict({ ...paymentFilterFields, ...paymentPageFields });

export type PaymentQuery = {
  readonly search: string;
  readonly searchIn: 'EVERYTHING' | 'IDENTIFIERS';
  readonly kinds: readonly PaymentKind[];
  readonly states: readonly PaymentState[];
  readonly providers: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly amountMin: Amount | null;
  readonly amountMax: Amount | null;
};

type GivenQuery = Static<typeof paymentFilterSchema> & Pick<Static<typeof paymentQuerySchema>, 'identifier'>;

export function readPaymentQuery(query: GivenQuery): PaymentQuery {
  const { identifier, search = '', kinds, states, providers, amountMin, amountMax } = query;
  return {
    search: identifier ?? search,
    searchIn: identifier === undefined ? 'EVERYTHING' : 'IDENTIFIERS',
    kinds: chosen(PAYMENT_KINDS, kinds),
    states: chosen(PAYMENT_STATES, states),
    providers: providers?.split(',') ?? null,
    from: query.from === undefined ? null : momentOf(query.from),
    to: query.to === undefined ? null : momentOf(query.to),
    amountMin: amountMin === undefined ? null : parseAmount(amountMin),
    amountMax: amountMax === undefined ? null : parseAmount(amountMax),
  };
}

function chosen<Word extends string>(all: readonly Word[], text: string | undefined): readonly Word[] {
  if (text === undefined) return all;
  const words = text.split(',');
  return all.filter((word) => words.includes(word));
}
