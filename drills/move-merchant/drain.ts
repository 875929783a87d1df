// A cell that is drained under load: every merchant moves, by one command that is killed, stopped and run again while
// the operator and the database fail.
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { seedPayments } from '../../tools/seed-payments/seed.ts';
import { withHooks } from '../kit/database.ts';
import { Load } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import type { Say } from '../kit/program.ts';
import { streamOf } from '../kit/random.ts';
import { BY } from '../kit/settings.ts';
import { checkDrain, hashRows, type DrainVerdict } from './drain-verdict.ts';
import { failOver, OperatorFaults } from './faults.ts';
import { FAILURES_MAX, runToTheEnd, startCommand } from './mover.ts';
import { settle } from './run.ts';
import { nameOf, startSetup, type Setup } from './setup.ts';

export type DrainOptions = {
  readonly seed: number;
  readonly merchants: number;
  readonly payments: number;
  readonly kills: number;
  readonly failovers: number;
  readonly keep: boolean;
  readonly say: Say;
};

export type DrainOutcome = {
  readonly verdict: DrainVerdict;
  readonly counts: {
    kills: number;
    stops: number;
    failed: number;
    failovers: number;
    operatorFaults: number;
  };
  readonly acknowledged: number;
  readonly rejected: object;
  readonly seconds: number;
  /** What the commands said, line by line. */
  readonly lines: readonly string[];
};

const PAYMENTS_PER_SECOND = 15;
/** A kill comes up to so long after the command has begun to move a merchant. */
const KILL_WITHIN_MS = 3_000;

export function runDrain(options: DrainOptions): Promise<DrainOutcome> {
  return withHooks(async (hooks) => {
    const { seed, say } = options;
    const setup = await startSetup(hooks, {
      ...options,
      merchantCount: options.merchants,
      hasStandby: options.failovers > 0,
    });
    const until = await seedHistory(setup, options);
    const before = await hashRows(setup, 0, until);
    say(`${options.payments} payments of ${options.merchants} merchants are there; load begins`);
    const load = new Load({ ...setup, markets: MARKETS, random: streamOf(seed, 'load') });
    const faults = new OperatorFaults(streamOf(seed, 'operator'), setup.simulatorUrl);
    const running = [load.run(PAYMENTS_PER_SECOND), faults.run()];
    await sleep(2_000);
    const began = performance.now();
    const { counts, lines } = await drain(setup, options);
    const seconds = (performance.now() - began) / 1_000;
    await sleep(1_000);
    faults.stop();
    await Promise.all([load.stop(), ...running]);
    const acknowledged = [...load.acknowledged.values()];
    say(`calm: ${acknowledged.length} payments acknowledged; drained in ${seconds.toFixed(1)} s`);
    await settle(setup, say);
    return {
      verdict: await checkDrain(setup, { acknowledged, before, until }),
      counts: { ...counts, operatorFaults: faults.count },
      acknowledged: acknowledged.length,
      rejected: load.counts.reasons,
      seconds,
      lines,
    };
  });
}

/** Answers a time: what was there before it is the history. */
async function seedHistory(setup: Setup, { merchants, payments, seed }: DrainOptions): Promise<Date> {
  const [first] = setup.admins;
  if (first === undefined) throw new Error('there is no cell');
  const until = new Date(Date.now() - 3_600_000);
  for (const [index, { merchantId }] of setup.merchants.entries()) {
    const count = Math.ceil(payments / merchants);
    const order = { count, days: 30, seed: seed + index, merchantId, until, say: () => undefined };
    await seedPayments(first.engine, order);
  }
  return until;
}

async function drain(setup: Setup, { kills, failovers, seed, say }: DrainOptions) {
  const random = streamOf(seed, 'kills');
  const counts = { kills: 0, stops: 0, failed: 0, failovers: 0 };
  const lines: string[] = [];
  const start = () => {
    const command = startCommand(setup, 0, ['cell', 'drain', '--to', nameOf(1), '--by', BY]);
    command.stdout.on('data', (chunk: Buffer) => lines.push(...String(chunk).split('\n').filter(Boolean)));
    return command;
  };
  const failing = failOften(setup, failovers, counts);
  while (counts.kills + counts.stops < kills && counts.failed < FAILURES_MAX) {
    const saidBefore = lines.length;
    const command = start();
    const ended = once(command, 'exit');
    while (lines.length === saidBefore && command.exitCode === null) await sleep(50);
    await Promise.race([sleep(random.between(0, KILL_WITHIN_MS)), ended]);
    if (command.exitCode === 0) break;
    if (command.exitCode !== null) {
      // A database was not reachable. It is run again like one that was killed.
      counts.failed += 1;
      await sleep(500);
      continue;
    }
    // Every second one is asked to stop, and must end between two steps.
    const isStop = counts.kills > counts.stops;
    command.kill(isStop ? 'SIGTERM' : 'SIGKILL');
    await ended;
    if (isStop) counts.stops += 1;
    else counts.kills += 1;
    say(`${isStop ? 'stopped' : 'killed'}; ${lines.at(-1) ?? 'nothing said'}`);
  }
  await runToTheEnd(start, counts);
  await failing;
  return { counts, lines };
}

async function failOften(
  { cluster }: Setup,
  failovers: number,
  counts: { failovers: number },
): Promise<void> {
  if (cluster === null) return;
  for (let number = 0; number < failovers; number += 1) {
    await sleep(3_000);
    await failOver(cluster);
    counts.failovers += 1;
  }
}
