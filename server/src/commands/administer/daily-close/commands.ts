// The daily close: accounts, days, the bank's lines, the signature and the file for an auditor.
import { DUE_HOURS, readCloseAccounts, startCloses } from '../../../core/daily-close/accounts.ts';
import { EXPORT_COLUMNS, exportClose } from '../../../core/daily-close/export-close.ts';
import { importBankFile } from '../../../core/daily-close/import-bank.ts';
import { readClose, type Close } from '../../../core/daily-close/read-close.ts';
import { requestClose, type SignAnswer } from '../../../core/daily-close/sign-close.ts';
import type { Engine } from '../../../core/engine.ts';
import { isDay, isTimeZone } from '../../../domain/time-zone.ts';
import { findCloseAccount, showFigures } from '../../../store/daily-close/closes.ts';
import { renderExport } from '../../../wire/close-export.ts';
import { bankFormat, readWholeReport } from '../../../wire/report-file.ts';
import { gatewayCommand, nothing } from '../../command.ts';
import { print, refuse, row } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { renderMoney } from '../../terminal/money.ts';
import { requireCurrency, requireProvider } from '../provider.ts';
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
      const close = await readClose(engine, name);
      if (close === null) refuse(NOT_FOLLOWED);
      else print(renderClose(close).join('\n'));
    },
  }),
  'daily-close sign': gatewayCommand({
    usage: `${DAY} [--note TEXT] --by NAME`,
    summary: 'sign a day, after approval',
    read: (options) => ({ ...requireDayName(options), by: options.person(), note: readNote(options) }),
    run: async ({ engine }, { by, ...order }) => {
      const actor = { personId: null, by };
      reportSigning(engine, await requestClose(engine, { ...order, actor, contentHash: null }));
    },
  }),
  'daily-close export': gatewayCommand({
    usage: `${DAY} --by NAME`,
    summary: 'print a day as CSV',
    read: (options) => ({ ...requireDayName(options), by: options.person() }),
    run: async ({ engine }, order) => {
      const rows = await exportClose(engine, order);
      if (rows === null) refuse(NOT_FOLLOWED);
      else print(renderExport(EXPORT_COLUMNS, rows).trimEnd());
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
      const bytes = await openReport(path);
      const lines = await readingReport(() => readWholeReport(bytes, bankFormat(null, account), watch));
      const file = { ...order, fileHash: fileHash.toString('hex'), lines };
      const { newCount } = await importBankFile(engine, file);
      const known = lines.length - newCount;
      const counts = `${newCount} new, ${known} imported before, ${faults.count} not readable`;
      print(`${lines.length + faults.count} lines: ${counts}`);
      faults.refuse();
    },
  }),
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
  if (!options.isGiven('note')) return null;
  const note = options.text('note').trim();
  if (note !== '' && note.length <= 500) return note;
  throw new UsageError('--note must be at most 500 characters.');
}

function renderClose(close: Close): readonly string[] {
  const { account, day, status, figures, items, obstacles, missingCells } = close;
  const { currency } = account;
  return [
    row(account.provider, currency, day, status),
    ...Object.entries(showFigures(figures)).map(([name, value]) => row(name, value)),
    ...items.map((item) =>
      row(
        item.kind,
        renderMoney(item.kind === 'LATE' ? item.change : item.amount, account),
        item.payment === null ? null : `${item.payment.kind} ${item.payment.paymentId}`,
        item.reference,
        item.transactionId,
        item.otherDay ?? item.sinceDay,
      ),
    ),
    ...obstacles.map((obstacle) =>
      row('open', obstacle, ...(obstacle === 'CELL_SILENT' ? missingCells : [])),
    ),
  ];
}

function reportSigning({ environment }: Engine, answer: SignAnswer): void {
  switch (answer.type) {
    case 'REQUESTED':
      return print(
        environment === 'production'
          ? 'requested; two people must approve it in the dashboard'
          : `requested; another person approves it: malipo-server approval approve --approval ${answer.approvalId}`,
      );
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
