// How much money there is at operators: by what they say, by our books, and by what the host wants to have there.
import { findProvider } from '../../domain/operators/catalogue.ts';
import { differenceOf, unexplainedOf, type Float, type InFlight } from '../../domain/ledger/float.ts';
import type { Amount } from '../../domain/money.ts';
import { readBalances } from '../../store/ledger/ledger.ts';
import { listPlatformAccounts } from '../../store/ledger/ledger-sums.ts';
import { sumInFlight } from '../../store/monitoring/monitoring.ts';
import { findBalance } from '../../store/operators/operator-balances.ts';
import type { Engine, StorePart } from '../engine.ts';
import type { FloatMinimum } from './float-minimum.ts';
import { floating } from './measure-flow.ts';
import { sample, type MonitorMetric, type Sample } from './monitor-metrics.ts';
import { balanceAccountFor } from '../operators/operator-calls.ts';
import { addMs } from '../../domain/time.ts';

type FloatPlace = { readonly provider: string; readonly currency: string };

export async function measureFloat(
  engine: Engine,
  { minimums }: { readonly minimums: readonly FloatMinimum[] },
): Promise<{ readonly samples: readonly Sample[]; readonly floats: readonly Float[] }> {
  const floats = await compareFloats(engine, { wanted: minimums, books: await readFloatBooks(engine) });
  const wanted = minimums.map(({ provider, currency, amount }) =>
    sample('malipo_float_min_amount', floating(amount), { provider, currency }),
  );
  return { samples: [...floats.flatMap(samplesOf), ...wanted], floats };
}

/** Every float as it is now, for a person. */
export async function readFloats(engine: Engine): Promise<readonly Float[]> {
  return compareFloats(engine, { wanted: [], books: await readFloatBooks(engine) });
}

/** What is on its way is read before operators are asked: what ends meanwhile then still explains their figure. */
async function compareFloats(
  engine: Engine,
  {
    wanted,
    books,
  }: { readonly wanted: readonly FloatPlace[]; readonly books: ReadonlyMap<FloatPlace, Amount> },
): Promise<readonly Float[]> {
  const flying = await sumInFlight(engine.store.database);
  const places = new Map<string, FloatPlace>(
    [...wanted, ...books.keys()].map((place) => [nameOf(place), place]),
  );
  const booked = new Map([...books].map(([place, amount]) => [nameOf(place), amount]));
  return Promise.all(
    [...places].map(async ([name, { provider, currency }]) => ({
      provider,
      currency,
      operator: await ask(engine, { provider, currency }),
      books: booked.get(name) ?? null,
      inFlight: flying === null ? null : (flying.get(name) ?? NOTHING_FLIES),
    })),
  );
}

const NOTHING_FLIES: InFlight = { in: 0n, out: 0n };

function samplesOf(float: Float): readonly Sample[] {
  const { provider, currency, operator, books, inFlight } = float;
  const labels = { provider, currency };
  const of = (metric: MonitorMetric, amount: Amount | null, more = {}) =>
    amount === null ? [] : [sample(metric, floating(amount), { ...labels, ...more })];
  return [
    ...of('malipo_float_operator_amount', operator),
    ...of('malipo_float_books_amount', books),
    ...of('malipo_float_difference_amount', differenceOf(float)),
    ...of('malipo_float_in_flight_amount', inFlight?.in ?? null, { direction: 'IN' }),
    ...of('malipo_float_in_flight_amount', inFlight?.out ?? null, { direction: 'OUT' }),
    ...of('malipo_float_unexplained_amount', unexplainedOf(float)),
  ];
}

/** Our own figures. A float is a debit: it is owed to us. */
async function readFloatBooks({ store: { database } }: StorePart): Promise<ReadonlyMap<FloatPlace, Amount>> {
  const accounts = (await listPlatformAccounts(database)).filter(({ type }) => type === 'FLOAT');
  const balances = await readBalances(
    database,
    accounts.map(({ accountId }) => accountId),
  );
  return new Map(
    accounts.map(({ accountId, provider, currency }) => [
      { provider, currency },
      -(balances.get(accountId) ?? 0n),
    ]),
  );
}

/** What runs dry is what payouts are paid from; an operator may keep it apart from what deposits go into. */
async function ask(engine: Engine, { provider, currency }: FloatPlace): Promise<Amount | null> {
  const country = findProvider(provider)?.country;
  const operation = engine.connectorOf(provider, 'PAYOUT') === null ? 'DEPOSIT' : 'PAYOUT';
  const connector = engine.connectors.get(engine.connectorOf(provider, operation) ?? '');
  if (connector?.balance === undefined || country === undefined) return null;
  const account = balanceAccountFor(engine, { provider, currency, country, operation });
  const answer = await connector.balance(account);
  if (answer.type !== 'REQUESTED') return answer.type === 'BALANCE' ? answer.amount : null;
  const told = await findBalance(engine.store.database, account.reference);
  const isYoung = told !== null && engine.clock.now() < addMs(told.reportedAt, REPORTED_BALANCE_HOLDS_MS);
  return isYoung ? told.amount : null;
}

/** An operator that tells its balance later has answered the last question by the time of the next, or never will. */
const REPORTED_BALANCE_HOLDS_MS = 3_600_000;

function nameOf({ provider, currency }: FloatPlace): string {
  return `${provider}/${currency}`;
}
