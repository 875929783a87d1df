// `npm run bench`: how fast the gateway is, each figure beside the one it is to be held against.
//
//   npm run bench                    some minutes, with a table
//   npm run bench -- --json          ends with one line of figures
//   npm run bench -- --smoke         under a minute, for every change; the line too
//   npm run bench -- --rounds 9      more of them, for a noisy machine
//   npm run bench -- --growth        as fast with ten million payments as with none? See growth.ts
//   npm run bench -- --cells         whether cells add up: cost of a payment in one, and in four at once. See cells.ts
//   npm run bench -- --profile here  profiles of API and worker, and what PostgreSQL was busy with, in that directory
//   npm run bench -- --tune [intake] rates by number of clients, of all figures or of those that are named
//   npm run bench -- --curve         throughput and latency against offered load, with the plots of the docs
//   npm run bench -- --memory        a quarter of an hour: whether API and worker hold more and more; --minutes 5
//   npm run bench -- --names         what statements without names cost, as PgBouncer before 1.21 needs them
//   npm run bench -- --limits        what ten limits cost a merchant's deposits
//   npm run bench -- --processes 2+2 two APIs and two workers; "2" are two processes that are both
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { withHooks } from '../../drills/kit/database.ts';
import { startProgram } from '../../drills/kit/program.ts';
import { runCells } from './cells.ts';
import { parseProcesses } from './processes.ts';
import { measureCurve, PLOTS, writeCurve } from './curve.ts';
import { runGrowth } from './growth.ts';
import { measureMemory, MEMORY_NODE_ARGS } from './memory.ts';
import { measureLimits } from './limits.ts';
import { measureNames } from './names.ts';
import { renderProfiles, writeStatements } from './profile.ts';
import { renderSummary, renderTable, roundedAll } from './report.ts';
import { startSetup, type Setup, type SetupOptions } from './setup.ts';
import { FULL, measureSideBySide, SMOKE } from './side-by-side.ts';
import { tune } from './tune.ts';

const OPTIONS = {
  json: false,
  smoke: false,
  tune: false,
  curve: false,
  memory: false,
  names: false,
  limits: false,
  minutes: 15,
  rounds: { full: FULL.rounds, smoke: SMOKE.rounds },
  processes: '1+1',
  profile: null,
  cells: false,
  growth: false,
  payments: { full: 10_000_000, smoke: 20_000 },
  folder: null,
  'load-only': false,
} as const;
const program = startProgram('npm run bench --', OPTIONS, { takesWords: true });
const { say, options } = program;
const { smoke: isSmoke, rounds, minutes } = options;
const processes = parseProcesses(options.processes) ?? program.refuse();
if (!Number.isSafeInteger(rounds) || rounds > 100 || minutes < 1) program.refuse();
const profileFolder = options.profile === null ? null : resolve(options.profile);
if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });

if (options.growth) await grow();
else if (options.cells) await runCells({ rounds, isSmoke, say });
else if (options.tune) await findClients();
else if (options.curve) await renderCurve();
else if (options.memory) await watchMemory();
else if (options.names) await compareSides(measureNames);
else if (options.limits) await compareSides(measureLimits);
else await compare();
process.exit();

async function compare(): Promise<void> {
  const minutesMax = isSmoke ? 6 : 9.9 * Math.max(1, rounds / FULL.rounds);
  const summary = await measureWith({ minutesMax }, async (setup) => {
    const pace = { ...(isSmoke ? SMOKE : FULL), rounds };
    const measured = await measureSideBySide(setup, { pace, say });
    if (profileFolder !== null) await writeStatements(setup.database, profileFolder);
    return measured;
  });
  process.stdout.write(renderTable(summary));
  if (profileFolder !== null) process.stdout.write(renderProfiles(profileFolder));
  if (options.json || isSmoke) process.stdout.write(`${JSON.stringify(renderSummary(summary))}\n`);
}

async function findClients(): Promise<void> {
  process.stdout.write(await measureWith({ minutesMax: 10 }, (setup) => tune(setup, program.words)));
}

async function renderCurve(): Promise<void> {
  const curve = await measureWith({ minutesMax: 9, hasIntake: false }, (setup) => measureCurve(setup, say));
  writeCurve(curve);
  say(`plots are in ${PLOTS}`);
  process.stdout.write(`${JSON.stringify(roundedAll(curve))}\n`);
}

async function watchMemory(): Promise<void> {
  const play = { minutesMax: 2 * minutes + 2, hasIntake: false, nodeArgs: MEMORY_NODE_ARGS };
  const report = await measureWith(play, (setup) => measureMemory(setup, minutes));
  process.stdout.write(`${JSON.stringify(roundedAll(report))}\n`);
  if (!report.flat) process.exitCode = 1;
}

type MeasureSides = (...of: Parameters<typeof measureNames>) => Promise<object>;

async function compareSides(measure: MeasureSides): Promise<void> {
  setTimeout(timeOut, 15 * 60_000).unref();
  const tempo = isSmoke ? SMOKE : FULL;
  const report = await withHooks((hooks) => measure(hooks, { profileFolder, processes, rounds, tempo, say }));
  process.stdout.write(`${JSON.stringify(roundedAll(report))}\n`);
}

type Play = Partial<SetupOptions> & {
  /** Longer than this means that something hangs. Child processes end with this one. */
  readonly minutesMax: number;
};

function measureWith<Result>(
  { minutesMax, ...play }: Play,
  work: (setup: Setup) => Promise<Result>,
): Promise<Result> {
  setTimeout(timeOut, minutesMax * 60_000).unref();
  return withHooks(async (hooks) =>
    work(await startSetup(hooks, { profileFolder, processes, say, ...play })),
  );
}

function timeOut(): void {
  say('out of time');
  process.exit(1);
}

function grow(): Promise<void> {
  const { payments, folder, 'load-only': isLoadOnly } = options;
  return runGrowth({ payments, rounds, isSmoke, folder, isLoadOnly, say });
}
