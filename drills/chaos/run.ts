// One chaos run, from an empty directory to a verdict.
import { setTimeout as sleep } from 'node:timers/promises';
import { streamOf } from '../kit/random.ts';
import { BROKEN_RULES } from './broken-rules.ts';
import { tellHistories } from '../kit/verdict/history.ts';
import { Load, type LoadCounts } from '../kit/load/load.ts';
import { readOperatorBooks, type BookedCharge } from '../kit/verdict/operator-books.ts';
import type { Operators } from './operators.ts';
import { planFaults } from './plan.ts';
import { settle } from './settle.ts';
import { openStage, type Stage } from './setup.ts';
import { Trouble, type TroubleCounts } from './faults.ts';
import { readToldBooks } from '../kit/verdict/untold.ts';
import { judgeRun, type Verdict } from '../kit/verdict/verdict.ts';

export type ChaosOptions = {
  readonly seed: number;
  readonly lengthMs: number;
  /** Short, with everything happening more often. */
  readonly isSmoke: boolean;
  readonly brokenRule: string | null;
  /** The fakes of operators in place of the simulator. */
  readonly withFakes: boolean;
  readonly keep: boolean;
  readonly onProgress: (text: string) => void;
  readonly onFault: (text: string) => void;
};

export type ChaosOutcome = {
  readonly seed: number;
  readonly operators: Operators;
  readonly load: LoadCounts;
  readonly trouble: TroubleCounts;
  readonly callbacksReceived: number;
  readonly verdict: Verdict;
  /** What was said about the payments of findings. */
  readonly histories: readonly string[];
  readonly scratchPath: string;
  readonly isSmoke: boolean;
};

/** One failover in this time, and one in any run. */
const FAILOVER_EVERY_MS = 150_000;
const PAYMENTS_PER_SECOND = 40;
/** The operators' fakes allow so many calls that more would only wait. */
const PAYMENTS_PER_SECOND_OF_FAKES = 12;

export async function runChaos(options: ChaosOptions): Promise<ChaosOutcome> {
  const { seed, isSmoke, onProgress } = options;
  // Every other seed has an operator that charges a repeat again; a broken rule must not be saved by a kind operator.
  const repeats = options.brokenRule !== null || seed % 2 === 1 ? 'CHARGED' : 'RECOGNISED';
  const operators: Operators = options.withFakes ? { type: 'FAKES' } : { type: 'SIMULATOR', repeats };
  let load: Load | undefined;
  const stage = await openStage({
    tempo: isSmoke ? 'SHORT' : 'LONG',
    operators,
    brokenRule: BROKEN_RULES[options.brokenRule ?? ''] ?? null,
    keep: options.keep,
    onProgress,
    onFinal: (merchantId, kind, id, status) => {
      if (kind === 'DEPOSIT' && status === 'COMPLETED') load?.noteCompletedDeposit(merchantId, id);
    },
  });
  try {
    load = new Load({ ...stage, ...stage.balancer, random: streamOf(seed, 'load') });
    const trouble = new Trouble({ stage, load, seed, onFault: options.onFault });
    await makeTrouble(stage, { load, trouble }, options);
    onProgress('calm: everything may come to its end');
    // Longer than the longest wait of a payment that could not be sent.
    const patienceMs = isSmoke ? 90_000 : 180_000;
    if (!(await settle(stage, { patienceMs, onProgress }))) onProgress('not everything came to rest');
    const { database } = stage.console.engine.store;
    const verdict = await judgeRun({
      database,
      acknowledged: [...load.acknowledged.values()],
      charges: await readCharges(stage),
      merchants: stage.merchants,
      isPaidIfSent: options.withFakes,
    });
    const callbacksReceived = stage.merchants.reduce((sum, { endpoint }) => sum + endpoint.receivedCount, 0);
    const { counts } = trouble;
    const histories = await tellHistories(database, verdict.findings);
    const scratchPath = stage.scratch.path;
    return {
      seed,
      operators,
      load: load.counts,
      trouble: counts,
      callbacksReceived,
      verdict,
      histories,
      scratchPath,
      isSmoke,
    };
  } finally {
    await stage.close();
  }
}

/** What fakes did and told no one is left out. The simulator tells everything. */
async function readCharges({ scratch, operatorUrls, console }: Stage): Promise<readonly BookedCharge[]> {
  const books = readOperatorBooks(scratch, [...operatorUrls.keys()]);
  if (operatorUrls.has('simulator')) return books;
  return (await readToldBooks({ engine: console.engine, operatorUrls }, books)).charges;
}

async function makeTrouble(
  stage: Stage,
  { load, trouble }: { readonly load: Load; readonly trouble: Trouble },
  { seed, lengthMs, isSmoke, withFakes, onProgress }: ChaosOptions,
): Promise<void> {
  const failovers = isSmoke ? 1 : Math.max(1, Math.round(lengthMs / FAILOVER_EVERY_MS));
  const plan = planFaults({ seed, lengthMs, failovers, haste: isSmoke ? 2 : 1 });
  onProgress(
    `chaos for ${lengthMs / 1_000} s: ${plan.length} faults planned, ${failovers} failovers among them`,
  );
  void stage.fleet.supervise();
  const loading = load.run(withFakes ? PAYMENTS_PER_SECOND_OF_FAKES : PAYMENTS_PER_SECOND);
  let isOver = false;
  const telling = tell(load, trouble, { isOver: () => isOver, onProgress });
  await trouble.run(plan, lengthMs);
  isOver = true;
  await load.stop();
  await Promise.all([loading, telling]);
}

async function tell(
  load: Load,
  trouble: Trouble,
  { isOver, onProgress }: { readonly isOver: () => boolean; readonly onProgress: (text: string) => void },
): Promise<void> {
  while (!isOver()) {
    for (let waited = 0; waited < 10 && !isOver(); waited += 1) await sleep(1_000);
    const { acknowledged, rejected, unanswered } = load.counts;
    const { kills, pauses, failovers } = trouble.counts;
    onProgress(
      `${acknowledged} payments acknowledged, ${rejected} rejected, ${unanswered} requests without an answer; ` +
        `${kills} kills, ${pauses} pauses, ${failovers} failovers`,
    );
  }
}
