// Payments that operators say nothing clear about: listing them, comparing them with statements, ending them manually.
import { askedByCommand } from '../../core/approvals/request.ts';
import { endPayment, type EndAnswer } from '../../core/payments/act/end-payment.ts';
import { importStatement, type ImportedStatement } from '../../core/reconciliation/import-report.ts';
import { readFloats } from '../../core/monitoring/measure-float.ts';
import { isPlainText } from '../../core/operators/validate-answer.ts';
import { readPaymentFile, type PaymentFile } from '../../core/payments/read/read-payment.ts';
import { readStatement, type StatementReport } from '../../core/reconciliation/read-report.ts';
import { listProviders } from '../../domain/operators/catalogue.ts';
import { PAYMENT_FAILURE_CODES } from '../../domain/failure.ts';
import { differenceOf, unexplainedOf } from '../../domain/ledger/float.ts';
import { renderAmount } from '../../domain/money.ts';
import type { ManualEnd } from '../../domain/payments/outcome.ts';
import { PAYMENT_KINDS } from '../../domain/payments/payment.ts';
import { describe } from '../../edge/failure.ts';
import type { Period } from '../../store/reconciliation/operator-reports.ts';
import { listInReconciliation, type UnclearPayment } from '../../store/reconciliation/unclear-payments.ts';
import {
  print,
  readOptions,
  refuse,
  REQUESTED,
  requireCount,
  requireOneOf,
  requirePerson,
  requireReason,
  requireText,
  requireTime,
  requireUuid,
  TEXT,
  UsageError,
  withGateway,
  type Command,
  type OptionValues,
} from '../command.ts';
import { hashFile, readBatches } from './statement-file.ts';

const PAYMENT = `--merchant ID --kind ${PAYMENT_KINDS.join('|')} --payment ID`;
const PAYMENT_OPTIONS = { merchant: TEXT, kind: TEXT, payment: TEXT, by: TEXT };

const listCommand: Command = {
  usage: '[--provider MTN_MOMO_RWA] [--count 100]',
  summary:
    'list payments without a clear answer of their operator, the oldest first; for cases see case list ' +
    '--open',
  run: async (args) => {
    const values = readOptions(args, { provider: TEXT, count: { ...TEXT, default: '100' } });
    const provider = values['provider'] === undefined ? null : requireProvider(values);
    const order = { provider, countMax: requireCount(values, 'count') };
    await withGateway(async ({ engine }) => {
      for (const found of await listInReconciliation(engine.store.database, order))
        print(renderUnclear(found));
    });
  },
};

const showCommand: Command = {
  usage: `${PAYMENT} --by NAME`,
  summary:
    'show everything that happened to a payment, with the answers of operators; they contain personal ' +
    'data, so it is recorded who looks',
  run: async (args) => {
    const values = readOptions(args, PAYMENT_OPTIONS);
    const order = { by: requirePerson(values), ...requirePayment(values) };
    await withGateway(async ({ engine }) => {
      const file = await readPaymentFile(engine, order);
      if (file === null) refuse('There is no such payment.');
      else print(renderFile(file).join('\n'));
    });
  },
};

const endCommand: Command = {
  usage: `${PAYMENT} --as COMPLETED|FAILED [--transaction ID] [--failure-code CODE] --reason TEXT --by NAME`,
  summary:
    'end a payment in reconciliation manually, in production after approval; a clear answer of the ' +
    'operator has priority',
  run: async (args) => {
    const more = { as: TEXT, transaction: TEXT, 'failure-code': TEXT, reason: TEXT };
    const values = readOptions(args, { ...PAYMENT_OPTIONS, ...more });
    const by = requirePerson(values);
    const order = {
      reason: requireReason(values),
      key: requirePayment(values),
      outcome: requireEnd(values),
    };
    await withGateway(async ({ engine }) =>
      tell(await endPayment(engine, { ...order, ...askedByCommand(engine, by) })),
    );
  },
};

const importCommand: Command = {
  usage: '--provider MTN_MOMO_RWA --file FILE [--from TIME --to TIME] --by NAME',
  summary:
    "compare an operator's report with the books; in production, lines that end payments wait for approval",
  run: async (args) => {
    const values = readOptions(args, { provider: TEXT, file: TEXT, from: TEXT, to: TEXT, by: TEXT });
    const by = requirePerson(values);
    const provider = requireProvider(values);
    const path = requireText(values, 'file');
    const period = readPeriod(values);
    const fileHash = await hashFile(path);
    await withGateway(async ({ engine, logger }) => {
      const faults = new Faults();
      const onError = (error: unknown) =>
        logger.error({ where: 'statement', error: describe(error) }, 'failed');
      const batches = readBatches(path, faults.add);
      const { secondPerson } = askedByCommand(engine, by);
      const order = { by, secondPerson, provider, fileHash, period, batches, onError };
      const imported = await importStatement(engine, order);
      const statement = { statementId: imported.statementId, provider };
      print(renderReport(imported, await readStatement(engine, statement, SHOWN_MAX)).join('\n'));
      faults.refuse();
    });
  },
};

const floatsCommand: Command = {
  usage: '',
  summary:
    'list the balances that operators report: theirs, ours, the difference, in flight in and out, the ' +
    'unexplained rest',
  run: async (args) => {
    readOptions(args, {});
    await withGateway(async ({ engine }) => {
      for (const float of await readFloats(engine)) {
        const { provider, currency, operator, books, inFlight } = float;
        const figures = [
          operator,
          books,
          differenceOf(float),
          inFlight?.in,
          inFlight?.out,
          unexplainedOf(float),
        ];
        const texts = figures.map((amount) =>
          amount === null || amount === undefined ? '-' : renderAmount(amount),
        );
        print([provider, currency, ...texts].join('\t'));
      }
    });
  },
};

/** Anyone who has more to look at than this has the wrong file or the wrong period. */
const SHOWN_MAX = 1_000;

/** Lines that could not be read: the first are told at once, and all are counted. */
class Faults {
  #count = 0;

  readonly add = (lineNo: number, fault: string): void => {
    this.#count += 1;
    if (this.#count <= 20) refuse(`line ${lineNo}: ${fault}`);
  };

  refuse(): void {
    if (this.#count > 0)
      refuse(`${this.#count} lines could not be read. Fix them and import the file again.`);
  }
}

function renderReport(
  { statementId, isNew, lineCount, comparedCount }: ImportedStatement,
  { period, counts, lines, missing }: StatementReport,
): readonly string[] {
  const covers = period === null ? 'nothing' : `${period.from.toISOString()} to ${period.to.toISOString()}`;
  return [
    `${isNew ? 'statement' : 'imported before: statement'} ${statementId} covers ${covers}`,
    `${lineCount} lines, ${comparedCount} compared now`,
    ...counts.map(({ finding, count }) => `${finding ?? 'NOT_COMPARED'}\t${count}`),
    ...lines.map(({ lineNo, finding, text }) => `line ${lineNo}\t${finding}\t${withoutCustomer(text)}`),
    ...missing.map((one) =>
      ['missing', one.kind, one.paymentId, one.state, renderAmount(one.amount), one.currency, one.reference]
        .concat(one.providerTransactionId ?? '-', one.merchantId)
        .join('\t'),
    ),
  ];
}

/** A report is passed around; whose number it was is for anyone who opens the payment. */
function withoutCustomer(text: string): string {
  const { phoneNumber: _customer, ...line } = JSON.parse(text) as Record<string, string>;
  return JSON.stringify(line);
}

function renderUnclear(found: UnclearPayment): string {
  const { merchantId, kind, paymentId, provider, amount, currency, createdAt, openCases } = found;
  const facts = [createdAt.toISOString(), kind, paymentId, provider, `${renderAmount(amount)} ${currency}`];
  const asked = found.nextEnquiryAt === null ? '' : `, asked again ${found.nextEnquiryAt.toISOString()}`;
  const cases = openCases.length === 0 ? '' : `, open case ${openCases.join(' and ')}`;
  const told = `reference ${found.reference ?? 'none'}, the operator said ${found.lastSaid ?? 'nothing'}`;
  return `${[...facts, merchantId].join('\t')}\n  ${told}${asked}${cases}`;
}

function renderFile({ payment, attempt, events, statementLines, cases }: PaymentFile): readonly string[] {
  const { merchantId, kind, paymentId, state, provider, amount, currency } = payment;
  const facts = [kind, paymentId, state, provider, `${renderAmount(amount)} ${currency}`, merchantId];
  return [
    facts.join('\t'),
    `  reference ${attempt?.reference ?? 'none'}, the operator's ${attempt?.providerReference ?? 'none'}, ` +
      `transaction ${payment.providerTransactionId ?? 'none'}`,
    ...events.flatMap(({ occurredAt, event, fromState, toState, detail, evidence }) => [
      `  ${occurredAt.toISOString()} ${event} ${detail ?? ''}: ${fromState ?? 'new'} -> ${toState}`,
      ...said(evidence),
    ]),
    ...statementLines.flatMap(({ lineNo, finding, text }) => [
      `  statement, line ${lineNo}: ${finding}`,
      ...said(text),
    ]),
    ...cases.flatMap(({ caseId, evidence, resolvedAt, statement }) => [
      `  case ${caseId} ${evidence}, ${resolvedAt === null ? 'open' : 'resolved'}`,
      ...said(statement),
    ]),
  ];
}

/** Evidence stands below what it is evidence of. */
function said(text: string | null | undefined): readonly string[] {
  return text ? [`    ${text}`] : [];
}

function tell(answer: EndAnswer): void {
  switch (answer.type) {
    case 'ENDED':
      print(answer.state);
      return;
    case 'REQUESTED':
      print(REQUESTED);
      return;
    case 'OPERATOR_ANSWERED':
      return refuse(
        `Nothing was done manually: the operator now says ${answer.state}, and so the payment ended.`,
      );
    case 'NOT_FOUND':
      return refuse('There is no such payment.');
    case 'NOT_IN_RECONCILIATION':
      return refuse(
        `The payment is ${answer.state}; only one that is IN_RECONCILIATION can be ended manually.`,
      );
    case 'TRANSACTION_TAKEN':
      return refuse("That transaction of the operator's belongs to another payment.");
  }
}

function requirePayment(values: OptionValues) {
  return {
    merchantId: requireUuid(values, 'merchant'),
    kind: requireOneOf(PAYMENT_KINDS, values, 'kind'),
    paymentId: requireUuid(values, 'payment'),
  };
}

function requireEnd(values: OptionValues): ManualEnd {
  const end = requireOneOf(['COMPLETED', 'FAILED'] as const, values, 'as');
  if (end === 'COMPLETED') {
    if (values['failure-code'] !== undefined) throw new UsageError('--failure-code is for --as FAILED.');
    const providerTransactionId = requireText(values, 'transaction');
    if (isPlainText(providerTransactionId)) return { type: 'COMPLETED', providerTransactionId };
    throw new UsageError("--transaction must be the operator's, in at most 255 plain characters.");
  }
  if (values['transaction'] !== undefined) throw new UsageError('--transaction is for --as COMPLETED.');
  if (values['failure-code'] === undefined) return { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' };
  return { type: 'FAILED', code: requireOneOf(PAYMENT_FAILURE_CODES, values, 'failure-code') };
}

function requireProvider(values: OptionValues): string {
  return requireOneOf(
    listProviders().map(({ code }) => code),
    values,
    'provider',
  );
}

/** Both or neither: a statement with one end is none. */
function readPeriod(values: OptionValues): Period | null {
  if (values['from'] === undefined && values['to'] === undefined) return null;
  const period = { from: requireTime(values, 'from'), to: requireTime(values, 'to') };
  if (period.from < period.to) return period;
  throw new UsageError('--from must be before --to.');
}

export const reconciliationCommands: ReadonlyMap<string, Command> = new Map([
  ['reconciliation list', listCommand],
  ['payment show', showCommand],
  ['payment end', endCommand],
  ['operator-report import', importCommand],
  ['float list', floatsCommand],
]);
