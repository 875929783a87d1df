// Payments that operators say nothing clear about: listing them, comparing them with reports, ending them manually.
import { askedByCommand } from '../../core/approvals/request.ts';
import { describeTransaction } from '../../core/payments/act/claim-transaction.ts';
import { endPayment, type EndAnswer } from '../../core/payments/act/end-payment.ts';
import {
  readRefused,
  requestReading,
  type ReadingAnswer,
  type ShownReading,
} from '../../core/reconciliation/accept-reading.ts';
import {
  importReport,
  type ImportedReport,
  type ReportPass,
} from '../../core/reconciliation/import-report.ts';
import { requestVoid, type VoidAnswer } from '../../core/reconciliation/void-file.ts';
import { readFloats } from '../../core/monitoring/measure-float.ts';
import { readPaymentFile, type PaymentFile } from '../../core/payments/read/read-payment.ts';
import { describeReport } from '../../core/payments/act/refuse-while-reported.ts';
import { readFindings, type ReportFindings } from '../../core/reconciliation/read-report.ts';
import { PAYMENT_FAILURE_CODES } from '../../domain/failure.ts';
import { differenceOf, unexplainedOf } from '../../domain/ledger/float.ts';
import { parseTransaction } from '../../domain/ledger/money-reference.ts';
import type { ManualEnd } from '../../domain/payments/outcome.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { describe } from '../../edge/failure.ts';
import type { Period } from '../../store/reconciliation/operator-reports.ts';
import { listInReconciliation, type UnclearPayment } from '../../store/reconciliation/unclear-payments.ts';
import { readReport, OWN_FORMAT } from '../../wire/report-file.ts';
import { gatewayCommand, nothing, REQUESTED } from '../command.ts';
import { print, progressOutput, refuse, row } from '../output.ts';
import { UsageError, type Options } from '../options.ts';
import { renderMoney } from '../terminal/money.ts';
import { startProgress } from '../terminal/progress.ts';
import { requireCurrency, requireProvider } from './provider.ts';
import { Faults, hashFile, openReport, readingReport } from './report-file.ts';

const PAYMENT = `--merchant ID --kind ${PAYMENT_KINDS.join('|')} --payment ID`;

export const reconciliationCommands = {
  'reconciliation list': gatewayCommand({
    usage: '[--provider MTN_MOMO_RWA] [--count 100]',
    summary: 'list payments with unknown outcome, the oldest first',
    read: (options) => ({
      provider: options.isGiven('provider') ? requireProvider(options) : null,
      countMax: options.count('count', 100),
    }),
    run: async ({ engine }, order) => {
      for (const found of await listInReconciliation(engine.store.database, order))
        print(renderUnclear(found));
    },
  }),
  'payment show': gatewayCommand({
    usage: `${PAYMENT} --by NAME`,
    summary: "show the history of a payment with the operator's answers",
    read: (options) => ({ by: options.person(), ...requirePayment(options) }),
    run: async ({ engine }, order) => {
      const file = await readPaymentFile(engine, order);
      if (file === null) refuse('There is no such payment.');
      else print(renderFile(file).join('\n'));
    },
  }),
  'payment end': gatewayCommand({
    usage: `${PAYMENT} --as COMPLETED|FAILED [--transaction ID] [--failure-code CODE] --reason TEXT --by NAME`,
    summary: 'end a payment in reconciliation, after approval; a clear answer of the operator wins',
    read: (options) => ({
      by: options.person(),
      reason: options.reason(),
      key: requirePayment(options),
      outcome: requireEnd(options),
    }),
    run: async ({ engine }, { by, ...order }) =>
      reportEnd(await endPayment(engine, { ...order, ...askedByCommand(engine, by) })),
  }),
  'operator-report import': gatewayCommand({
    usage: '--provider MTN_MOMO_RWA --file FILE [--currency RWF] [--from TIME --to TIME] --by NAME',
    summary: "compare an operator's report with the books; what its lines do needs approval",
    read: async (options) => {
      const [by, provider, path] = [options.person(), requireProvider(options), options.text('file')];
      const order = { by, provider, path, period: readPeriod(options), fileHash: await hashFile(path) };
      return options.isGiven('currency') ? { ...order, currency: requireCurrency(options, provider) } : order;
    },
    run: async ({ engine, logger }, { path, ...order }) => {
      const faults = new Faults();
      const onError = (error: unknown) => logger.error({ where: 'report', error: describe(error) }, 'failed');
      const progress = startProgress(progressOutput, { what: 'lines' });
      const watch = { onFault: faults.add, onLines: progress.move };
      const bytes = await openReport(path);
      const batches = (pass: ReportPass) =>
        readReport(bytes(), OWN_FORMAT, pass === 'CHECK' ? { ...watch, onFault: () => {} } : watch);
      const { secondApprover } = askedByCommand(engine, order.by);
      const imported = await readingReport(() =>
        importReport(engine, {
          ...order,
          secondApprover,
          batches,
          faultCount: () => faults.count,
          onError,
        }),
      );
      progress.end();
      const { reportId } = imported;
      if (imported.refused !== null) return refuseReading(await readRefused(engine, reportId), reportId);
      const findings = await readFindings(engine, { reportId, provider: order.provider }, SHOWN_MAX);
      print(renderReport(imported, findings, faults.count).join('\n'));
      faults.refuse();
    },
  }),
  'operator-report accept': gatewayCommand({
    usage: '--report ID --reason TEXT --by NAME',
    summary: 'ask to import a report all the same that was probably read wrongly; two people approve',
    read: (options) => ({
      reportId: options.uuid('report'),
      reason: options.reason(),
      actor: { personId: null, by: options.person() },
    }),
    run: async ({ engine }, order) => {
      const answer = await requestReading(engine, order);
      if (answer.type === 'REQUESTED')
        print(`${REQUESTED}; then import the file again: ${answer.approvalId}`);
      else refuse(READING_REFUSALS[answer.type]);
    },
  }),
  'operator-report void': gatewayCommand({
    usage: '--report ID --reason TEXT --by NAME',
    summary: 'ask to take back everything that a report said; two people approve',
    read: (options) => readVoid(options, 'report'),
    run: async ({ engine }, order) => reportVoid(await requestVoid(engine, order)),
  }),
  'float list': gatewayCommand({
    usage: '',
    summary: "list the operators' balances, ours, in flight, unexplained",
    read: nothing,
    run: async ({ engine }) => {
      for (const float of await readFloats(engine)) {
        const { provider, currency, operator, books, inFlight } = float;
        const moving = [inFlight?.in ?? null, inFlight?.out ?? null];
        const figures = [operator, books, differenceOf(float), ...moving, unexplainedOf(float)];
        const texts = figures.map((amount) => (amount === null ? null : renderMoney(amount, float)));
        print(row(provider, currency, ...texts));
      }
    },
  }),
};

/** `name`: of the option that names the file. */
export function readVoid(options: Options, name: string) {
  const actor = { personId: null, by: options.person() };
  return { fileId: options.uuid(name), reason: options.reason(), actor };
}

export function reportVoid(answer: VoidAnswer): void {
  if (answer.type === 'REQUESTED') print(`${REQUESTED}; then import the right file: ${answer.approvalId}`);
  else refuse(VOID_REFUSALS[answer.type]);
}

const VOID_REFUSALS: Readonly<Record<Exclude<VoidAnswer['type'], 'REQUESTED'>, string>> = {
  NOT_FOUND: 'There is no such file.',
  NOT_IMPORTED: 'Nothing of this file was imported, so that there is nothing to take back.',
  VOIDED_BEFORE: 'This file was voided before.',
  REQUESTED_BEFORE: 'That is requested already.',
};

const READING_REFUSALS: Readonly<Record<Exclude<ReadingAnswer['type'], 'REQUESTED'>, string>> = {
  NOT_FOUND: 'There is no such report.',
  NOT_REFUSED: 'This report was not refused when it was read last. Import it.',
  REQUESTED_BEFORE: 'That is requested already.',
};

/** Lines as they were read, each above our payment, and what to do about them. */
function refuseReading(reading: ShownReading | null, reportId: string): void {
  if (reading === null) throw new Error('a refused report has no reading');
  const { knownCount, differingCount, examples } = reading;
  const shown = examples.flatMap(({ lineNo, text, payment }) => {
    if (payment === null) return [];
    const { kind, paymentId, state, amount, currency, provider } = payment;
    const ours = row(kind, paymentId, state, provider, `${renderMoney(amount, payment)} ${currency}`);
    return [row(`line ${lineNo}`, text), row('our payment', ours)];
  });
  print(shown.join('\n'));
  refuse(
    `The report was probably read wrongly, and has no effect: ${differingCount} of the ${knownCount} lines about ` +
      'known payments differ from the books. Correct its columns and import it again. If it is right: ' +
      `malipo-server operator-report accept --report ${reportId} --reason TEXT --by NAME`,
  );
}

/** Anyone who has more to look at than this has the wrong file or the wrong period. */
const SHOWN_MAX = 1_000;

function renderReport(
  { reportId, isNew, lineCount, comparedCount }: ImportedReport,
  { period, counts, lines, missing }: ReportFindings,
  unreadCount: number,
): readonly string[] {
  const covers = period === null ? 'nothing' : `${period.from.toISOString()} to ${period.to.toISOString()}`;
  return [
    `${isNew ? 'report' : 'imported before: report'} ${reportId} covers ${covers}`,
    `${lineCount + unreadCount} lines: ${comparedCount} compared now, ${lineCount - comparedCount} compared before, ` +
      `${unreadCount} not readable`,
    ...counts.map(({ finding, count }) => row(finding ?? 'NOT_COMPARED', count)),
    ...lines.map(({ lineNo, finding, text }) => row(`line ${lineNo}`, finding, withoutCustomer(text))),
    ...missing.map((one) => {
      const paid = row(one.kind, one.paymentId, one.state, renderMoney(one.amount, one), one.currency);
      return row('missing', paid, one.reference, one.providerTransactionId, one.merchantId);
    }),
  ];
}

/** A report is passed around; whose number it was is for anyone who opens the payment. */
function withoutCustomer(text: string): string {
  const { phoneNumber: _customer, ...line } = JSON.parse(text) as Record<string, string>;
  return JSON.stringify(line);
}

function renderUnclear(found: UnclearPayment): string {
  const { merchantId, kind, paymentId, provider, amount, currency, createdAt, openCases } = found;
  const money = `${renderMoney(amount, found)} ${currency}`;
  const asked =
    found.nextEnquiryAt === null ? '' : `, next status check ${found.nextEnquiryAt.toISOString()}`;
  const cases = openCases.length === 0 ? '' : `, open case ${openCases.join(' and ')}`;
  const said = `reference ${found.reference ?? 'none'}, last answer of the operator ${found.lastSaid ?? 'none'}`;
  const facts = row(createdAt, kind, paymentId, provider, money, merchantId);
  return `${facts}\n  ${said}${asked}${cases}`;
}

function renderFile({ payment, attempt, events, reportLines, cases }: PaymentFile): readonly string[] {
  const { merchantId, kind, paymentId, state, provider, amount, currency } = payment;
  return [
    row(kind, paymentId, state, provider, `${renderMoney(amount, payment)} ${currency}`, merchantId),
    `  reference ${attempt?.reference ?? 'none'}, operator reference ${attempt?.providerReference ?? 'none'}, ` +
      `operator transaction ${payment.providerTransactionId ?? 'none'}`,
    ...events.flatMap(({ occurredAt, event, fromState, toState, detail, evidence }) => [
      `  ${occurredAt.toISOString()} ${event} ${detail ?? ''}: ${fromState ?? 'new'} -> ${toState}`,
      ...saidBelow(evidence),
    ]),
    ...reportLines.flatMap(({ lineNo, finding, text }) => [
      `  operator report, line ${lineNo}: ${finding}`,
      ...saidBelow(text),
    ]),
    ...cases.flatMap(({ caseId, evidence, resolvedAt, statement }) => [
      `  case ${caseId} ${evidence}, ${resolvedAt === null ? 'open' : 'resolved'}`,
      ...saidBelow(statement),
    ]),
  ];
}

/** Evidence stands below what it is evidence of. */
function saidBelow(text: string | null | undefined): readonly string[] {
  return text ? [`    ${text}`] : [];
}

function reportEnd(answer: EndAnswer): void {
  switch (answer.type) {
    case 'ENDED':
      return print(answer.state);
    case 'REQUESTED':
      return print(REQUESTED);
    case 'REQUESTED_BEFORE':
      return refuse(
        `${answer.by} has requested to end it as ${answer.outcome}: approve or reject that first. ` +
          'Nothing was requested now.',
      );
    case 'OPERATOR_ANSWERED':
      return refuse(
        `The operator now reports ${answer.state}, and the payment ended so. Your decision was not used.`,
      );
    case 'NOT_FOUND':
      return refuse('There is no such payment.');
    case 'NOT_IN_RECONCILIATION':
      return refuse(
        `The payment is ${answer.state}; only one that is IN_RECONCILIATION can be ended manually.`,
      );
    case 'REPORT_TO_APPROVE':
      return refuse(describeReport(answer));
    case 'TRANSACTION_TAKEN':
    case 'CELL_SILENT':
      return refuse(describeTransaction(answer));
  }
}

function requirePayment(options: Options) {
  return {
    merchantId: options.uuid('merchant'),
    kind: options.oneOf('kind', PAYMENT_KINDS),
    paymentId: options.uuid('payment'),
  };
}

function requireEnd(options: Options): ManualEnd {
  if (options.oneOf('as', ['COMPLETED', 'FAILED']) === 'COMPLETED') {
    if (options.isGiven('failure-code')) throw new UsageError('--failure-code is for --as FAILED.');
    const providerTransactionId = parseTransaction(options.text('transaction'));
    if (providerTransactionId !== null) return { type: 'COMPLETED', providerTransactionId };
    throw new UsageError(
      "--transaction must be the operator's transaction id, at most 255 plain characters.",
    );
  }
  if (options.isGiven('transaction')) throw new UsageError('--transaction is for --as COMPLETED.');
  const code = options.oneOf('failure-code', PAYMENT_FAILURE_CODES, 'UNSPECIFIED_FAILURE');
  return { type: 'FAILED', code };
}

/** Both or neither: a period has two ends. */
function readPeriod(options: Options): Period | null {
  if (!options.isGiven('from') && !options.isGiven('to')) return null;
  const period = { from: options.time('from'), to: options.time('to') };
  if (period.from < period.to) return period;
  throw new UsageError('--from must be before --to.');
}
