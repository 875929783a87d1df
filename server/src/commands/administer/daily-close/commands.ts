// The daily close: accounts, days, the bank's lines, the signature and the file for an auditor.
import { DUE_HOURS, readCloseAccounts, startCloses } from '../../../core/daily-close/accounts.ts';
import type { Waiting } from '../../../core/daily-close/compare-once.ts';
import { EXPORT_COLUMNS, exportClose, type ExportRow } from '../../../core/daily-close/export-close.ts';
import { importBankFile } from '../../../core/daily-close/import-bank.ts';
import { readClose, type Close } from '../../../core/daily-close/read-close.ts';
import { requestFirstDay, type FirstDayAnswer } from '../../../core/daily-close/first-day.ts';
import { requestReopening, type ReopenAnswer } from '../../../core/daily-close/reopen-day.ts';
import { requestClose, type SignAnswer } from '../../../core/daily-close/sign-close.ts';
import type { Engine } from '../../../core/engine.ts';
import { requestVoid } from '../../../core/reconciliation/void-file.ts';
import {
  isPassable,
  SIGNED_IN_SPITE_OF,
  type CloseObstacle,
  type PassableObstacle,
} from '../../../domain/reconciliation/close-obstacles.ts';
import { shownAmount } from '../../../domain/reconciliation/daily-close.ts';
import { isDay, isTimeZone, renderInZone } from '../../../domain/time-zone.ts';
import { findCloseAccount, showFigures } from '../../../store/daily-close/closes.ts';
import { renderExport } from '../../../wire/close-export.ts';
import { renderCsvLine } from '../../../wire/csv.ts';
import { bankFormat, readWholeReport } from '../../../wire/report-file.ts';
import { gatewayCommand, nothing } from '../../command.ts';
import { print, progressOutput, refuse, row } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { renderMoney } from '../../terminal/money.ts';
import { startProgress } from '../../terminal/progress.ts';
import { requireCurrency, requireProvider } from '../provider.ts';
import { readVoid, reportVoid } from '../reconciliation.ts';
import { Faults, hashFile, openReport, readingReport } from '../report-file.ts';

const ACCOUNT = '--provider MTN_MOMO_RWA --currency RWF';
const DAY = `${ACCOUNT} --day 2027-03-01`;

export const dailyCloseCommands = {
  'daily-close start': gatewayCommand({
    usage: `${ACCOUNT} --first-day 2027-03-01 [--time-zone Africa/Kigali] [--due-hours ${DUE_HOURS}] --by NAME`,
    summary: 'close the days of an operator account from now on',
    read: (options) => ({
      ...requireAccount(options),
      by: options.person(),
      firstDay: requireDay(options, 'first-day'),
      timeZone: options.isGiven('time-zone') ? requireZone(options) : null,
      dueHours: requireHours(options),
    }),
    run: async ({ engine }, order) => {
      const answer = await startCloses(engine, order);
      if (answer === 'DONE') print('done');
      else refuse('The days of this account are closed already.');
    },
  }),
  'daily-close begin-with': gatewayCommand({
    usage: `${DAY} --by NAME`,
    summary: 'begin with another first day while none is signed, after approval',
    read: (options) => ({ ...requireDayName(options), by: options.person() }),
    run: async ({ engine }, { by, day: firstDay, ...account }) => {
      const actor = { personId: null, by };
      const wanted = { ...account, firstDay, actor, wait: showingProgress };
      reportFirstDay(engine, await requestFirstDay(engine, wanted));
    },
  }),
  'daily-close list': gatewayCommand({
    usage: '',
    summary: 'list operator accounts with their last signed and next day',
    read: nothing,
    run: async ({ engine }) => {
      for (const { provider, currency, lastDay, nextDay, dueAt } of await readCloseAccounts(engine))
        print(row(provider, currency, lastDay, nextDay, dueAt));
    },
  }),
  'daily-close show': gatewayCommand({
    usage: DAY,
    summary: 'show a day: balances, movements, lines and differences',
    read: requireDayName,
    run: async ({ engine }, name) => {
      const close = await showingProgress((comparing) => readClose(engine, name, comparing));
      if (close === null) refuse(NOT_FOLLOWED);
      else print(renderClose(close).join('\n'));
    },
  }),
  'daily-close sign': gatewayCommand({
    usage: `${DAY} [--note TEXT] [--despite ${SIGNED_IN_SPITE_OF.join(',')}] --by NAME`,
    summary: 'sign a day, after approval; in spite of an obstacle only with a note',
    read: (options) => ({
      ...requireDayName(options),
      by: options.person(),
      note: readNote(options),
      despite: readDespite(options),
    }),
    run: async ({ engine }, { by, ...order }) => {
      const actor = { personId: null, by };
      const signing = { ...order, actor, contentHash: null };
      reportSigning(engine, await requestClose(engine, { ...signing, wait: showingProgress }));
    },
  }),
  'daily-close reopen': gatewayCommand({
    usage: `${DAY} --reason TEXT --by NAME`,
    summary: 'take back the signature of the last signed day, after approval',
    read: (options) => ({
      ...requireDayName(options),
      by: options.person(),
      reason: readText(options, 'reason'),
    }),
    run: async ({ engine }, { by, ...order }) => {
      const actor = { personId: null, by };
      reportReopening(engine, await requestReopening(engine, { ...order, actor }));
    },
  }),
  'daily-close export': gatewayCommand({
    usage: `${DAY} --by NAME`,
    summary: 'print a day as CSV',
    read: (options) => ({ ...requireDayName(options), by: options.person() }),
    run: async ({ engine }, order) => {
      let head = renderCsvLine(EXPORT_COLUMNS);
      const write = (rows: readonly ExportRow[]) => {
        const text = `${head}${renderExport(EXPORT_COLUMNS, rows)}`.trimEnd();
        head = '';
        if (text !== '') print(text);
      };
      if (!(await exportClose(engine, { ...order, write }))) refuse(NOT_FOLLOWED);
    },
  }),
  'bank-report import': gatewayCommand({
    usage: `${ACCOUNT} --file FILE --by NAME`,
    summary: "import the bank's lines of an operator account",
    read: async (options) => ({
      ...requireAccount(options),
      by: options.person(),
      path: options.text('file'),
      fileHash: await hashFile(options.text('file')),
    }),
    run: async ({ engine }, { path, fileHash, ...order }) => {
      const account = await findCloseAccount(engine.store.database, order);
      if (account === null) return refuse(NOT_FOLLOWED);
      const faults = new Faults();
      const watch = { onFault: faults.add, onLines: () => undefined };
      const bytes = (await openReport(path))();
      const lines = await readingReport(() => readWholeReport(bytes, bankFormat(null, account), watch));
      const file = { ...order, fileHash: fileHash.toString('hex'), lines, faultCount: faults.count };
      const { fileId, newCount } = await importBankFile(engine, file);
      const known = lines.length - newCount;
      const counts = `${newCount} new, ${known} imported before, ${faults.count} not readable`;
      print(`file ${fileId}, ${lines.length + faults.count} lines: ${counts}`);
      faults.refuse();
    },
  }),
  'bank-report void': gatewayCommand({
    usage: '--file-id ID --reason TEXT --by NAME',
    summary: "ask to take back the lines of a bank's file; two people approve",
    read: (options) => readVoid(options, 'file-id'),
    run: async ({ engine }, order) => reportVoid(await requestVoid(engine, order)),
  }),
};

/** Shows how many payments were compared, where that takes long. */
const showingProgress: Waiting = async (read) => {
  const progress = startProgress(progressOutput, { what: 'payments' });
  const answer = await read({ onPayments: progress.move });
  progress.end();
  return answer;
};

const NOT_FOLLOWED =
  'The days of this account are not closed here. Begin with: malipo-server daily-close start';

function requireAccount(options: Options) {
  const provider = requireProvider(options);
  return { provider, currency: requireCurrency(options, provider) };
}

function requireDayName(options: Options) {
  return { ...requireAccount(options), day: requireDay(options, 'day') };
}

function requireDay(options: Options, name: string): string {
  const day = options.text(name);
  if (isDay(day)) return day;
  throw new UsageError(`--${name} must be a day, such as 2027-03-01.`);
}

function requireZone(options: Options): string {
  const timeZone = options.text('time-zone');
  if (isTimeZone(timeZone)) return timeZone;
  throw new UsageError(`There is no time zone ${timeZone}. Use its IANA name, such as Africa/Kigali.`);
}

function requireHours(options: Options): number {
  const hours = options.count('due-hours', DUE_HOURS);
  if (hours <= 240) return hours;
  throw new UsageError('--due-hours must be at most 240.');
}

function readNote(options: Options): string | null {
  return options.isGiven('note') ? readText(options, 'note') : null;
}

function readText(options: Options, name: string): string {
  const text = options.text(name).trim();
  if (text !== '' && text.length <= 500) return text;
  throw new UsageError(`--${name} must be at most 500 characters.`);
}

function readDespite(options: Options): readonly PassableObstacle[] {
  const names = options.isGiven('despite') ? options.text('despite').split(',') : [];
  return names.map((name) => {
    const found = SIGNED_IN_SPITE_OF.find((one) => one === name.trim());
    if (found !== undefined) return found;
    throw new UsageError(`--despite must be one or more of ${SIGNED_IN_SPITE_OF.join(', ')}.`);
  });
}

function renderClose(close: Close): readonly string[] {
  const { account, day, status, figures, items, obstacles } = close;
  const { currency } = account;
  return [
    row(account.provider, currency, day, status),
    ...Object.entries(showFigures(figures)).map(([name, value]) => row(name, value)),
    ...items.map((item) =>
      row(
        item.kind,
        renderMoney(shownAmount(item), account),
        item.payment === null ? null : `${item.payment.kind} ${item.payment.paymentId}`,
        item.reference,
        item.transactionId,
        item.otherDay ?? item.sinceDay,
      ),
    ),
    ...obstacles.map((obstacle) => row('open', obstacle, ...detailsOf(close, obstacle))),
    ...(close.isChanged ? [row('changed', 'reject the request and sign the day again')] : []),
    ...close.cameSince.map(({ source, fileName, fileHash, lineCount, amount }) =>
      row('came since', source, fileName ?? fileHash, lineCount, renderMoney(amount, account)),
    ),
    ...close.reopened.map(({ reopenedAt, reason }) => row('reopened', reopenedAt, reason)),
  ];
}

/** What the person needs to know to do something about it. */
function detailsOf({ account, facts, differencesByFile }: Close, obstacle: CloseObstacle): readonly string[] {
  if (facts === null) return [];
  const inSpite = isPassable(obstacle) ? [`can be signed with --note and --despite ${obstacle}`] : [];
  switch (obstacle) {
    case 'DAY_NOT_OVER':
      return [facts.comparableAt.toISOString()];
    case 'BEFORE_FIRST_DAY':
      return [account.firstDay];
    case 'PREVIOUS_DAY_OPEN':
      return [facts.firstOpenDay];
    case 'CELL_SILENT':
      return facts.missingCells;
    case 'REPORT_MISSING':
      return facts.gaps.map(
        ({ from, to }) => `${renderInZone(from, account.timeZone)} to ${renderInZone(to, account.timeZone)}`,
      );
    case 'OPENING_DIFFERS':
      return [renderMoney(facts.openingChange ?? 0n, account), ...inSpite];
    case 'TOO_MANY_DIFFERENCES':
      return [
        ...differencesByFile.map(
          ({ fileName, fileHash, differenceCount }) => `${differenceCount} in ${fileName ?? fileHash}`,
        ),
        ...inSpite,
      ];
  }
}

function reportFirstDay({ environment }: Engine, answer: FirstDayAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      return print(requestedText(environment, answer.approvalId));
    case 'NOT_FOUND':
      return refuse(NOT_FOLLOWED);
    case 'CELL_SILENT':
      return refuse(`Cell ${answer.cell} does not answer, and may have used the account.`);
    case 'NOT_BEGUN':
      return refuse(`Give a day that has begun: it is ${answer.today} where the account is.`);
    case 'SIGNED_BEFORE':
      return refuse(`Days of this account are signed. Reopen them first, from ${answer.lastDay} on.`);
    case 'REQUESTED_BEFORE':
      return refuse('Somebody has asked to begin with another day. Approve or reject that request first.');
  }
}

function reportReopening({ environment }: Engine, answer: ReopenAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      return print(requestedText(environment, answer.approvalId));
    case 'NOT_FOUND':
      return refuse(NOT_FOLLOWED);
    case 'NOT_SIGNED':
      return refuse('This day is not signed.');
    case 'NOT_LAST':
      return refuse(`Days after this one are signed. Reopen ${answer.lastDay} first.`);
    case 'REQUESTED_BEFORE':
      return refuse('Somebody has asked to reopen this day. Approve or reject that request first.');
  }
}

function requestedText(environment: Engine['environment'], approvalId: string): string {
  return environment === 'production'
    ? 'requested; two people must approve it in the dashboard'
    : `requested; another person approves it: malipo-server approval approve --approval ${approvalId}`;
}

function reportSigning({ environment }: Engine, answer: SignAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      return print(requestedText(environment, answer.approvalId));
    case 'NOT_FOUND':
      return refuse(NOT_FOLLOWED);
    case 'SIGNED_BEFORE':
      return refuse('This day is signed.');
    case 'REQUESTED_BEFORE':
      return refuse('The signature of this day is requested already.');
    case 'NOT_AS_SHOWN':
      return refuse('The day changed. Look at it again.');
    case 'NOTE_MISSING':
      return refuse('Something differs or was not read. Say with --note why the day is signed all the same.');
    case 'NOT_POSSIBLE':
      return refuse(
        `The day cannot be signed: ${answer.obstacles.join(', ')}` +
          `${answer.missingCells.length === 0 ? '' : ` (${answer.missingCells.join(', ')})`}.`,
      );
  }
}
