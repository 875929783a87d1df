// One chaos run, from an empty directory to a verdict.
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../kit/database.ts';
import { Load, type LoadCounts } from '../kit/load/load.ts';
import type { Say } from '../kit/program.ts';
import { streamOf } from '../kit/random.ts';
import { renderHistories } from '../kit/verdict/history.ts';
import { readOperatorBooks, type BookedCharge } from '../kit/verdict/operator-books.ts';
import { readReportedBooks } from '../kit/verdict/unreported.ts';
import type { Verdict } from '../kit/verdict/verdict.ts';
import { BROKEN_RULES } from './broken-rules.ts';
import { checkCells } from './check-cells.ts';
import { FaultRunner, type FaultCounts } from './faults.ts';
import { FeedReaders, type FeedCounts } from './feed.ts';
import type { Operators } from './operators.ts';
import type { PeopleCounts } from './people.ts';
import { planFaults } from './plan.ts';
import { settle } from './settle.ts';
import { findUnreviewed } from './screening.ts';
import { screenedOf, startSetup, type Setup } from './setup.ts';

export type ChaosOptions = {
  readonly seed: number;
  readonly lengthMs: number;
  /** Short, with everything happening more often. */
  readonly isSmoke: boolean;
  readonly brokenRule: string | null;
  /** The fakes of operators instead of the simulator. */
  readonly withFakes: boolean;
  readonly keep: boolean;
  readonly say: Say;
  readonly onFault: Say;
};

export type ChaosOutcome = {
  readonly seed: number;
  readonly operators: Operators;
  readonly load: LoadCounts;
  readonly faults: FaultCounts;
  /** How often the screening service was asked. */
  readonly screened: number;
  readonly feed: FeedCounts;
  /** Null where there is one cell only. */
  readonly people: PeopleCounts | null;
  readonly acknowledgedInSecondCell: number;
  readonly callbacksReceived: number;
  readonly verdict: Verdict;
  /** The history of the payments of findings. */
  readonly histories: readonly string[];
  readonly scratchPath: string;
  readonly isSmoke: boolean;
  readonly lengthMs: number;
};

/** One failover in this time, and at least one in any run. */
const FAILOVER_EVERY_MS = 150_000;
const PAYMENTS_PER_SECOND = 40;
/** Of the second cell. */
const PAYMENTS_PER_SECOND_BESIDES = 6;
/** The fakes' rate limits: more load would only wait. */
const PAYMENTS_PER_SECOND_OF_FAKES = 12;

export function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { seed, isSmoke, brokenRule, withFakes, say } = options;
  // Every other seed has an operator that charges a repeat again; it must not hide a broken rule.
  const repeats = brokenRule !== null || seed % 2 === 1 ? 'CHARGED' : 'RECOGNISED';
  const operators: Operators = withFakes ? { type: 'FAKES' } : { type: 'SIMULATOR', repeats };
  return withHooks(async (hooks) => {
    const tempo = isSmoke ? 'SHORT' : 'LONG';
    const rule = BROKEN_RULES[brokenRule ?? ''] ?? null;
    const setup = await startSetup(hooks, { ...options, tempo, operators, brokenRule: rule });
    const load = new Load({ ...setup, random: streamOf(seed, 'load') });
    const { second, people } = setup;
    // Through the second cell's address, wherever the merchant lives by then.
    const besides =
      second === null ? null : new Load({ ...setup, ...second, random: streamOf(seed, 'load 2') });
    const faults = new FaultRunner({ setup, load, seed, onFault: options.onFault });
    const readers = new FeedReaders(hooks, setup, streamOf(seed, 'readers'));
    readers.begin();
    people?.begin();
    await runFaults(setup, { load, besides, faults }, options);
    say('calm: everything may come to its end');
    // Longer than the longest wait of a payment that could not be sent.
    await setup.cluster.waitUntilWhole();
    await people?.end(say);
    await settle(setup, { patienceMs: isSmoke ? 90_000 : 180_000, say });
    const { database } = setup.admin.engine.store;
    const read = await readers.end();
    const checked = await checkCells(setup, {
      acknowledged: [...load.acknowledged.values(), ...(besides?.acknowledged.values() ?? [])],
      charges: await readCharges(setup),
      isPaidIfSent: withFakes,
    });
    const { screening: service, admin } = setup;
    const unreviewed = await findUnreviewed(admin.engine, { service, merchantId: screenedOf(setup) });
    const verdict = { ...checked, findings: [...checked.findings, ...unreviewed, ...read.findings] };
    return {
      seed,
      operators,
      load: load.counts,
      faults: faults.counts,
      screened: service.askedCount,
      feed: read.counts,
      people: people?.counts ?? null,
      acknowledgedInSecondCell: besides?.counts.acknowledged ?? 0,
      callbacksReceived: setup.merchants.reduce((sum, { endpoint }) => sum + endpoint.receivedCount, 0),
      verdict,
      histories: await renderHistories(database, verdict.findings),
      scratchPath: setup.scratch.path,
      isSmoke,
      lengthMs: options.lengthMs,
    };
  });
}

/** What the fakes did not report is left out. The simulator reports everything. */
async function readCharges({ scratch, operatorUrls, admin }: Setup): Promise<readonly BookedCharge[]> {
  const books = readOperatorBooks(scratch, [...operatorUrls.keys()]);
  if (operatorUrls.has('simulator')) return books;
  return (await readReportedBooks({ engine: admin.engine, operatorUrls }, books)).charges;
}

type Running = { readonly load: Load; readonly besides: Load | null; readonly faults: FaultRunner };

async function runFaults(
  setup: Setup,
  { load, besides, faults }: Running,
  options: ChaosOptions,
): Promise<void> {
  const { seed, lengthMs, isSmoke, withFakes, say } = options;
  const failovers = isSmoke ? 1 : Math.max(1, Math.round(lengthMs / FAILOVER_EVERY_MS));
  const plan = planFaults({ seed, lengthMs, failovers, haste: isSmoke ? 2 : 1 });
  say(`chaos for ${lengthMs / 1_000} s: ${plan.length} faults planned, ${failovers} failovers among them`);
  void setup.fleet.supervise();
  void setup.second?.fleet.supervise();
  const loading = load.run(withFakes ? PAYMENTS_PER_SECOND_OF_FAKES : PAYMENTS_PER_SECOND);
  const loadingBesides = besides?.run(PAYMENTS_PER_SECOND_BESIDES);
  let isOver = false;
  const reporting = reportProgress({ load, faults }, { isOver: () => isOver, say });
  await faults.run(plan, lengthMs);
  isOver = true;
  await Promise.all([load.stop(), besides?.stop()]);
  await Promise.all([loading, loadingBesides, reporting]);
}

async function reportProgress(
  { load, faults }: Pick<Running, 'load' | 'faults'>,
  { isOver, say }: { readonly isOver: () => boolean; readonly say: Say },
): Promise<void> {
  while (!isOver()) {
    for (let waited = 0; waited < 10 && !isOver(); waited += 1) await sleep(1_000);
    const { acknowledged, rejected, unanswered } = load.counts;
    const { kills, pauses, failovers } = faults.counts;
    say(
      `${acknowledged} payments acknowledged, ${rejected} rejected, ${unanswered} requests without an answer; ` +
        `${kills} kills, ${pauses} pauses, ${failovers} failovers`,
    );
  }
}
