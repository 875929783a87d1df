// The daily close: the days of operator accounts. One of the platform's people signs a day, another approves.
import { once } from 'node:events';
import { PassThrough, type Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Actor } from '../../../core/audit.ts';
import type { Engine } from '../../../core/engine.ts';
import { readApproval } from '../../../core/approvals/read.ts';
import { readCloseAccounts, type AccountToClose } from '../../../core/daily-close/accounts.ts';
import {
  BeingCompared,
  PATIENCE_MS,
  withPatience,
  type Waiting,
} from '../../../core/daily-close/compare-once.ts';
import {
  EXPORT_COLUMNS,
  exportClose,
  findSignature,
  type ExportRow,
} from '../../../core/daily-close/export-close.ts';
import { readClose, needsNote, type Close, type DayName } from '../../../core/daily-close/read-close.ts';
import { readDays, type DayOfAccount } from '../../../core/daily-close/read-days.ts';
import { requestFirstDay, type FirstDayAnswer } from '../../../core/daily-close/first-day.ts';
import { requestReopening, type ReopenAnswer } from '../../../core/daily-close/reopen-day.ts';
import { requestClose, subjectOf, type SignAnswer } from '../../../core/daily-close/sign-close.ts';
import { isPassable } from '../../../domain/reconciliation/close-obstacles.ts';
import { shownAmount, type CloseItem } from '../../../domain/reconciliation/daily-close.ts';
import { dueAtOf } from '../../../domain/reconciliation/due-day.ts';
import { isDay } from '../../../domain/time-zone.ts';
import { findApproval, findPlatformApproval } from '../../../store/approvals/approvals.ts';
import { showFigures, type ReopenedClose } from '../../../store/daily-close/closes.ts';
import type { AccountName } from '../../../store/daily-close/report-lines.ts';
import { renderExport } from '../../../wire/close-export.ts';
import { renderCsvLine } from '../../../wire/csv.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { dailyCloseCalls } from '../../../wire/console/platform/daily-close.ts';
import { show, showValue } from '../../../wire/console/show.ts';
import { describeApproval } from '../approvals.ts';
import { describe } from '../../failure.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { requirePage } from '../page.ts';
import { consoleRoutes, type ConsoleParts, type SignedInUser } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const SIGN = { for: 'HOST', permission: 'money:move', isDangerous: true } as const;

export const closesUrl = '/host/daily-closes';
const accountUrl = `${closesUrl}/:provider/:currency`;
const dayUrl = `${accountUrl}/days/:day`;

/** Anyone who has more to look at takes the export. */
const SHOWN_MAX = 1_000;

export function registerDailyCloses(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-daily-close');
  const { engine } = parts;
  route('GET', closesUrl, READ, dailyCloseCalls.listCloseAccounts, {
    summary: 'Operator accounts whose days are closed here, each with its next day',
    handle: async () => ({ rows: (await readCloseAccounts(engine)).map(describeAccount) }),
  });
  route('GET', accountUrl, READ, dailyCloseCalls.listCloseDays, {
    summary: 'The days of an account, the newest first',
    handle: async ({ path, query }) => {
      const page = requirePage(query, ['day']);
      const before = page.after?.[0] ?? null;
      const account = await requireCloseAccount(parts, path);
      const days = required(await readDays(engine, { ...path, before, countMax: page.countMax + 1 }));
      return {
        account: describeAccount(account),
        ...renderPage(days, page, { show: describeDay, cursorOf }),
      };
    },
  });
  route('POST', `${accountUrl}/first-day`, SIGN, dailyCloseCalls.setFirstDay, {
    summary: 'Begin with another day while none is signed; another person approves',
    handle: async ({ path, body: { firstDay }, user: { personId, by }, request }) => {
      const { day } = requireDay({ ...path, day: firstDay });
      const wanted = { ...path, firstDay: day, actor: { personId, by } };
      const answer = await requestFirstDay(engine, { ...wanted, wait: soonFor(request) });
      if (answer.type === 'REQUESTED') return { approvalId: answer.approvalId };
      throw firstDayFailureOf(answer);
    },
  });
  route('GET', dayUrl, READ, dailyCloseCalls.readClose, {
    summary: 'A day: balances, movements, lines, differences, and what keeps it open',
    handle: async ({ path, user, request }) => {
      const account = await requireCloseAccount(parts, path);
      const name = requireDay(path);
      const close = required(await soonFor(request)((comparing) => readClose(engine, name, comparing)));
      return describeClose(parts, user, account, close);
    },
  });
  route('POST', `${dayUrl}/sign`, SIGN, dailyCloseCalls.signClose, {
    summary: 'Sign a day as it was shown; another person approves',
    handle: async ({ path, body, user: { personId, by }, request }) => {
      const { contentHash, note = null, despite = [] } = body;
      const signing = { ...requireDay(path), contentHash, note: note?.trim() ?? null, despite };
      const answer = await requestClose(engine, {
        ...signing,
        actor: { personId, by },
        wait: soonFor(request),
      });
      if (answer.type === 'REQUESTED') return { approvalId: answer.approvalId };
      throw failureOf(answer);
    },
  });
  route('POST', `${dayUrl}/reopen`, SIGN, dailyCloseCalls.reopenClose, {
    summary: 'Take back the signature of the last signed day; another person approves',
    handle: async ({ path, body: { reason }, user: { personId, by } }) => {
      const reopening = { ...requireDay(path), reason: reason.trim(), actor: { personId, by } };
      const answer = await requestReopening(engine, reopening);
      if (answer.type === 'REQUESTED') return { approvalId: answer.approvalId };
      throw reopenFailureOf(answer);
    },
  });
  route('POST', `${dayUrl}/export`, READ, dailyCloseCalls.exportClose, {
    summary: 'Everything of a day as comma-separated values, for an auditor; who asks is recorded',
    handle: async ({ path, user: { by } }) => {
      await requireCloseAccount(parts, path);
      return streamExport(engine, { ...requireDay(path), by });
    },
  });
}

/** Who waits too long for a day's comparison asks again, and finds it compared. */
function soonFor({ log }: Pick<FastifyRequest, 'log'>): Waiting {
  const onLateError = (error: unknown) =>
    log.error({ where: 'daily close', error: describe(error) }, 'a day could not be compared');
  return async (read) => {
    try {
      return await withPatience(PATIENCE_MS, read, onLateError);
    } catch (error) {
      if (error instanceof BeingCompared) throw failureBecause('CONFLICT', 'CLOSE_BEING_COMPARED');
      throw error;
    }
  };
}

/** Begins to answer with the first rows, and reads no faster than they are taken. */
async function streamExport(engine: Engine, order: DayName & Actor): Promise<Readable> {
  const out = new PassThrough();
  // Whoever reads is told by the answer that breaks off.
  out.on('error', () => undefined);
  await new Promise<void>((begin, fail) => {
    const write = async (rows: readonly ExportRow[]) => {
      begin();
      if (out.write(renderExport(EXPORT_COLUMNS, rows))) return;
      await Promise.race([once(out, 'drain'), once(out, 'close')]);
      if (out.destroyed) throw new Error('nobody reads the export any more');
    };
    out.write(renderCsvLine(EXPORT_COLUMNS));
    exportClose(engine, { ...order, write }).then(
      () => out.end(),
      (error: Error) => {
        fail(error);
        out.destroy(error);
      },
    );
  });
  return out;
}

function cursorOf({ day }: DayOfAccount): readonly string[] {
  return [day];
}

/** What is not followed here does not exist. */
export async function requireCloseAccount(
  { engine }: ConsoleParts,
  { provider, currency }: AccountName,
): Promise<AccountToClose> {
  const accounts = await readCloseAccounts(engine);
  const found = accounts.find((one) => one.provider === provider && one.currency === currency);
  return required(found ?? null);
}

function requireDay<Path extends { readonly day: string }>(path: Path): Path {
  if (!isDay(path.day)) throw new ConsoleFailure('NOT_FOUND');
  return path;
}

function describeAccount(account: AccountToClose) {
  return show(
    account,
    ...(['provider', 'currency', 'timeZone', 'firstDay', 'lastDay', 'nextDay', 'dueAt', 'isLate'] as const),
  );
}

function describeDay({ stored, ...day }: DayOfAccount) {
  return {
    ...show(day, 'day', 'status', 'dueAt', 'isLate'),
    unexplained: stored?.figures.unexplained ?? null,
    differenceCount: stored?.differenceCount ?? null,
    closedAt: showValue(stored?.closedAt ?? null),
  };
}

async function describeClose(parts: ConsoleParts, user: SignedInUser, account: AccountToClose, close: Close) {
  const { engine } = parts;
  const { day, status, items, stored, figures, files, facts } = close;
  const dueAt = dueAtOf(account, day);
  const signature = await findSignature(engine, close);
  const approval =
    signature === null
      ? null
      : await readApproval(engine, { approvalId: signature.approvalId, whose: 'ALL' });
  return {
    ...describeAccount(account),
    ...show(close, 'day', 'from', 'to', 'status', 'contentHash'),
    dueAt: dueAt.toISOString(),
    isLate: status !== 'CLOSED' && dueAt < engine.clock.now(),
    figures: showFigures(figures),
    differences: items.slice(0, SHOWN_MAX).map(describeDifference),
    differenceCount: items.length,
    needsNote: needsNote(close),
    obstacles: [...close.obstacles],
    passableObstacles: close.obstacles.filter(isPassable),
    comparableAt: showValue(facts?.comparableAt ?? null),
    firstOpenDay: facts?.firstOpenDay ?? null,
    missingCells: [...close.missingCells],
    gaps: (facts?.gaps ?? []).map((gap) => show(gap, 'from', 'to')),
    openingChange: showValue(facts?.openingChange === 0n ? null : (facts?.openingChange ?? null)),
    differencesByFile: close.differencesByFile.map((file) =>
      show(file, 'source', 'fileHash', 'fileName', 'differenceCount'),
    ),
    reopened: await Promise.all(close.reopened.map((one) => describeReopened(parts, one))),
    reopening: await describeReopening(parts, user, close),
    isLastSigned: status === 'CLOSED' && account.lastDay === day,
    files: files.map((file) => ({
      ...show(file, 'fileId', 'source', 'fileName', 'fileHash', 'importedAt', 'faultCount'),
      ...show(file, 'voidedAt', 'voidedBy'),
    })),
    takenBack: close.takenBack.map((one) =>
      show(one, 'source', 'fileName', 'fileHash', 'voidedAt', 'voidedBy', 'lineCount', 'amount'),
    ),
    isChanged: close.isChanged,
    cameSince: close.cameSince.map((one) =>
      show(one, 'source', 'fileName', 'fileHash', 'importedAt', 'faultCount', 'lineCount', 'amount'),
    ),
    note: stored?.note ?? null,
    approval: approval === null ? null : await describeApproval(parts, user, approval),
  };
}

async function describeReopened({ engine }: ConsoleParts, reopened: ReopenedClose) {
  const approval = await findApproval(engine.store.database, reopened.approvalId);
  return {
    ...show(reopened, 'contentHash', 'closedAt', 'reopenedAt', 'reason', 'note', 'differenceCount'),
    unexplained: reopened.figures.unexplained,
    requestedBy: approval?.requestedBy.by ?? '',
    approvedBy: approval?.decision?.by ?? '',
  };
}

/** Only while it is pending: what was approved is told with the signature that was taken back. */
async function describeReopening(parts: ConsoleParts, user: SignedInUser, { account, day }: Close) {
  const { engine } = parts;
  const { provider, currency } = account;
  const subject = subjectOf({ provider, currency, day });
  const found = await findPlatformApproval(engine.store.database, { kind: 'DAY_REOPEN', subject });
  if (found?.status !== 'PENDING') return null;
  const approval = await readApproval(engine, { approvalId: found.approvalId, whose: 'ALL' });
  return approval === null ? null : describeApproval(parts, user, approval);
}

function describeDifference(item: CloseItem) {
  const { payment } = item;
  return {
    ...show(item, 'kind', 'sinceDay', 'otherDay', 'reference', 'transactionId'),
    amount: showValue(shownAmount(item)),
    payment: payment === null ? null : show(payment, 'merchantId', 'kind', 'paymentId'),
  };
}

function firstDayFailureOf(answer: Exclude<FirstDayAnswer, { readonly type: 'REQUESTED' }>): ConsoleFailure {
  switch (answer.type) {
    case 'NOT_FOUND':
      return new ConsoleFailure('NOT_FOUND');
    case 'CELL_SILENT':
      return failureBecause(
        'CONFLICT',
        'CELL_SILENT',
        { cell: answer.cell },
        `Cell ${answer.cell} does not answer, and may have used the account.`,
      );
    case 'NOT_BEGUN':
      return failureBecause('INVALID_INPUT', 'CLOSE_FIRST_DAY_NOT_BEGUN', { today: answer.today });
    case 'SIGNED_BEFORE':
      return failureBecause('CONFLICT', 'CLOSE_FIRST_DAY_SIGNED', { lastDay: answer.lastDay });
    case 'REQUESTED_BEFORE':
      return failureBecause('CONFLICT', 'CLOSE_FIRST_DAY_REQUESTED');
  }
}

function reopenFailureOf(answer: Exclude<ReopenAnswer, { readonly type: 'REQUESTED' }>): ConsoleFailure {
  switch (answer.type) {
    case 'NOT_FOUND':
      return new ConsoleFailure('NOT_FOUND');
    case 'NOT_SIGNED':
      return failureBecause('CONFLICT', 'CLOSE_NOT_SIGNED');
    case 'NOT_LAST':
      return failureBecause('CONFLICT', 'CLOSE_NOT_LAST', { lastDay: answer.lastDay });
    case 'REQUESTED_BEFORE':
      return failureBecause('CONFLICT', 'REOPENING_REQUESTED');
  }
}

function failureOf(answer: Exclude<SignAnswer, { readonly type: 'REQUESTED' }>): ConsoleFailure {
  switch (answer.type) {
    case 'NOT_FOUND':
      return new ConsoleFailure('NOT_FOUND');
    case 'SIGNED_BEFORE':
      return failureBecause('CONFLICT', 'CLOSE_SIGNED');
    case 'REQUESTED_BEFORE':
      return failureBecause('CONFLICT', 'CLOSE_REQUESTED');
    case 'NOT_AS_SHOWN':
      return failureBecause('CONFLICT', 'CLOSE_CHANGED');
    case 'NOTE_MISSING':
      return failureBecause('INVALID_INPUT', 'CLOSE_NOTE_MISSING');
    case 'NOT_POSSIBLE':
      return failureBecause('CONFLICT', 'CLOSE_NOT_POSSIBLE', {
        obstacles: answer.obstacles.join(', '),
        cells: answer.missingCells.join(', '),
      });
  }
}

function required<Value>(value: Value | null): Value {
  if (value === null) throw new ConsoleFailure('NOT_FOUND');
  return value;
}
