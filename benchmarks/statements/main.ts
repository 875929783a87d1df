// `npm run bench:statements`: the gateway as a process of its own makes and hands out the statement of a wallet with
// 100,000 movements, plain and compressed. How far its memory grows meanwhile is read from the system.
//
//   npm run bench:statements                  100,000 movements, about a minute
//   npm run bench:statements -- --smoke       10,000 movements, some 20 seconds
//   npm run bench:statements -- --rows 500000
//   --keep leaves the scratch directory with the log
//
// Ends with one line of figures, and with code 0 only if the memory stayed within its limit and every sum is right.
import { withHooks } from '../../drills/kit/database.ts';
import { finish, listUnkept, startProgram } from '../../drills/kit/program.ts';
import { renderAmount } from '../../server/src/domain/money.ts';
import { fetchFile } from './file.ts';
import { peakMb, residentMb, restartPeak } from './resident-memory.ts';
import { seedMovements, sumOfTransfers } from './seed.ts';
import { startSetup, type Setup } from './setup.ts';

const GROWTH_MB_MAX = 64;

const program = startProgram('npm run bench:statements --', {
  rows: { full: 100_000, smoke: 10_000 },
  smoke: false,
  keep: false,
});
const { say, options } = program;
const { rows, keep } = options;

const { plain, zipped, ledger } = await withHooks(async (hooks) => {
  const setup = await startSetup(hooks, { keep, say });
  const span = await seedMovements(setup, { rows, say });
  const firstPart = { ...span, endsAt: new Date(span.startsAt.getTime() + 3_600_000) };
  say('once in small, so that compilers and pools are warm');
  for (const compressed of [false, true]) await measure(setup, { ...firstPart, compressed });
  return {
    plain: await measure(setup, { ...span, compressed: false }),
    zipped: await measure(setup, { ...span, compressed: true }),
    ledger: await sumOfTransfers(setup, span.endsAt),
  };
});
const mostMb = Math.max(plain.growthMb, zipped.growthMb);
const isRight = [plain, zipped].every(
  ({ file }) => file.rows === rows && file.opening + file.net === file.closing && file.closing === ledger,
);
finish(program, {
  report: '',
  summary: {
    rows: plain.file.rows,
    fileMb: plain.file.mb,
    gzipMb: zipped.file.mb,
    makeSeconds: plain.makeSeconds,
    downloadSeconds: plain.downloadSeconds,
    growthMb: mostMb,
    opening: renderAmount(plain.file.opening),
    net: renderAmount(plain.file.net),
    closing: renderAmount(plain.file.closing),
    ledger: renderAmount(ledger),
  },
  faults: listUnkept({
    'every sum is right': isRight,
    [`the process grows by less than ${GROWTH_MB_MAX} MB`]: mostMb < GROWTH_MB_MAX,
  }),
});

async function measure(
  { pid, ask, wait }: Setup,
  request: { readonly startsAt: Date; readonly endsAt: Date; readonly compressed: boolean },
) {
  const beforeMb = residentMb(pid);
  restartPeak(pid);
  const begun = performance.now();
  const record = await wait(await ask(request));
  const makeSeconds = secondsSince(begun);
  const madeMb = peakMb(pid);
  const fetched = performance.now();
  const file = await fetchFile(record.downloadUrl, { isCompressed: request.compressed });
  const downloadSeconds = secondsSince(fetched);
  const growthMb = Math.round((peakMb(pid) - beforeMb) * 10) / 10;
  say(
    `${request.compressed ? 'csv.gz' : 'csv'}: ${file.rows} rows, ${file.mb} MB, made in ${makeSeconds} s, ` +
      `fetched in ${downloadSeconds} s; ${beforeMb.toFixed(1)} MB before, ` +
      `at most ${madeMb.toFixed(1)} while it was made, ${peakMb(pid).toFixed(1)} in all`,
  );
  return { file, makeSeconds, downloadSeconds, growthMb };
}

function secondsSince(begun: number): number {
  return Math.round((performance.now() - begun) / 100) / 10;
}
