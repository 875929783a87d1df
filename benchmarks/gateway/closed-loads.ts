// What wrk sends: deposits and payouts to start, and status checks of deposits that exist.
import { inDatabase } from '../../drills/kit/database.ts';
import { Connection, requestText } from './connection.ts';
import type { BenchMerchant, BenchMerchants } from './merchants.ts';
import {
  depositRequest,
  depositTemplate,
  payoutRequest,
  payoutTemplate,
  v1DepositRequest,
  type PreparedRequest,
} from './requests.ts';
import type { Setup } from './setup.ts';
import type { WrkOptions } from './wrk.ts';

export type ClosedLoad = Pick<WrkOptions, 'script' | 'ports' | 'requests'> & {
  /** How many payments the database has: whatever was answered must be there. */
  readonly countRecorded?: () => Promise<number>;
};

/** Deposits of all shops in turn. */
export function depositTemplates(
  shops: readonly BenchMerchant[],
  generate: (apiToken: string) => PreparedRequest = depositRequest,
): readonly string[] {
  return shops.map(({ apiToken }) => depositTemplate(generate(apiToken)));
}

export function payoutTemplates(
  { employer, places }: BenchMerchants,
  { walletsMax }: { readonly walletsMax: number },
): readonly string[] {
  return places.slice(0, walletsMax).map((place) => payoutTemplate(payoutRequest(employer.apiToken, place)));
}

export async function intakeLoad(setup: Setup): Promise<ClosedLoad> {
  return intakeOf(setup, depositTemplates(setup.merchants.shops));
}

/** The same deposits in API v1. */
export async function v1IntakeLoad(setup: Setup): Promise<ClosedLoad> {
  return intakeOf(setup, depositTemplates(setup.merchants.shops, v1DepositRequest));
}

function intakeOf({ intakePorts: ports, intakeUrl }: Setup, requests: readonly string[]): ClosedLoad {
  return { script: 'intake', ports, requests, countRecorded: () => countRows(intakeUrl, 'payment_keys') };
}

/** The same requests to a route that only writes them. */
export async function insertRouteLoad(setup: Setup): Promise<ClosedLoad> {
  const countRecorded = () => countRows(setup.bareUrl, 'lone_payments');
  return {
    script: 'intake',
    ports: [setup.routePorts.insert],
    requests: depositTemplates(setup.merchants.shops),
    countRecorded,
  };
}

export async function statusLoad({ merchants, intakePorts: ports, intakeUrl }: Setup): Promise<ClosedLoad> {
  const tokens = new Map(merchants.shops.map(({ merchantId, apiToken }) => [merchantId, apiToken]));
  return checksOf(
    ports,
    await readKeys(intakeUrl, 'payment_keys'),
    (key) => tokens.get(key.merchant_id) ?? '',
  );
}

/** The same requests to a route that only reads. */
export async function selectRouteLoad({ merchants, routePorts, bareUrl }: Setup): Promise<ClosedLoad> {
  const apiToken = merchants.shops[0]?.apiToken ?? '';
  return checksOf([routePorts.select], await readKeys(bareUrl, 'lone_payments'), () => apiToken);
}

type Key = { readonly merchant_id: string; readonly payment_id: string };

async function checksOf(
  ports: readonly number[],
  keys: readonly Key[],
  tokenOf: (key: Key) => string,
): Promise<ClosedLoad> {
  const requests = keys.map((key) => requestText('GET', `/v2/deposits/${key.payment_id}`, tokenOf(key)));
  await expectFound(ports[0] ?? 0, requests[0] ?? '');
  return { script: 'status', ports, requests };
}

/** wrk looks at statuses only, and an unknown identifier is answered with 200. */
export async function expectFound(port: number, text: string): Promise<void> {
  const connection = await Connection.open(port);
  const { body } = await connection.send(text).finally(() => connection.close());
  if (!body.includes('"FOUND"')) throw new Error(`a status check was answered ${body}`);
}

const CHECKS_MAX = 10_000;

type Table = 'payment_keys' | 'lone_payments';

/** Of deposits, chosen at random. */
function readKeys(url: string, table: Table): Promise<readonly Key[]> {
  return inDatabase(url, async (database) => {
    const { rows } = await database.query<Key>(
      `select merchant_id, payment_id from ${table} where kind = 'DEPOSIT' order by random() limit ${CHECKS_MAX}`,
    );
    return rows;
  });
}

function countRows(url: string, table: Table): Promise<number> {
  return inDatabase(url, async (database) => {
    const { rows } = await database.query<{ count: number }>(`select count(*)::int as count from ${table}`);
    return rows[0]?.count ?? 0;
  });
}
