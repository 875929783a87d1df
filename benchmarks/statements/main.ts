// `npm run bench:statements`: the gateway as a process of its own makes and hands out the statement of a wallet with
// 100,000 movements, plain and compressed. How far its memory grows meanwhile is read from the system.
//
//   npm run bench:statements                  100,000 movements, about a minute
//   npm run bench:statements -- --smoke       10,000 movements, some 20 seconds
//   npm run bench:statements -- --rows 500000
//   --keep leaves the scratch directory with the log
//
// Ends with one line of figures, and with code 0 only if the memory stayed within its limit and every sum is right.
import { parseArgs } from 'node:util';
import { renderAmount } from '../../server/src/domain/money.ts';
import { fetchFile } from './file.ts';
import { peakMb, residentMb, restartPeak } from './resident-memory.ts';
import { seedMovements, sumOfTransfers } from './seed.ts';
import { openStage, type Stage } from './setup.ts';

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '100000' },
    smoke: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

const GROWTH_MB_MAX = 64;
const rows = values.smoke ? 10_000 : Number(values.rows);
const startedAt = Date.now();
const say = (text: string) => {
  const seconds = ((Date.now() - startedAt) / 1_000).toFixed(1).padStart(7);
  process.stderr.write(`${seconds} s  ${text}\n`);
};

const stage = await openStage({ keep: values.keep, onProgress: say });
try {
  const span = await seedMovements(stage, { rows, onProgress: say });
  const firstPart = { ...span, endsAt: new Date(span.startsAt.getTime() + 3_600_000) };
  say('once in small, so that compilers and pools are warm');
  for (const compressed of [false, true]) await measure(stage, { ...firstPart, compressed });
  const measured = [];
  for (const compressed of [false, true]) measured.push(await measure(stage, { ...span, compressed }));
  const ledger = await sumOfTransfers(stage, span.endsAt);
  const growthMb = Math.max(...measured.map((one) => one.growthMb));
  const isRight = measured.every(
    ({ file }) => file.rows === rows && file.opening + file.net === file.closing && file.closing === ledger,
  );
  const [plain, zipped] = measured;
  const summary = {
    rows: plain?.file.rows ?? 0,
    fileMb: plain?.file.mb ?? 0,
    gzipMb: zipped?.file.mb ?? 0,
    makeSeconds: plain?.makeSeconds ?? 0,
    downloadSeconds: plain?.downloadSeconds ?? 0,
    growthMb,
    opening: renderAmount(plain?.file.opening ?? 0n),
    net: renderAmount(plain?.file.net ?? 0n),
    closing: renderAmount(plain?.file.closing ?? 0n),
    ledger: renderAmount(ledger),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = isRight && growthMb < GROWTH_MB_MAX ? 0 : 1;
} finally {
  await stage.close();
}

async function measure(
  { pid, ask, wait }: Stage,
  order: { readonly startsAt: Date; readonly endsAt: Date; readonly compressed: boolean },
) {
  const beforeMb = residentMb(pid);
  restartPeak(pid);
  const begun = performance.now();
  const record = await wait(await ask(order));
  const makeSeconds = secondsSince(begun);
  const madeMb = peakMb(pid);
  const fetched = performance.now();
  const file = await fetchFile(record.downloadUrl, { isCompressed: order.compressed });
  const downloadSeconds = secondsSince(fetched);
  const growthMb = Math.round((peakMb(pid) - beforeMb) * 10) / 10;
  say(
    `${order.compressed ? 'csv.gz' : 'csv'}: ${file.rows} rows, ${file.mb} MB, made in ${makeSeconds} s, fetched in ` +
      `${downloadSeconds} s; ${beforeMb.toFixed(1)} MB before, at most ${madeMb.toFixed(1)} while it was made, ` +
      `${peakMb(pid).toFixed(1)} in all`,
  );
  return { file, makeSeconds, downloadSeconds, growthMb };
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}
