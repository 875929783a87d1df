// One run: the normal load, three times that, and normal again; then slow parts.
import { createMeasures, type Tempo } from '../../benchmarks/gateway/figures.ts';
import { startSetup, type Setup } from '../../benchmarks/gateway/setup.ts';
import { withHooks } from '../kit/database.ts';
import type { Say } from '../kit/program.ts';
import { drain } from './drain.ts';
import { fillDisk, type FullDisk } from './full-disk.ts';
import { setupOptions } from './setup-options.ts';
import { lockDatabase, measureNeighbours, type Locked, type Neighbours } from './slow-parts.ts';
import { sum, within, type Count, type Second, type Span } from './tally.ts';
import { Traffic } from './traffic.ts';
import { checkPayments, type Verdict } from './verdict.ts';

export type Pace = {
  readonly closed: Tempo;
  readonly calmMs: number;
  readonly overloadMs: number;
  readonly afterMs: number;
  readonly slowMs: number;
  /** How often everything beside a slow operator or merchant is measured. */
  readonly slowRounds: number;
  readonly heldMs: number;
  readonly patienceMs: number;
  /** Overrides of default settings, for overloads that are too short for them. */
  readonly backlogMs?: number;
  /** A multiple of the capacity; default: three. */
  readonly overloadShare?: number;
  readonly hasFullDisk: boolean;
};

export const FULL: Pace = {
  closed: { warmMs: 1_500, windowMs: 5_000 },
  calmMs: 8_000,
  overloadMs: 40_000,
  afterMs: 20_000,
  slowMs: 12_000,
  slowRounds: 3,
  heldMs: 4_000,
  patienceMs: 120_000,
  hasFullDisk: true,
};

export const SMOKE: Pace = {
  // Few deposits at a time: on a busy machine more would wait so long that some are shed.
  closed: { warmMs: 500, windowMs: 1_500, livesMax: 48 },
  calmMs: 2_000,
  overloadMs: 4_000,
  afterMs: 8_000,
  slowMs: 2_000,
  slowRounds: 1,
  heldMs: 1_000,
  patienceMs: 120_000,
  backlogMs: 500,
  // The measurement is so short that it may find only half of the capacity.
  overloadShare: 5,
  hasFullDisk: false,
};

export type Outcome = {
  /** Deposits a second, from request to callback, in a closed loop. */
  readonly sustainable: number;
  readonly seconds: readonly Second[];
  readonly calm: Span;
  readonly overload: Span;
  readonly after: Span;
  /** When everything that was accepted had ended. */
  readonly drained: Span;
  /** From the end of the overload until everything that was accepted had ended. */
  readonly drainedAfterSeconds: number | null;
  readonly slowDatabase: Locked;
  readonly exhaustedPool: Locked;
  readonly neighbours: Neighbours;
  /** Null if it was not tried: in a short run, and if a disk cannot be mounted. */
  readonly fullDisk: FullDisk | null;
  readonly otherwise: Readonly<Record<string, number>>;
  readonly verdict: Verdict;
};

const CALM_SHARE = 0.4;
/** How many times the load is raised before a gateway without shedding counts as wrong. */
const HEAVIER_MAX = 4;
const OVERLOAD_SHARE = 3;
const SLOW_SHARE = 0.2;

export async function runOverload(pace: Pace, say: Say): Promise<Outcome> {
  const played = await withHooks(async (hooks) =>
    play(await startSetup(hooks, { ...setupOptions(pace), say }), pace, say),
  );
  if (!pace.hasFullDisk) return { ...played, fullDisk: null };
  say('a database whose disk is full');
  const fullDisk = await fillDisk({
    perSecond: played.sustainable * SLOW_SHARE,
    heldMs: pace.heldMs,
    patienceMs: pace.patienceMs,
    say,
  });
  return { ...played, fullDisk };
}

/** Only what slow operators and merchants do to others. */
export async function runNeighbours(
  pace: Pace,
  say: Say,
): Promise<Pick<Outcome, 'sustainable' | 'neighbours'>> {
  return withHooks(async (hooks) => {
    const setup = await startSetup(hooks, { ...setupOptions(pace), say });
    const sustainable = (await createMeasures().gateway(setup, pace.closed)).perSecond;
    say(`${Math.round(sustainable)} deposits a second are carried to their callbacks`);
    return { sustainable, neighbours: await measureSlowParts(setup, sustainable, pace) };
  });
}

function measureSlowParts(setup: Setup, sustainable: number, pace: Pace): Promise<Neighbours> {
  return measureNeighbours(setup, { ...lightLoad(sustainable, pace), rounds: pace.slowRounds });
}

function lightLoad(sustainable: number, { slowMs: ms }: Pace) {
  return { perSecond: Math.max(1, sustainable * SLOW_SHARE), ms };
}

async function play(setup: Setup, pace: Pace, say: Say): Promise<Omit<Outcome, 'fullDisk'>> {
  const sustainable = (await createMeasures().gateway(setup, pace.closed)).perSecond;
  say(`${Math.round(sustainable)} deposits a second are carried to their callbacks`);
  const { database } = setup.admin.engine.store;
  const traffic = new Traffic(setup);
  const phase = async (name: string, wanted: number, ms: number): Promise<Span> => {
    const perSecond = Math.max(1, wanted);
    say(`${name}: ${Math.round(perSecond)} a second for ${ms / 1_000} s`);
    const fromSecond = traffic.tally.nowSecond;
    await traffic.offer({ perSecond, ms });
    return { fromSecond, toSecond: fromSecond + Math.ceil(ms / 1_000) };
  };
  const calm = await phase('calm', sustainable * CALM_SHARE, pace.calmMs);
  const load = sustainable * (pace.overloadShare ?? OVERLOAD_SHARE);
  let overload = await phase('overload', load, pace.overloadMs);
  const countIn = (span: Span, what: Count) => sum(within(traffic.tally.seconds(), span), what);
  // The machine was busier during the measurement, and carries this too: it is not an overload yet.
  for (let times = 2; countIn(overload, 'shed') === 0 && times <= HEAVIER_MAX; times *= 2)
    overload = await phase('overload', load * times, pace.overloadMs);
  const endedAt = performance.now();
  const after = await phase('after', sustainable * CALM_SHARE, pace.afterMs);
  const drainedAfterSeconds = await drain(database, { endedAt, patienceMs: pace.patienceMs });
  say(`drained ${drainedAfterSeconds?.toFixed(1) ?? 'never'} s after the overload`);
  // The machine may be busier now than during the measurement: what it just carried counts.
  const accepted = countIn({ ...overload, toSecond: after.toSecond }, 'accepted');
  const carried = accepted / (pace.overloadMs / 1_000 + (drainedAfterSeconds ?? Infinity));
  const drained = await phase('drained', Math.min(sustainable, carried) * CALM_SHARE, pace.calmMs);
  say('an operator, then a merchant that is slow');
  const neighbours = await measureSlowParts(setup, sustainable, pace);
  say('a slow database, then a pool with nothing free');
  const held = { ...lightLoad(sustainable, pace), ms: pace.heldMs * 3, heldMs: pace.heldMs };
  const slowDatabase = await lockDatabase(setup, traffic, {
    ...held,
    heldMs: held.heldMs / 2,
    table: 'payment_keys',
  });
  const exhaustedPool = await lockDatabase(setup, traffic, { ...held, table: 'payments' });
  await drain(database, { endedAt: performance.now(), patienceMs: pace.patienceMs });
  const verdict = await checkPayments(database, traffic);
  return {
    sustainable,
    seconds: traffic.tally.seconds(),
    calm,
    overload,
    after,
    drained,
    drainedAfterSeconds,
    slowDatabase,
    exhaustedPool,
    neighbours,
    verdict,
    otherwise: Object.fromEntries(traffic.otherwise),
  };
}
