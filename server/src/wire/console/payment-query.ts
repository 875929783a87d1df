// What a list of payments is asked for, and where its next page begins.
import { Type, type Static } from 'typebox';
import { AMOUNT_LENGTH_MAX, AMOUNT_PATTERN, parseAmount, type Amount } from '../../domain/money.ts';
import { PAYMENT_KINDS, PAYMENT_STATES, type PaymentKind, type PaymentState } from '../../domain/payment.ts';
import { strict, timeSchema } from './shape.ts';

/** Several of them with commas between. */
function listOf(words: string, maxLength: number) {
  return Type.String({ pattern: `^(${words})(,(${words}))*$`, maxLength });
}

const amountSchema = Type.String({ pattern: AMOUNT_PATTERN, maxLength: AMOUNT_LENGTH_MAX });

export const paymentQuerySchema = strict({
  search: Type.Optional(
    Type.String({
      maxLength: 300,
      description:
        'An identifier (of a payment, of the deposit of a refund, of a split payment or checkout), a client ' +
        'reference, a phone number, a reference or transaction of the operator, or a whole value of the metadata.',
    }),
  ),
  kinds: Type.Optional(listOf(PAYMENT_KINDS.join('|'), 100)),
  states: Type.Optional(listOf(PAYMENT_STATES.join('|'), 100)),
  providers: Type.Optional(listOf('[A-Z0-9_]{1,40}', 2_000)),
  from: Type.Optional(timeSchema),
  to: Type.Optional(timeSchema),
  amountMin: Type.Optional(amountSchema),
  amountMax: Type.Optional(amountSchema),
  cursor: Type.Optional(
    Type.String({ pattern: '^[A-Za-z0-9_-]{1,120}$', description: 'As the page before told it.' }),
  ),
  limit: Type.Optional(
    Type.String({ pattern: '^([1-9][0-9]?|100)$', description: '1 to 100; 50 if not said.' }),
  ),
});

export type PaymentQuery = {
  readonly search: string;
  readonly kinds: readonly PaymentKind[];
  readonly states: readonly PaymentState[];
  readonly providers: readonly string[] | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly amountMin: Amount | null;
  readonly amountMax: Amount | null;
  readonly after: Cursor | null;
  readonly countMax: number;
};

export type Cursor = { readonly createdAt: Date; readonly paymentId: string };

const COUNT_USUAL = '50';

export function readPaymentQuery(query: Static<typeof paymentQuerySchema>): PaymentQuery {
  const { search = '', kinds, states, providers, amountMin, amountMax, cursor, limit = COUNT_USUAL } = query;
  return {
    search,
    kinds: chosen(PAYMENT_KINDS, kinds),
    states: chosen(PAYMENT_STATES, states),
    providers: providers?.split(',') ?? null,
    from: timeOf(query.from),
    to: timeOf(query.to),
    amountMin: amountMin === undefined ? null : parseAmount(amountMin),
    amountMax: amountMax === undefined ? null : parseAmount(amountMax),
    after: cursor === undefined ? null : readCursor(cursor),
    countMax: Number(limit),
  };
}

function chosen<Word extends string>(all: readonly Word[], text: string | undefined): readonly Word[] {
  if (text === undefined) return all;
  const words = text.split(',');
  return all.filter((word) => words.includes(word));
}

function timeOf(text: string | undefined): Date | null {
  return text === undefined ? null : new Date(text);
}

export function renderCursor({ createdAt, paymentId }: Cursor): string {
  return Buffer.from(`${createdAt.toISOString()} ${paymentId}`).toString('base64url');
}

const CURSOR = /^(\d{4}-\d{2}-\d{2}T[\d:.]+Z) ([0-9a-f-]{36})$/;

/** One that nobody was given begins at the beginning. */
function readCursor(cursor: string): Cursor | null {
  const [, createdAt = '', paymentId = ''] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? [];
  return createdAt === '' ? null : { createdAt: new Date(createdAt), paymentId };
}
