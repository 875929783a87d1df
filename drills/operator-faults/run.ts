// One run: payments with faults through the fakes, time to settle, and the verdict of the chaos run.
import { setTimeout as sleep } from 'node:timers/promises';
import { OPERATORS } from '../../server/src/connectors/registry.ts';
import { withHooks } from '../kit/database.ts';
import type { Say } from '../kit/program.ts';
import { renderHistories } from '../kit/verdict/history.ts';
import { Load } from '../kit/load/load.ts';
import { marketOf } from '../kit/load/markets.ts';
import { readOperatorBooks, type BookedCharge } from '../kit/verdict/operator-books.ts';
import { readReportedBooks, type ReportedBooks } from '../kit/verdict/unreported.ts';
import { checkRun, type Verdict } from '../kit/verdict/verdict.ts';
import { streamOf } from '../kit/random.ts';
import { declinePrompts } from './payers.ts';
import { settleOperators } from './settle.ts';
import { startSetup, type Setup } from './setup.ts';
import { tally, type OperatorTally } from './tally.ts';
import { Traffic } from './traffic.ts';

export type OperatorsRun = {
  readonly seed: number;
  readonly names: readonly string[];
  /** Payments through each of them. */
  readonly count: number;
  readonly keep: boolean;
  /** How long everything may take to settle, after the clock has been moved. */
  readonly patienceMs: number;
  /** Changes the operators' books before the verdict, to show that it notices. */
  readonly tamper?: (charges: readonly BookedCharge[]) => readonly BookedCharge[];
  readonly say: Say;
};

export type OperatorsOutcome = {
  readonly verdict: Verdict & Pick<ReportedBooks, 'unreported'>;
  readonly histories: readonly string[];
  readonly operators: readonly OperatorTally[];
  readonly repeatedMessages: number;
  readonly scratchPath: string;
};

export function runOperators(run: OperatorsRun): Promise<OperatorsOutcome> {
  const { tamper = (charges) => charges } = run;
  run.say(`a gateway, a PostgreSQL cluster, the fakes of ${run.names.join(', ')}`);
  return withHooks(async (hooks) => {
    const setup = await startSetup(hooks, run);
    const { load, traffics } = await play(setup, run);
    const { engine } = setup.gateway;
    const { database } = engine.store;
    const check = async () => {
      const books = tamper(readOperatorBooks(setup.scratch, run.names));
      const { charges, unreported } = await readReportedBooks({ ...setup, engine }, books);
      const acknowledged = [...load.acknowledged.values()];
      return { unreported, ...(await checkRun({ ...setup, database, acknowledged, charges })) };
    };
    run.say('calm: everything may come to its end');
    const isRight = async () => (await check()).findings.length === 0;
    const repeatedMessages = await settleOperators(setup, { ...run, isRight });
    const operators = await tally(setup, traffics);
    const verdict = await check();
    const histories = await renderHistories(database, verdict.findings);
    return { verdict, histories, operators, repeatedMessages, scratchPath: setup.scratch.path };
  });
}

/** The last requests may still meet a fault, and their payers may be asked. */
const CALM_BEFORE_MS = 2_000;

async function play(setup: Setup, run: OperatorsRun) {
  const { gateway, merchants, bindings, fakes } = setup;
  const { seed, say } = run;
  const marketsOf = (some: typeof bindings) => some.map(({ provider }) => marketOf(provider));
  const load = new Load({ ...setup, markets: marketsOf(bindings), random: streamOf(seed, 'load') });
  const traffics = new Map<string, Traffic>();
  for (const [name, fake] of fakes) {
    const markets = marketsOf(bindings.filter(({ connector }) => connector === name));
    const random = streamOf(seed, name);
    const { engine } = gateway;
    traffics.set(name, new Traffic({ markets, engine, name, fake, load, merchants, random }));
  }
  let isOver = false;
  const payers = declinePrompts([...setup.operatorUrls.values()], () => isOver);
  const reporting = reportProgress(traffics, { isOver: () => isOver, say, count: run.count });
  await Promise.all([...traffics.values()].map((traffic) => traffic.run(run.count)));
  await sleep(CALM_BEFORE_MS);
  for (const traffic of traffics.values()) await traffic.countStruck();
  isOver = true;
  await Promise.all([payers, reporting, load.stop()]);
  return { load, traffics };
}

async function reportProgress(
  traffics: ReadonlyMap<string, Traffic>,
  facts: {
    readonly isOver: () => boolean;
    readonly say: Say;
    readonly count: number;
  },
): Promise<void> {
  while (!facts.isOver()) {
    for (let waited = 0; waited < 10 && !facts.isOver(); waited += 1) await sleep(500);
    const parts = [...traffics].map(([name, { acknowledged }]) => `${name} ${acknowledged}`);
    facts.say(`of ${facts.count} payments each: ${parts.join(', ')}`);
  }
}

/** Those of the registry. */
export const NAMES: readonly string[] = Object.keys(OPERATORS);
