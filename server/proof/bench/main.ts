// `npm run bench`: how fast the gateway is, each figure beside the one it is to be held against.
//
//   npm run bench                    some minutes, with a table
//   npm run bench -- --json          ends with one line of figures
//   npm run bench -- --smoke         under a minute, for every change; the line too
//   npm run bench -- --rounds 9      more of them, for a noisy machine
//   npm run bench -- --growth        as fast with ten million payments as with none? See growth.ts
//   npm run bench -- --profile here  profiles of API and worker, and what PostgreSQL was busy with, in that directory
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { createMeasures, FIGURES, type FigureName, type Sample, type Tempo } from './figures.ts';
import { renderProfiles, writeStatements } from './profile.ts';
import { renderSummary, renderTable, summarise } from './report.ts';
import { runGrowth } from './growth.ts';
import { openStage, type Stage } from './stage.ts';

const { values } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    smoke: { type: 'boolean', default: false },
    rounds: { type: 'string' },
    profile: { type: 'string' },
    growth: { type: 'boolean', default: false },
    payments: { type: 'string' },
    folder: { type: 'string' },
    'load-only': { type: 'boolean', default: false },
  },
});

const SMOKE = { warmMs: 300, windowMs: 1_000, lifeClients: 32, rounds: 1, limitMs: 120_000 };
const FULL = { warmMs: 1_000, windowMs: 5_000, lifeClients: 256, rounds: 5, limitMs: 590_000 };

/** Where time is short: those that bring every part of the gateway into motion. */
const WARMED: readonly FigureName[] = ['gateway', 'hot', 'intake', 'status'];

const tempo = values.smoke ? SMOKE : FULL;
const rounds = Number(values.rounds ?? tempo.rounds);
if (!(Number.isSafeInteger(rounds) && rounds >= 1 && rounds <= 100)) {
  process.stderr.write('npm run bench -- [--json] [--smoke] [--rounds 5] [--profile folder]\n');
  process.exit(2);
}

const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

if (values.growth) await growAndExit();

// Beyond this something stands still. What was started ends with this process.
setTimeout(
  () => {
    say('out of time');
    process.exit(1);
  },
  tempo.limitMs * Math.max(1, rounds / tempo.rounds),
).unref();

const profileFolder = values.profile === undefined ? null : resolve(values.profile);
if (profileFolder !== null) mkdirSync(profileFolder, { recursive: true });

const stage = await openStage({ profileFolder, onProgress: say });
let measured: readonly Readonly<Record<FigureName, Sample>>[] = [];
try {
  measured = await measure(stage);
  if (profileFolder !== null) await writeStatements(stage.database, profileFolder);
} finally {
  await stage.close();
}
const summary = summarise(measured);
process.stdout.write(renderTable(summary));
if (profileFolder !== null) process.stdout.write(renderProfiles(profileFolder));
if (values.json || values.smoke) process.stdout.write(`${JSON.stringify(renderSummary(summary))}\n`);

async function measure(on: Stage) {
  const measures = createMeasures();
  // Compilers warm up, connections open, tables get their first pages: nothing of this round counts.
  await playRound('warm-up', { ...SMOKE, warmMs: 0, windowMs: 500 }, values.smoke ? WARMED : FIGURES);
  const all: Readonly<Record<FigureName, Sample>>[] = [];
  for (let round = 1; round <= rounds; round += 1) {
    all.push(await playRound(`round ${round} of ${rounds}`, tempo));
  }
  return all;

  async function playRound(
    title: string,
    pace: Tempo,
    names: readonly FigureName[] = FIGURES,
  ): Promise<Readonly<Record<FigureName, Sample>>> {
    const samples: Partial<Record<FigureName, Sample>> = {};
    for (const name of names) {
      const sample = await measures[name](on, pace);
      samples[name] = sample;
      say(`${title}: ${name} ${Math.round(sample.perSecond)}/s`);
    }
    return samples as Record<FigureName, Sample>;
  }
}

async function growAndExit(): Promise<never> {
  const payments = Number(values.payments ?? (values.smoke ? 20_000 : 10_000_000));
  const { smoke: isSmoke, folder = null, 'load-only': isLoadOnly } = values;
  await runGrowth({ payments, rounds: isSmoke ? 1 : rounds, isSmoke, folder, isLoadOnly, say });
  process.exit(0);
}
