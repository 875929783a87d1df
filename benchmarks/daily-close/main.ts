// `npm run bench:daily-close`: how long it takes to import the operator's report of a day with a million payments, to
// compare the day and to sign it, and what the processes need for it. The report comes as several files by command; two
// people look at the day, request its signature and approve it over HTTP at the gateway, a process of its own.
//
//   npm run bench:daily-close                    a million lines, about twenty minutes, most of them for loading
//   npm run bench:daily-close -- --lines 100000
//   npm run bench:daily-close -- --folder here   the cluster stays there: the next run compares and signs again
//   npm run bench:daily-close -- --smoke         20,000 lines, about a minute; no times are held
//
// Ends with one line of figures, and with code 0 only if the planted differences were found, and the goals are met.
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { withHooks } from '../../drills/kit/database.ts';
import { finish, listUnkept, startProgram } from '../../drills/kit/program.ts';
import { ACCOUNT, countDifferences } from './day.ts';
import { costOf, costOfCommand, together, type Cost } from './measured.ts';
import { startSetup, type Setup } from './setup.ts';

const GOAL_SECONDS = 60;
const GOAL_MB = 400;

const program = startProgram('npm run bench:daily-close --', {
  lines: { full: 1_000_000, smoke: 20_000 },
  files: 4,
  folder: null,
  smoke: false,
  json: false,
});
const { say, options } = program;
const { lines, files, folder, smoke } = options;

type Shown = {
  readonly status: string;
  readonly contentHash: string;
  readonly differenceCount: number;
  readonly obstacles: readonly string[];
  readonly isLastSigned: boolean;
  readonly figures: { readonly lineCount: number; readonly movementCount: number };
};

const loadBefore = loadavg()[0] ?? 0;
const { figures, shown, rows } = await withHooks(async (hooks) => {
  const setup = await startSetup(hooks, { lines, files, folder, say });
  if (!setup.isImported) say('the files are imported');
  const imported = setup.isImported ? null : await importFiles(setup);
  const [first] = setup.people;
  await first.confirm();
  const before = await look(setup);
  if (before.status === 'CLOSED') await signed(setup, 'reopen', { reason: 'measured again' });
  return { figures: { imported, ...(await compareAndSign(setup)) }, ...(await recount(setup)) };
});
const close = together([figures.look, figures.request, figures.approve]);
const differences = countDifferences({ count: lines });
finish(program, {
  summary: {
    lines: shown.figures.lineCount,
    movements: shown.figures.movementCount,
    differences: shown.differenceCount,
    ...figures,
    close,
    rows,
    cores: cpus().length,
    loadBefore,
  },
  faults: listUnkept({
    'the day is signed': shown.status === 'CLOSED',
    [`the ${differences} planted differences are found`]: shown.differenceCount === differences,
    [`compared and signed within ${GOAL_SECONDS} s`]: smoke || close.seconds < GOAL_SECONDS,
    [`the gateway stays below ${GOAL_MB} MB`]: close.peakMb < GOAL_MB,
    [`each import stays below ${GOAL_MB} MB`]: (figures.imported?.peakMb ?? 0) < GOAL_MB,
  }),
});

function pathOf(day: string): string {
  return `host/daily-closes/${ACCOUNT.provider}/${ACCOUNT.currency}/days/${day}`;
}

/** Asks again, as the page does, while the day is being compared. */
async function look({ people: [first], day }: Setup): Promise<Shown> {
  for (;;) {
    try {
      return await first.ask<Shown>('GET', pathOf(day));
    } catch (error) {
      if (!String(error).includes('CLOSE_BEING_COMPARED')) throw error;
      await sleep(1_000);
    }
  }
}

async function importFiles(setup: Setup): Promise<Cost> {
  const costs: Cost[] = [];
  for (const [index, file] of setup.files.entries()) {
    const period = periodOf(setup.day, { isLast: index === setup.files.length - 1 });
    const named = ['--provider', ACCOUNT.provider, '--file', file, ...period, '--by', 'Ana'];
    const cost = await costOfCommand(setup.meters, () =>
      setup.startCommand(['operator-report', 'import', ...named]),
    );
    say(`file ${index + 1}: ${describe(cost)}`);
    costs.push(cost);
  }
  setup.noteImported();
  return together(costs);
}

/** The last file covers the whole day, the others what they have. */
function periodOf(day: string, { isLast }: { readonly isLast: boolean }): readonly string[] {
  if (!isLast) return [];
  const next = new Date(Date.parse(`${day}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10);
  return ['--from', `${day}T00:00:00+02:00`, '--to', `${next}T00:00:00+02:00`];
}

async function compareAndSign(setup: Setup) {
  const { meters, pid } = setup;
  const step = async <Result>(name: string, work: () => Promise<Result>) => {
    const { cost, result } = await costOf(meters, pid, work);
    say(`${name}: ${describe(cost)}`);
    return { cost, result };
  };
  const looked = await step('look', () => look(setup));
  const { contentHash, obstacles } = looked.result;
  if (obstacles.length > 0) say(`open: ${obstacles.join(', ')}`);
  const [first, second] = setup.people;
  const requested = await step('request', () =>
    first.ask<{ approvalId: string }>('POST', `${pathOf(setup.day)}/sign`, {
      contentHash,
      note: 'the operator was asked',
    }),
  );
  const approved = await step('approve', () => approve(second, requested.result.approvalId));
  return { look: looked.cost, request: requested.cost, approve: approved.cost };
}

async function signed(setup: Setup, what: string, body: object): Promise<void> {
  const [first, second] = setup.people;
  const { approvalId } = await first.ask<{ approvalId: string }>(
    'POST',
    `${pathOf(setup.day)}/${what}`,
    body,
  );
  await approve(second, approvalId);
}

async function approve(colleague: Setup['people'][1], approvalId: string): Promise<void> {
  const path = `host/approvals/${approvalId}`;
  const { hash } = await colleague.ask<{ hash: string }>('GET', path);
  await colleague.ask('POST', `${path}/approve`, { hash });
}

async function recount(setup: Setup) {
  const tables = ['operator_report_lines', 'transfers', 'payments', 'day_close_items'];
  const counts = [];
  for (const table of tables)
    counts.push([table, await setup.count(`select count(*)::int as count from ${table}`)] as const);
  return { shown: await look(setup), rows: Object.fromEntries(counts) };
}

function describe({ seconds, gatewaySeconds, postgresSeconds, peakMb }: Cost): string {
  return `${seconds} s, processor ${gatewaySeconds} s and PostgreSQL ${postgresSeconds} s, at most ${peakMb} MB`;
}
