// A run: episodes of storm, calm and audit, one world after the other, until the steps are used up. Everything follows
// from the seed.
import { createHash, type Hash } from 'node:crypto';
import { auditResolved, auditSettled } from './audit.ts';
import { makeMerchants } from './merchants.ts';
import { endManually, resolveCases } from './people.ts';
import { Random } from '../../../drills/kit/random.ts';
import { REAL_RULES, type Rules } from './rules.ts';
import { startTraffic } from './traffic.ts';
import { Violation } from './violation.ts';
import { World, type Counts } from './world.ts';

export type SimulationOptions = {
  readonly seed: number;
  readonly steps: number;
  readonly rules?: Rules;
  readonly onProgress?: (steps: number) => void;
};

export type Failure = {
  readonly promise: string;
  readonly step: number;
  readonly episode: number;
  /** The payment it is about, where it is about one, and what happened to it. */
  readonly payment: string | null;
  readonly history: readonly string[];
};

export type Simulation = Counts & {
  readonly seed: number;
  readonly steps: number;
  readonly episodes: number;
  /** Of everything that was left at the end of every episode: equal for equal seeds. */
  readonly digest: string;
  readonly failure: Failure | null;
  /** How often each move was made. */
  readonly reached: Readonly<Record<string, number>>;
};

/** Long enough for every kind of fault to meet every other, short enough to be looked through. */
const STORM_STEPS = 25_000;
/** Longer than the longest silence of an operator and the enquiry after it. */
const CALM_MS = 4 * 3_600_000;
const START_MS = Date.UTC(2030, 0, 1);

export function simulate(options: SimulationOptions): Simulation {
  const { seed, rules = REAL_RULES, onProgress = () => {} } = options;
  const seeds = new Random(seed);
  const hash = createHash('sha256');
  const run: Run = { left: options.steps, steps: 0, episodes: 0, counts: noCounts(), reached: new Map() };
  while (run.left > 0) {
    const world = new World(rules, new Random(seeds.word()), START_MS);
    run.episodes += 1;
    try {
      playEpisode(world, run, () => onProgress(run.steps));
    } catch (error) {
      addUp(run, world);
      return result(seed, run, { digest: '', failure: failureOf(error, run) });
    }
    addUp(run, world);
    digest(world, hash);
  }
  return result(seed, run, { digest: hash.digest('hex').slice(0, 32), failure: null });
}

type Run = {
  left: number;
  steps: number;
  episodes: number;
  readonly counts: Counts;
  readonly reached: Map<string, number>;
};

const PROGRESS_STEPS = 10_000;

function playEpisode(world: World, run: Run, onProgress: () => void): void {
  const step = () => {
    run.steps += 1;
    run.left -= 1;
    if (run.steps % PROGRESS_STEPS === 0) onProgress();
    world.step();
  };
  makeMerchants(world);
  startTraffic(world);
  for (let count = 0; count < STORM_STEPS && run.left > 0; count += 1) step();
  world.isCalm = true;
  world.unavailable.clear();
  const settle = () => {
    const endMs = world.nowMs() + CALM_MS;
    while ((world.agenda.next()?.atMs ?? Infinity) <= endMs) step();
    auditSettled(world);
  };
  settle();
  endManually(world);
  // A collection that was ended manually has begun its shares.
  settle();
  resolveCases(world);
  auditResolved(world);
}

function failureOf(error: unknown, { steps, episodes }: Run): Failure {
  const where = { step: steps, episode: episodes };
  if (!(error instanceof Violation)) {
    const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
    return { ...where, promise: text, payment: null, history: [] };
  }
  const { about } = error;
  if (about === null) return { ...where, promise: error.message, payment: null, history: [] };
  const { merchantId, kind, paymentId, state, provider } = about.payment;
  return {
    ...where,
    promise: error.message,
    payment: `${merchantId}/${kind}/${paymentId} at ${provider}, ${state}`,
    history: about.history.map(({ atMs, line }) => `${new Date(atMs).toISOString()}  ${line}`),
  };
}

function result(seed: number, run: Run, rest: Pick<Simulation, 'digest' | 'failure'>): Simulation {
  const { steps, episodes, counts } = run;
  const reached = Object.fromEntries([...run.reached].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return { seed, steps, episodes, ...counts, ...rest, reached };
}

function digest(world: World, hash: Hash): void {
  for (const { payment, cases, history } of world.payments) {
    const { merchantId, kind, paymentId, state, amount, fee, eventCount } = payment;
    const evidence = [...cases].flat().join(' ');
    hash.update(`${merchantId}/${kind}/${paymentId} ${state} ${amount} ${fee} ${eventCount} ${evidence}\n`);
    hash.update(`${history.at(-1)?.atMs}\n`);
  }
  for (const [name, balance] of world.books.balances) hash.update(`${name} ${balance}\n`);
}

function noCounts(): Counts {
  return { payments: 0, rejected: 0, crashes: 0, pauses: 0, cases: 0, sends: 0 };
}

function addUp(run: Run, { counts, reached }: World): void {
  for (const name of Object.keys(counts) as (keyof Counts)[]) run.counts[name] += counts[name];
  for (const [move, count] of reached) run.reached.set(move, (run.reached.get(move) ?? 0) + count);
}
