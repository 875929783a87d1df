// `npm run bench`: how fast the gateway is, each figure beside the one it is to be held against.
//
//   npm run bench                    some minutes, with a table
//   npm run bench -- --json          ends with one line of figures
//   npm run bench -- --smoke         under a minute, for every change; the line too
//   npm run bench -- --rounds 9      more of them, for a noisy machine
//   npm run bench -- --growth        as fast with ten million payments as with none? See growth.ts
//   npm run bench -- --cells         whether cells add up: cost of a payment at one, two and four. See cells.ts
//   npm run bench -- --profile here  profiles of API and worker, and what PostgreSQL was busy with, in that directory
//   npm run bench -- --tune [intake] rates by number of clients, of all figures or of those that are named
//   npm run bench -- --curve         throughput and latency against offered load, with the plots of the docs
//   npm run bench -- --memory        a quarter of an hour: whether API and worker hold more and more; --minutes 5
//   npm run bench -- --processes 2+2 two APIs and two workers; "2" are two processes that are both
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { runCells } from './cells.ts';
import { parseProcesses } from './crew.ts';
import { measureCurve, PLOTS, writeCurve } from './curve.ts';
import { runGrowth } from './growth.ts';
import { measureMemory, MEMORY_NODE_ARGS } from './memory.ts';
import { renderProfiles, writeStatements } from './profile.ts';
import { renderSummary, renderTable, roundedAll } from './report.ts';
import { FULL, measureSideBySide, SMOKE } from './side-by-side.ts';
import { openStage, type Stage, type StageOptions } from './setup.ts';
import { tune } from './tune.ts';

const USAGE = `npm run bench -- [--json] [--smoke] [--rounds 4] [--profile folder] [--processes 1+1]
npm run bench -- --tune | --curve | --cells | --memory [--minutes 15]
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    tune: { type: 'boolean', default: false },
    curve: { type: 'boolean', default: false },
    memory: { type: 'boolean', default: false },
    minutes: { type: 'string', default: '15' },
    rounds: { type: 'string' },
    processes: { type: 'string', default: '1+1' },
    profile: { type: 'string' },
    cells: { type: 'boolean', default: false },
    growth: { type: 'boolean', default: false },
    payments: { type: 'string' },
    folder: { type: 'string' },
    'load-only': { type: 'boolean', default: false },
  },
});

const usual = values.smoke ? SMOKE : FULL;
const rounds = Number(values.rounds ?? usual.rounds);
const minutes = Number(values.minutes);
const processes = parseProcesses(values.processes);
const isSense = Number.isSafeInteger(rounds) && rounds >= 1 && rounds <= 100 && minutes >= 1;
if (!isSense || processes === null) {
  process.stderr.write(USAGE);
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

if (values.growth) await growAndExit();
if (values.cells) await playCellsAndExit();

const profileFolder = values.profile === undefined ? null : resolve(values.profile);
if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });

if (values.tune) await findClients();
else if (values.curve) await drawCurve();
else if (values.memory) await watchMemory();
else await compare();

async function compare(): Promise<void> {
  const minutesMax = values.smoke ? 2 : 9.9 * Math.max(1, rounds / FULL.rounds);
  const summary = await onStage({ minutesMax }, async (stage) => {
    const measured = await measureSideBySide(stage, { pace: { ...usual, rounds }, say });
    if (profileFolder !== null) await writeStatements(stage.database, profileFolder);
    return measured;
  });
  process.stdout.write(renderTable(summary));
  if (profileFolder !== null) process.stdout.write(renderProfiles(profileFolder));
  if (values.json || values.smoke) process.stdout.write(`${JSON.stringify(renderSummary(summary))}\n`);
}

async function findClients(): Promise<void> {
  await onStage({ minutesMax: 10 }, async (stage) => {
    process.stdout.write(await tune(stage, positionals));
  });
}

async function drawCurve(): Promise<void> {
  const curve = await onStage({ minutesMax: 9, hasIntake: false }, (stage) => measureCurve(stage, say));
  writeCurve(curve);
  say(`plots are in ${PLOTS}`);
  process.stdout.write(`${JSON.stringify(roundedAll(curve))}\n`);
}

async function watchMemory(): Promise<void> {
  const play = { minutesMax: 2 * minutes + 2, hasIntake: false, nodeArgs: MEMORY_NODE_ARGS };
  const report = await onStage(play, (stage) => measureMemory(stage, minutes));
  process.stdout.write(`${JSON.stringify(roundedAll(report))}\n`);
  if (!report.flat) process.exitCode = 1;
}

type Play = Partial<StageOptions> & {
  /** Beyond this something stands still. What was started ends with this process. */
  readonly minutesMax: number;
};

async function onStage<Result>(
  { minutesMax, ...options }: Play,
  work: (stage: Stage) => Promise<Result>,
): Promise<Result> {
  const timeOut = () => {
    say('out of time');
    process.exit(1);
  };
  setTimeout(timeOut, minutesMax * 60_000).unref();
  if (processes === null) throw new Error(USAGE);
  const stage = await openStage({ profileFolder, processes, onProgress: say, ...options });
  try {
    return await work(stage);
  } finally {
    await stage.close();
  }
}

async function growAndExit(): Promise<never> {
  const payments = Number(values.payments ?? (values.smoke ? 20_000 : 10_000_000));
  const { smoke: isSmoke, folder = null, 'load-only': isLoadOnly } = values;
  await runGrowth({ payments, rounds: isSmoke ? 1 : rounds, isSmoke, folder, isLoadOnly, say });
  process.exit(0);
}

async function playCellsAndExit(): Promise<never> {
  const { smoke: isSmoke } = values;
  await runCells({ rounds: values.rounds === undefined ? null : rounds, isSmoke, say });
  process.exit(0);
}
