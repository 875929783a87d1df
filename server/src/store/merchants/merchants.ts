// Merchants, what they may do, their tokens and where their callbacks go.
import type { Fee } from '../../domain/ledger/fees.ts';
import type { Limit, LimitKey } from '../../domain/limits/limit.ts';
import type { ReviewRule } from '../../domain/limits/review.ts';
import type { AnnouncedKind, Operation, PaymentKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import type { PublicKey } from '../../wire/http-signature/check-signature.ts';
import { amountOfNumeric, column, columns, type Row } from '../columns.ts';
import { isAmong, isChanged, oneRowInserter, replacedOn, unnested, valuesOf } from '../rows.ts';

export type Merchant = {
  readonly merchantId: string;
  readonly home: string;
  readonly companyName: string;
  readonly operations: readonly string[];
  readonly walletPerProvider: boolean;
  readonly isSuspended: boolean;
  /** Wrapped; see store/encryption/encryption.ts. */
  readonly dataKey: Buffer;
  /** "PROVIDER OPERATION" of everything that is active. */
  readonly activeProviders: ReadonlySet<string>;
  /** By "PROVIDER OPERATION CURRENCY"; what is not there costs nothing. */
  readonly fees: ReadonlyMap<string, Fee>;
  /** Whether requests that start payments must be signed. */
  readonly signedRequestsOnly: boolean;
  /** Whether requests that open payment pages and checkouts must be signed. */
  readonly signedPagesOnly: boolean;
  /** The colour of its pages; null: the host's. */
  readonly pageColour: string | null;
  /** SHA-256 of the logo on its pages; null: none. */
  readonly pageLogoHash: string | null;
  /** The zone of the days that its people see, by its IANA name. */
  readonly timeZone: string;
  /** By the name that signatures call them by. */
  readonly publicKeys: ReadonlyMap<string, PublicKey>;
  readonly limits: readonly Limit[];
  /** Whether there are lists of phone numbers that concern it, its own or the platform's. */
  readonly hasListedNumbers: boolean;
  /** What its payments are looked at for before they are sent. */
  readonly reviewRules: readonly ReviewRule[];
};

export type NewMerchant = Pick<
  Merchant,
  'merchantId' | 'home' | 'companyName' | 'operations' | 'walletPerProvider' | 'dataKey'
> & { readonly createdAt: Date };

const newMerchants = columns({
  merchantId: 'uuid',
  home: 'text',
  companyName: 'text',
  operations: 'text[]',
  walletPerProvider: 'bool',
  dataKey: 'bytea',
  createdAt: 'timestamptz',
});

export const insertMerchant = oneRowInserter<NewMerchant>('merchants', newMerchants.cells);

const merchants = columns({
  ...newMerchants.without('createdAt').defs,
  isSuspended: column<boolean>('bool', 'suspended_at is not null'),
  signedRequestsOnly: 'bool',
  signedPagesOnly: 'bool',
  pageColour: 'text null',
  pageLogoHash: column<string | null>('text', `encode(sha256(page_logo), 'hex')`),
  timeZone: 'text',
  activeProviders: column<readonly string[]>(
    'text[]',
    `array(select provider || ' ' || operation from merchant_providers p where p.merchant_id = m.merchant_id)`,
  ),
  fees: column<readonly { name: string; basis_points: number; fixed: string }[]>(
    'jsonb',
    `coalesce((select json_agg(json_build_object('name', concat_ws(' ', provider, operation, currency),
       'basis_points', basis_points, 'fixed', fixed::text)) from fees f where f.merchant_id = m.merchant_id), '[]')`,
  ),
  publicKeys: column<readonly (PublicKey & { name: string })[]>(
    'jsonb',
    `coalesce((select json_agg(json_build_object('name', key_name, 'algorithm', algorithm, 'pem', public_key))
       from merchant_public_keys k where k.merchant_id = m.merchant_id), '[]')`,
  ),
  limits: column<
    readonly (LimitKey & { readonly countMax: number | null; readonly amountMax: string | null })[]
  >(
    'jsonb',
    `coalesce((select json_agg(json_build_object('setBy', set_by, 'kind', kind, 'scope', scope, 'subject', subject,
       'period', period, 'currency', currency, 'countMax', count_max, 'amountMax', amount_max::text))
       from limits l where l.merchant_id = m.merchant_id), '[]')`,
  ),
  hasListedNumbers: column<boolean>(
    'bool',
    `exists (select 1 from listed_numbers n where n.merchant_id = m.merchant_id)
       or exists (select 1 from listed_numbers n where n.merchant_id is null)`,
  ),
  reviewRules: column<readonly (Omit<ReviewRule, 'amountAbove'> & { readonly amountAbove: string | null })[]>(
    'jsonb',
    `coalesce((select json_agg(json_build_object('rule', rule, 'subject', subject, 'withoutAnswer', without_answer,
       'amountAbove', amount_above::text, 'hours', hours))
       from review_rules r where r.merchant_id = m.merchant_id), '[]')`,
  ),
});

export async function findMerchant(tx: Tx, merchantId: string): Promise<Merchant | null> {
  const found = await merchants.find(tx, 'from merchants m where merchant_id = $1', [merchantId]);
  if (found === null) return null;
  const { activeProviders, fees, publicKeys, limits, reviewRules } = found;
  return {
    ...found,
    activeProviders: new Set(activeProviders),
    fees: new Map(
      fees.map((fee) => [fee.name, { basisPoints: fee.basis_points, fixed: amountOfNumeric(fee.fixed) }]),
    ),
    publicKeys: new Map(publicKeys.map(({ name, ...key }) => [name, key])),
    limits: limits.map((limit) => ({
      ...limit,
      amountMax: limit.amountMax === null ? null : amountOfNumeric(limit.amountMax),
    })),
    reviewRules: reviewRules.map((rule) => ({
      ...rule,
      amountAbove: rule.amountAbove === null ? null : amountOfNumeric(rule.amountAbove),
    })),
  };
}

/** The homes of all merchants there are here. */
export async function listHomes(tx: Tx): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ home: string }>('select distinct home from merchants');
  return new Set(rows.map(({ home }) => home));
}

type Activation = { readonly provider: string; readonly operation: PaymentKind };

const activations = columns({ provider: 'text', operation: column<PaymentKind>('text') }).cells;

export async function activateProviders(
  tx: Tx,
  merchantId: string,
  activated: readonly Activation[],
): Promise<void> {
  await tx.query(
    `insert into merchant_providers (provider, operation, merchant_id)
     select *, $3 from ${unnested(activations)} on conflict do nothing`,
    [...valuesOf(activations, activated), merchantId],
  );
}

export async function deactivateProviders(
  tx: Tx,
  merchantId: string,
  deactivated: readonly Activation[],
): Promise<void> {
  const text = `delete from merchant_providers where merchant_id = $3 and ${isAmong(activations)}`;
  await tx.query(text, [...valuesOf(activations, deactivated), merchantId]);
}

/** What a merchant may start from now on. Answers whether there is such a merchant. */
export async function setOperations(
  tx: Tx,
  merchantId: string,
  operations: readonly Operation[],
): Promise<boolean> {
  const text = 'update merchants set operations = $2 where merchant_id = $1';
  return isChanged(tx, text, [merchantId, operations]);
}

/** Suspends a merchant, or resumes it with null. Answers whether that changed anything. */
/** Answers whether it was not suspended before. */
export async function suspend(tx: Tx, merchantId: string, suspendedAt: Date): Promise<boolean> {
  return isChanged(
    tx,
    'update merchants set suspended_at = $2 where merchant_id = $1 and suspended_at is null',
    [merchantId, suspendedAt],
  );
}

/** Since when it is suspended; null: it is not. */
export async function findSuspension(tx: Tx, merchantId: string): Promise<Date | null> {
  const { rows } = await tx.query<{ suspended_at: Date | null }>(
    'select suspended_at from merchants where merchant_id = $1',
    [merchantId],
  );
  return rows[0]?.suspended_at ?? null;
}

/**
 * Ends the suspension of this time, which programs know to the millisecond. Answers whether it was in force. Outside
 * sandboxes PostgreSQL asks for its approval in the same transaction.
 */
export async function resume(tx: Tx, merchantId: string, suspendedAt: Date): Promise<boolean> {
  return isChanged(
    tx,
    `update merchants set suspended_at = null
     where merchant_id = $1 and date_trunc('milliseconds', suspended_at) = $2`,
    [merchantId, suspendedAt],
  );
}

/** For statements about rows of merchants: of one that is suspended nothing is claimed or released. */
export function notSuspended(rows: string): string {
  return `not exists (
    select 1 from merchants s where s.merchant_id = ${rows}.merchant_id and s.suspended_at is not null)`;
}

/** Those of these merchants that are suspended. Inside them, no one is suspended until the transaction ends. */
export async function listSuspended(tx: Tx, merchantIds: readonly string[]): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ merchant_id: string }>(
    'select merchant_id from merchants where merchant_id = any ($1) and suspended_at is not null',
    [[...new Set(merchantIds)]],
  );
  return new Set(rows.map((row) => row.merchant_id));
}

/** Requests that start payments, or those that open pages where a payer starts one. */
export type SignatureCover = 'PAYMENTS' | 'PAGES';

export type SignatureRequirement = {
  readonly merchantId: string;
  readonly covers: SignatureCover;
  readonly isRequired: boolean;
};

/** Whether a merchant's requests must be signed from now on. Answers whether that changed anything. */
export async function setSignatureRequirement(
  tx: Tx,
  { merchantId, covers, isRequired }: SignatureRequirement,
): Promise<boolean> {
  const setting = covers === 'PAGES' ? 'signed_pages_only' : 'signed_requests_only';
  const text = `update merchants set ${setting} = $2 where merchant_id = $1 and ${setting} <> $2`;
  return isChanged(tx, text, [merchantId, isRequired]);
}

const fees = columns({
  merchantId: 'uuid',
  provider: 'text',
  operation: column<PaymentKind>('text'),
  currency: 'text',
  basisPoints: 'int',
  fixed: 'numeric',
});

const upsertFee = oneRowInserter(
  'fees',
  fees.cells,
  replacedOn('merchant_id, provider, operation, currency', fees.cells),
);

/** What an operation costs from now on. Payments accepted before keep the fee they were quoted. */
export async function setFee(
  tx: Tx,
  { fee, ...charged }: Omit<Row<typeof fees>, keyof Fee> & { readonly fee: Fee },
): Promise<void> {
  await upsertFee(tx, { ...charged, ...fee });
}

/**
 * Where callbacks of a kind go from now on. Its endpoint queue comes with it; nothing is held against a new address.
 */
export async function setCallbackEndpoint(
  tx: Tx,
  endpoint: {
    readonly endpointId: string;
    readonly merchantId: string;
    readonly kind: AnnouncedKind;
    readonly url: string;
    readonly now: Date;
  },
): Promise<void> {
  await tx.query(
    `with endpoint as (
       insert into callback_endpoints (endpoint_id, merchant_id, kind, url, created_at) values ($1, $2, $3, $4, $5)
       on conflict (merchant_id, kind)
         do update set url = excluded.url, disabled_at = null, disabled_because = null
       returning endpoint_id)
     insert into endpoint_queues (endpoint_id, leased_until, paused_until) select endpoint_id, $5, $5 from endpoint
     on conflict (endpoint_id)
       do update set failure_count = 0, failing_since = null, paused_until = excluded.paused_until`,
    [endpoint.endpointId, endpoint.merchantId, endpoint.kind, endpoint.url, endpoint.now],
  );
}

/** Where callbacks go, by what they are about: not those that are switched off, nor those that statements named. */
export async function listCallbackUrls(
  tx: Tx,
  merchantId: string,
): Promise<ReadonlyMap<AnnouncedKind, string>> {
  const { rows } = await tx.query<{ kind: AnnouncedKind; url: string }>(
    `select kind, url from callback_endpoints
     where merchant_id = $1 and kind is not null and disabled_at is null`,
    [merchantId],
  );
  return new Map(rows.map((row) => [row.kind, row.url]));
}
