// The one list of open problems of the platform: what the overview names first, and what health is derived from.
import { FAILURES_TO_OPEN } from '../../callbacks/breaker.ts';
import { inOrder, type Problem, type ProblemCode } from '../../domain/problem.ts';
import { renderAmount } from '../../domain/money.ts';
import {
  listUnresolved,
  listWaitingCases,
  type UnresolvedPayment,
  type WaitingCase,
} from '../../store/console/problems.ts';
import { listUnavailabilities, type Unavailability } from '../../store/operators/availability.ts';
import { listPayoutSpikes } from '../../store/monitoring/payout-spikes.ts';
import { listFailingEndpoints, type FailingEndpoint } from '../../store/payments/delays.ts';
import type { TimedDatabase } from '../engine.ts';
import { readMeasurements, type MonitorSettings } from '../monitoring/monitor.ts';
import { listMeasuredProblems } from './measured-problems.ts';

/** Of one code, so that many of one kind do not hide the others. */
const SHOWN_MAX = 5;

/** Nothing is counted further. */
export const COUNTED_MAX = 100;

export type Problems = {
  readonly problems: readonly Problem[];
  /** How many more there are of a code, up to COUNTED_MAX. */
  readonly omitted: readonly { readonly code: ProblemCode; readonly count: number }[];
};

export async function readProblems(engine: TimedDatabase, settings: MonitorSettings): Promise<Problems> {
  const { database } = engine.store;
  const readings = await readMeasurements(engine, settings);
  const now = await engine.clock.timeOf(engine.store.database);
  const measured = listMeasuredProblems(readings, settings, now);
  const found = inOrder([
    ...measured.filter(({ code }) => code !== 'PAYOUT_SPIKE'),
    ...(await spikeProblems(engine, measured)),
    ...providerProblems(await listUnavailabilities(database)),
    ...(await listUnresolved(database, COUNTED_MAX)).map(paymentProblem),
    ...(await listWaitingCases(database, COUNTED_MAX)).map(caseProblem),
    ...(await listFailingEndpoints(database, FAILING)).map(endpointProblem),
  ]);
  const byCode = [...Map.groupBy(found, ({ code }) => code)];
  return {
    problems: byCode.flatMap(([, problems]) => problems.slice(0, SHOWN_MAX)),
    omitted: byCode.flatMap(([code, { length }]) =>
      length > SHOWN_MAX ? [{ code, count: length - SHOWN_MAX }] : [],
    ),
  };
}

/** Endpoints whose breaker is open: one lost answer is not yet an outage. */
export const FAILING = { failuresMin: FAILURES_TO_OPEN, merchantId: null, countMax: COUNTED_MAX } as const;

/** Figures tell no merchants apart, and people need to know which it is. */
async function spikeProblems(
  engine: TimedDatabase,
  measured: readonly Problem[],
): Promise<readonly Problem[]> {
  const spike = measured.find(({ code }) => code === 'PAYOUT_SPIKE');
  if (spike === undefined) return [];
  const { database } = engine.store;
  const merchants = await listPayoutSpikes(database, await engine.clock.timeOf(database), COUNTED_MAX);
  return merchants.map((parameters) => ({ ...spike, parameters }));
}

/** One for each provider: an operator that is out of reach is so for several kinds of payments. */
function providerProblems(unavailable: readonly Unavailability[]): readonly Problem[] {
  const groups = Map.groupBy(unavailable, ({ provider, status, setBy }) => `${provider} ${status} ${setBy}`);
  return [...groups.values()].flatMap((group): readonly Problem[] => {
    const [oldest] = group.toSorted((a, b) => a.changedAt.getTime() - b.changedAt.getTime());
    if (oldest === undefined) return [];
    const { provider, status, setBy, changedAt } = oldest;
    const kinds = group.map(({ operation }) => operation).toSorted();
    const code = status === 'CLOSED' ? 'PROVIDER_CLOSED' : 'PROVIDER_DELAYED';
    return [{ code, since: changedAt, parameters: { provider, kinds: kinds.join(), setBy } }];
  });
}

function paymentProblem({ amount, createdAt, ...named }: UnresolvedPayment): Problem {
  const parameters = { ...named, amount: renderAmount(amount) };
  return { code: 'PAYMENT_UNRESOLVED', since: createdAt, parameters };
}

function caseProblem({ openedAt, ...named }: WaitingCase): Problem {
  return { code: 'CASE_OPEN', since: openedAt, parameters: named };
}

/** The host alone: paths of callback URLs often carry a secret of the merchant. */
function endpointProblem(endpoint: FailingEndpoint): Problem {
  const { merchantId, kind, url, failureCount, failingSince, disabledAt, disabledBecause } = endpoint;
  const named = { merchantId, kind, host: new URL(url).host };
  if (disabledAt !== null) {
    const parameters = { ...named, because: disabledBecause ?? '' };
    return { code: 'ENDPOINT_DISABLED', since: disabledAt, parameters };
  }
  const parameters = { ...named, count: String(failureCount) };
  return { code: 'ENDPOINT_FAILING', since: failingSince, parameters };
}
