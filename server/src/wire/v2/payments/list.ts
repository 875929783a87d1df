// Lists of payments: the query, and a page. An addition to the specification.
import { Type, type Static, type TObject } from 'typebox';
import { isUuid } from '../../../domain/identifier.ts';
import { METADATA_VALUE_LENGTH_MAX } from '../../../domain/metadata.ts';
import { PAYMENT_KINDS, type PaymentKind, type PaymentState } from '../../../domain/payments/payment.ts';
import { parseCursor, renderCursor } from '../../cursor.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { dateSchema, listDateFaults, parseDate, parseEnd } from '../date.ts';
import { CLIENT_REFERENCE_LENGTH_MAX } from '../identifier.ts';
import type { ProviderSurroundings } from '../party.ts';

const COUNT_USUAL = 50;

/** `statuses` are those that payments of the kind can have. */
export function listQuerySchema<const Status extends PaymentState>(statuses: readonly Status[]) {
  return Type.Object(
    {
      from: Type.Optional(dateSchema('Only payments that were accepted at this time or later.')),
      to: Type.Optional(
        dateSchema(
          'Only payments that were accepted before this time. A date without a time means the whole day.',
        ),
      ),
      clientReferenceId: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: CLIENT_REFERENCE_LENGTH_MAX,
          description: 'Only payments with this client reference. Not together with metadata or phoneNumber.',
          examples: ['INV-123456'],
        }),
      ),
      metadata: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: METADATA_VALUE_LENGTH_MAX,
          description:
            'Only payments with this value in their metadata: the whole value, whatever its name. Values marked as ' +
            'isPII are found only with the scope personal-data:read.',
          examples: ['ORD-123456789'],
        }),
      ),
      phoneNumber: Type.Optional(
        Type.String({
          pattern: '^[1-9][0-9]{5,17}$',
          description: 'Only payments of this phone number. It needs the scope personal-data:read.',
          examples: ['260763456789'],
        }),
      ),
      status: Type.Optional(Type.Enum([...statuses], { type: 'string', description: 'Only this status.' })),
      provider: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 64,
          description: 'Only this provider.',
          examples: ['MTN_MOMO_ZMB'],
        }),
      ),
      limit: Type.Optional(
        Type.String({
          pattern: '^([1-9][0-9]?|100)$',
          default: String(COUNT_USUAL),
          description: 'How many payments a page has at most: 1 to 100.',
          examples: ['50'],
        }),
      ),
      cursor: Type.Optional(
        Type.String({
          minLength: 1,
          maxLength: 200,
          description:
            'Where the page begins: `next` of the page before. Repeat the other parameters with it.',
        }),
      ),
    },
    // A misspelled filter that were ignored would list other payments than were asked for.
    { additionalProperties: false },
  );
}

export type PaymentListSchema = ReturnType<typeof listQuerySchema<PaymentState>>;

/** At most one of them. */
const SOUGHT = ['clientReferenceId', 'metadata', 'phoneNumber'] as const;

export type ListQuery = {
  readonly from: Date | null;
  readonly to: Date | null;
  readonly sought: { readonly field: (typeof SOUGHT)[number]; readonly value: string } | null;
  readonly status: PaymentState | null;
  readonly provider: string | null;
  readonly countMax: number;
  readonly after: ListCursor | null;
};

/** The payment that a page ended with. It is of another kind where a page ended between payments of its own. */
export type ListCursor = { readonly kind: PaymentKind; readonly paymentId: string };

type ListSurroundings = ProviderSurroundings & { readonly listed: PaymentKind };

export function parseListQuery(
  schema: PaymentListSchema,
  query: unknown,
  surroundings: ListSurroundings,
): Parsed<ListQuery> {
  const faults = [
    ...listDateFaults(query, ['from', 'to']),
    ...listSoughtFaults(query),
    ...listProviderFault(query, surroundings),
  ];
  const fault = findFault(schema, query, faults);
  if (fault !== null) return { type: 'FAULT', fault };
  const { from, to, status, provider, limit, cursor } = query as Static<typeof schema>;
  const after = cursor === undefined ? null : readCursor(cursor, surroundings);
  if (cursor !== undefined && after === null) return { type: 'FAULT', fault: CURSOR_FAULT };
  const [starts = null, ends = null] = [from && parseDate(from), to && parseEnd(to)];
  if (starts && ends && starts >= ends)
    return { type: 'FAULT', fault: invalidFault('to', "it must be later than 'from'") };
  return {
    type: 'PARSED',
    request: {
      from: starts || null,
      to: ends || null,
      sought: soughtIn(query),
      status: status ?? null,
      provider: provider ?? null,
      countMax: Number(limit ?? COUNT_USUAL),
      after,
    },
  };
}

/** Also for a cursor of another account: it names a payment that this one does not have. */
export const CURSOR_FAULT = invalidFault('cursor', 'it is not a cursor of this list');

function soughtIn(query: unknown): ListQuery['sought'] {
  const field = SOUGHT.find((one) => valueAt(query, one) !== undefined);
  return field === undefined ? null : { field, value: String(valueAt(query, field)) };
}

function listSoughtFaults(query: unknown): readonly Fault[] {
  const [first, ...others] = SOUGHT.filter((one) => valueAt(query, one) !== undefined);
  return others.map((one) => invalidFault(one, `it cannot be combined with '${first}'`));
}

function listProviderFault(query: unknown, { isProvider }: ProviderSurroundings): readonly Fault[] {
  const provider = valueAt(query, 'provider');
  if (typeof provider !== 'string' || isProvider(provider)) return [];
  return [invalidFault('provider', 'there is no provider with this code')];
}

function readCursor(text: string, { listed }: ListSurroundings): ListCursor | null {
  const [of, kind, paymentId] = parseCursor(text, 3) ?? [];
  const known = PAYMENT_KINDS.find((one) => one === kind);
  if (of !== listed || known === undefined || paymentId === undefined || !isUuid(paymentId)) return null;
  return { kind: known, paymentId };
}

/** `group` is the kind's name in a sentence about several, `title` the name of the schema. */
export function pageSchema<Record extends TObject>(
  { group, title }: { readonly group: string; readonly title: string },
  record: Record,
) {
  return Type.Object(
    {
      data: Type.Array(record, {
        description:
          `The ${group}, the newest first, as status checks return them. ` +
          'Without the scope personal-data:read, personal data is masked.',
      }),
      next: Type.Optional(
        Type.String({
          description:
            'The cursor of the next page. Left out on the last page. A page can have fewer payments than asked for, ' +
            'or none, and still be followed by another.',
          examples: [renderCursor(['DEPOSIT', 'DEPOSIT', '6f2c9d14-8b37-4a5e-b0c6-51d7e8f3a920'])],
        }),
      ),
    },
    { title, description: `A page of ${group}.` },
  );
}

export function renderPage<Record>(
  records: readonly Record[],
  { listed, next }: { readonly listed: PaymentKind; readonly next: ListCursor | null },
): { readonly data: readonly Record[]; readonly next?: string } {
  if (next === null) return { data: records };
  return { data: records, next: renderCursor([listed, next.kind, next.paymentId]) };
}
