// One run: payments with faults through the fakes, a time to settle, and the verdict of the chaos run.
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATORS } from '../../server/src/connectors/registry.ts';
import { tellHistories } from '../kit/verdict/history.ts';
import { Load } from '../kit/load/load.ts';
import { marketOf } from '../kit/load/markets.ts';
import { readOperatorBooks, type BookedCharge } from '../kit/verdict/operator-books.ts';
import { readToldBooks, type ToldBooks } from '../kit/verdict/untold.ts';
import { judgeRun, type Verdict } from '../kit/verdict/verdict.ts';
import { streamOf } from '../kit/random.ts';
import { declinePrompts } from './payers.ts';
import { settleOperators } from './settle.ts';
import { openOperatorsStage, type OperatorsStage } from './setup.ts';
import { tally, type OperatorTally } from './tally.ts';
import { Traffic } from './traffic.ts';

export type OperatorsRun = {
  readonly seed: number;
  readonly names: readonly string[];
  /** Payments through each of them. */
  readonly count: number;
  readonly keep: boolean;
  /** How long everything may take to come right, once the clock has run ahead. */
  readonly patienceMs: number;
  /** Changes the operators' books before they are judged: shows that the verdict notices. */
  readonly tamper?: (charges: readonly BookedCharge[]) => readonly BookedCharge[];
  readonly onProgress: (text: string) => void;
};

export type OperatorsOutcome = {
  readonly verdict: Verdict & Pick<ToldBooks, 'untold'>;
  readonly histories: readonly string[];
  readonly operators: readonly OperatorTally[];
  readonly toldAgain: number;
  readonly scratchPath: string;
};

export async function runOperators(run: OperatorsRun): Promise<OperatorsOutcome> {
  const traffics = new Map<string, Traffic>();
  const { tamper = (charges) => charges } = run;
  run.onProgress(`a gateway, a PostgreSQL cluster, the fakes of ${run.names.join(', ')}`);
  const stage = await openOperatorsStage({
    ...run,
    onFinal: (merchantId, kind, id, status) => {
      if (kind !== 'DEPOSIT' || status !== 'COMPLETED') return;
      for (const traffic of traffics.values()) traffic.noteCompletedDeposit(merchantId, id);
    },
  });
  try {
    const load = await play(stage, traffics, run);
    const { engine } = stage.gateway;
    const judge = async () => {
      const books = tamper(readOperatorBooks(stage.scratch, run.names));
      const { charges, untold } = await readToldBooks({ ...stage, engine }, books);
      const acknowledged = [...load.acknowledged.values()];
      const { database } = engine.store;
      return { untold, ...(await judgeRun({ ...stage, database, acknowledged, charges })) };
    };
    run.onProgress('calm: everything may come to its end');
    const isRight = async () => (await judge()).findings.length === 0;
    const { toldAgain } = await settleOperators(stage, { ...run, isRight });
    const operators = await tally(stage, traffics);
    const verdict = await judge();
    const histories = await tellHistories(engine.store.database, verdict.findings);
    return { verdict, histories, operators, toldAgain, scratchPath: stage.scratch.path };
  } finally {
    await stage.close();
  }
}

/** What was sent last may still meet a fault, and its payer may be asked. */
const CALM_BEFORE_MS = 2_000;

async function play(stage: OperatorsStage, traffics: Map<string, Traffic>, run: OperatorsRun): Promise<Load> {
  const { gateway, merchants, bindings, fakes } = stage;
  const { seed, onProgress } = run;
  const markets = bindings.map(({ provider }) => marketOf(provider));
  const load = new Load({ ...stage, markets, random: streamOf(seed, 'load') });
  for (const [name, fake] of fakes) {
    const own = bindings.filter(({ connector }) => connector === name);
    const random = streamOf(seed, name);
    const place = { markets: own.map(({ provider }) => marketOf(provider)), engine: gateway.engine };
    traffics.set(name, new Traffic({ ...place, name, fake, load, merchants, random }));
  }
  let isOver = false;
  const payers = declinePrompts([...stage.operatorUrls.values()], () => isOver);
  const telling = tell(traffics, { isOver: () => isOver, onProgress, count: run.count });
  await Promise.all([...traffics.values()].map((traffic) => traffic.run(run.count)));
  await sleep(CALM_BEFORE_MS);
  for (const traffic of traffics.values()) await traffic.countStruck();
  isOver = true;
  await Promise.all([payers, telling, load.stop()]);
  return load;
}

async function tell(
  traffics: ReadonlyMap<string, Traffic>,
  facts: {
    readonly isOver: () => boolean;
    readonly onProgress: (text: string) => void;
    readonly count: number;
  },
): Promise<void> {
  while (!facts.isOver()) {
    for (let waited = 0; waited < 10 && !facts.isOver(); waited += 1) await sleep(500);
    const parts = [...traffics].map(([name, { acknowledged }]) => `${name} ${acknowledged}`);
    facts.onProgress(`of ${facts.count} payments each: ${parts.join(', ')}`);
  }
}

/** Those of the registry, or the one that is asked for. */
export function namesOf(wanted: string | undefined): readonly string[] {
  const names = Object.keys(OPERATORS);
  return wanted === undefined ? names : names.filter((name) => name === wanted);
}
