// One drill: load on the earlier release, the upgrade by the page's steps, the rollback, and the upgrade again.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Build } from '../kit/builds.ts';
import { withHooks } from '../kit/database.ts';
import { Load, type LoadCounts } from '../kit/load/load.ts';
import { MARKETS } from '../kit/load/markets.ts';
import type { Say } from '../kit/program.ts';
import { readOperatorBooks } from '../kit/verdict/operator-books.ts';
import { comeToRest, countOpen } from '../kit/settle.ts';
import { checkRun, type Verdict } from '../kit/verdict/verdict.ts';
import { streamOf } from '../kit/random.ts';
import { listErrors, startSetup, type Setup } from './setup.ts';

export type UpgradeOptions = {
  readonly from: string;
  readonly seed: number;
  readonly perSecond: number;
  /** How long each release serves before the next step. */
  readonly serveMs: number;
  /** The interval of the proxy's /ready checks. */
  readonly looksEveryMs: number;
  readonly keep: boolean;
  readonly say: Say;
};

export type UpgradeOutcome = {
  readonly verdict: Verdict;
  readonly load: LoadCounts;
  readonly migrations: number;
  /** Payments that were there before the migrations. */
  readonly before: number;
  /** Payments without a value in the made-up column; null if the migrations are real ones. */
  readonly unfilled: number | null;
  /** Payments and callbacks that were open when the earlier release was stopped. */
  readonly inFlight: number;
  /** Processes that were replaced, and those that did not end by themselves. */
  readonly replaced: number;
  readonly killed: number;
  readonly errors: readonly string[];
  readonly scratchPath: string;
};

/** Payouts to this provider wait while the release changes: one release accepts them, the other one pays. */
const DELAYED = ['availability', 'set', '--provider', 'AIRTEL_RWA', '--operation', 'PAYOUT', '--by', 'drill'];
/** Between a ready process and the next stop: the proxy needs two good checks. */
const LOOKS = 3;
/** A stuck payment goes into reconciliation twelve seconds after it was sent. */
const PATIENCE_MS = 60_000;

export function runUpgrade(options: UpgradeOptions): Promise<UpgradeOutcome> {
  return withHooks(async (hooks) => {
    const setup = await startSetup(hooks, options);
    const load = new Load({ ...setup, markets: MARKETS, random: streamOf(options.seed, 'load') });
    // The proxy must have seen both processes.
    await sleep(LOOKS * options.looksEveryMs);
    return drill(setup, load, options);
  });
}

async function drill(setup: Setup, load: Load, options: UpgradeOptions): Promise<UpgradeOutcome> {
  const { say, serveMs } = options;
  const { earlier, newer, from, migrations, isMadeUp } = setup.releases;
  say(`load on ${from}`);
  const loading = load.run(options.perSecond);
  await sleep(serveMs);
  await holdBack(setup);
  await sleep(serveMs);
  const before = await count(setup, 'true');
  say((await setup.command(newer, 'migrate')).replaceAll('\n', ', '));
  const inFlight = await countInFlight(setup);
  say(`${load.counts.acknowledged} payments acknowledged, ${inFlight} payments and callbacks open`);
  await replaceAll(setup, load, { ...options, build: newer });
  await release(setup);
  await sleep(serveMs);
  await replaceAll(setup, load, { ...options, build: earlier });
  await sleep(serveMs);
  await replaceAll(setup, load, { ...options, build: newer });
  await sleep(serveMs);
  await load.stop();
  await loading;
  await comeToRest([setup.database], { patienceMs: PATIENCE_MS, say });
  const { database, merchants, scratch, fleet } = setup;
  const acknowledged = [...load.acknowledged.values()];
  const verdict = await checkRun({ database, acknowledged, merchants, charges: readOperatorBooks(scratch) });
  return {
    verdict,
    load: load.counts,
    migrations: migrations.length,
    before,
    unfilled: isMadeUp ? await count(setup, MISSES_VALUE) : null,
    inFlight,
    replaced: fleet.replacedCount,
    killed: fleet.forcedCount,
    errors: listErrors(scratch),
    scratchPath: scratch.path,
  };
}

/** What one release leaves to the other: payouts that wait for their provider, callbacks that were refused. */
async function holdBack({ command, releases, merchants }: Setup): Promise<void> {
  await merchants[1]?.endpoint.change('ERROR');
  await command(releases.earlier, ...DELAYED, '--status', 'DELAYED');
}

async function release({ command, releases, merchants }: Setup): Promise<void> {
  await merchants[1]?.endpoint.change('GOOD');
  await command(releases.newer, ...DELAYED, '--status', 'OPERATIONAL');
}

/** next-version/ has the column. */
const MISSES_VALUE = `created_on is distinct from (created_at at time zone 'UTC')::date`;

async function count({ database }: Setup, condition: string): Promise<number> {
  const { rows } = await database.query<{ count: number }>(
    `select count(*)::int as count from payments where ${condition}`,
  );
  return rows[0]?.count ?? 0;
}

async function countInFlight({ database }: Setup): Promise<number> {
  const { payments, callbacks } = await countOpen(database);
  return payments + callbacks;
}

async function replaceAll(
  { fleet }: Setup,
  { counts }: Load,
  { build, looksEveryMs, say }: UpgradeOptions & { readonly build: Build },
): Promise<void> {
  const before = counts.unanswered;
  await fleet.roll(build, { restMs: LOOKS * looksEveryMs });
  say(`every process is ${build.name}; ${counts.unanswered - before} requests refused meanwhile`);
}
