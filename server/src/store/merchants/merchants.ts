// Merchants, what they may do, their tokens and where their callbacks go.
import type { Fee } from '../../domain/ledger/fees.ts';
import { renderAmount } from '../../domain/money.ts';
import type { AnnouncedKind, Operation, PaymentKind } from '../../domain/payments/payment.ts';
import type { Tx } from '../database.ts';
import type { PublicKey } from '../../wire/http-signature/judge-request.ts';
import { amountOfNumeric } from '../rows.ts';

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
  /** By the name that signatures call them by. */
  readonly publicKeys: ReadonlyMap<string, PublicKey>;
};

export type NewMerchant = Pick<
  Merchant,
  'merchantId' | 'home' | 'companyName' | 'operations' | 'walletPerProvider' | 'dataKey'
> & { readonly createdAt: Date };

type MerchantRow = {
  merchant_id: string;
  home: string;
  company_name: string;
  operations: string[];
  wallet_per_provider: boolean;
  suspended_at: Date | null;
  data_key: Buffer;
  active_providers: string[];
  fees: readonly { name: string; basis_points: number; fixed: string }[];
  signed_requests_only: boolean;
  signed_pages_only: boolean;
  public_keys: readonly (PublicKey & { name: string })[];
};

export async function insertMerchant(tx: Tx, merchant: NewMerchant): Promise<void> {
  await tx.query(
    `insert into merchants (merchant_id, home, company_name, operations, wallet_per_provider, data_key, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      merchant.merchantId,
      merchant.home,
      merchant.companyName,
      merchant.operations,
      merchant.walletPerProvider,
      merchant.dataKey,
      merchant.createdAt,
    ],
  );
}

export async function findMerchant(tx: Tx, merchantId: string): Promise<Merchant | null> {
  const { rows } = await tx.query<MerchantRow>(
    `select merchant_id, home, company_name, operations, wallet_per_provider, suspended_at, data_key,
       signed_requests_only, signed_pages_only,
       array(select provider || ' ' || operation from merchant_providers p where p.merchant_id = m.merchant_id)
         as active_providers,
       coalesce((select json_agg(json_build_object('name', concat_ws(' ', provider, operation, currency),
           'basis_points', basis_points, 'fixed', fixed::text)) from fees f where f.merchant_id = m.merchant_id),
         '[]') as fees,
       coalesce((select json_agg(json_build_object('name', key_name, 'algorithm', algorithm, 'pem', public_key))
           from merchant_public_keys k where k.merchant_id = m.merchant_id), '[]') as public_keys
     from merchants m where merchant_id = $1`,
    [merchantId],
  );
  const row = rows[0];
  if (row === undefined) return null;
  return {
    merchantId: row.merchant_id,
    home: row.home,
    companyName: row.company_name,
    operations: row.operations,
    walletPerProvider: row.wallet_per_provider,
    isSuspended: row.suspended_at !== null,
    dataKey: row.data_key,
    activeProviders: new Set(row.active_providers),
    fees: new Map(
      row.fees.map((fee) => [fee.name, { basisPoints: fee.basis_points, fixed: amountOfNumeric(fee.fixed) }]),
    ),
    signedRequestsOnly: row.signed_requests_only,
    signedPagesOnly: row.signed_pages_only,
    publicKeys: new Map(row.public_keys.map(({ name, ...key }) => [name, key])),
  };
}

/** The homes of all merchants there are here. */
export async function listHomes(tx: Tx): Promise<ReadonlySet<string>> {
  const { rows } = await tx.query<{ home: string }>('select distinct home from merchants');
  return new Set(rows.map(({ home }) => home));
}

export async function activateProviders(
  tx: Tx,
  merchantId: string,
  activations: readonly { readonly provider: string; readonly operation: PaymentKind }[],
): Promise<void> {
  await tx.query(
    `insert into merchant_providers (merchant_id, provider, operation)
     select $1, * from unnest($2::text[], $3::text[]) on conflict do nothing`,
    [merchantId, activations.map(({ provider }) => provider), activations.map(({ operation }) => operation)],
  );
}

export async function deactivateProviders(
  tx: Tx,
  merchantId: string,
  activations: readonly { readonly provider: string; readonly operation: PaymentKind }[],
): Promise<void> {
  await tx.query(
    `delete from merchant_providers
     where merchant_id = $1 and (provider, operation) in (select * from unnest($2::text[], $3::text[]))`,
    [merchantId, activations.map(({ provider }) => provider), activations.map(({ operation }) => operation)],
  );
}

/** What a merchant may start from now on. Answers whether there is such a merchant. */
export async function setOperations(
  tx: Tx,
  merchantId: string,
  operations: readonly Operation[],
): Promise<boolean> {
  const { rowCount } = await tx.query('update merchants set operations = $2 where merchant_id = $1', [
    merchantId,
    operations,
  ]);
  return rowCount === 1;
}

/** Suspends a merchant, or resumes it with null. Answers whether that changed anything. */
export async function setSuspension(tx: Tx, merchantId: string, suspendedAt: Date | null): Promise<boolean> {
  const { rowCount } = await tx.query(
    `update merchants set suspended_at = $2
     where merchant_id = $1 and (suspended_at is null) <> ($2::timestamptz is null)`,
    [merchantId, suspendedAt],
  );
  return rowCount === 1;
}

/** For statements about payments: of a merchant that is suspended nothing is claimed or released. */
export const NOT_SUSPENDED = `not exists (
  select 1 from merchants m where m.merchant_id = payments.merchant_id and m.suspended_at is not null)`;

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
  const column = covers === 'PAGES' ? 'signed_pages_only' : 'signed_requests_only';
  const { rowCount } = await tx.query(
    `update merchants set ${column} = $2 where merchant_id = $1 and ${column} <> $2`,
    [merchantId, isRequired],
  );
  return rowCount === 1;
}

/** What an operation costs from now on. Payments accepted before keep the fee they were quoted. */
export async function setFee(
  tx: Tx,
  of: {
    readonly merchantId: string;
    readonly provider: string;
    readonly operation: PaymentKind;
    readonly currency: string;
    readonly fee: Fee;
  },
): Promise<void> {
  await tx.query(
    `insert into fees (merchant_id, provider, operation, currency, basis_points, fixed) values ($1, $2, $3, $4, $5, $6)
     on conflict (merchant_id, provider, operation, currency)
       do update set basis_points = excluded.basis_points, fixed = excluded.fixed`,
    [of.merchantId, of.provider, of.operation, of.currency, of.fee.basisPoints, renderAmount(of.fee.fixed)],
  );
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
