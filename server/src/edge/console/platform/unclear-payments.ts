// Payments whose operator says nothing clear: listed for the host's people, read with all evidence, ended manually.
import type { FastifyInstance } from 'fastify';
import { endPayment, type EndAnswer } from '../../../core/payments/act/end-payment.ts';
import { describeTransaction, factsOfTransaction } from '../../../core/payments/act/claim-transaction.ts';
import { describeReport, factsOfReport } from '../../../core/payments/act/refuse-while-reported.ts';
import { readPaymentFile, type PaymentFile } from '../../../core/payments/read/read-payment.ts';
import type { PaymentFailureCode } from '../../../domain/failure.ts';
import { parseTransaction } from '../../../domain/ledger/money-reference.ts';
import type { ManualEnd } from '../../../domain/payments/outcome.ts';
import { listInReconciliation } from '../../../store/reconciliation/unclear-payments.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { unclearPaymentCalls } from '../../../wire/console/platform/unclear-payment.ts';
import { show } from '../../../wire/console/show.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { keyOf, renderEvent } from '../merchant/payments.ts';
import { teamName } from '../sign-in/me.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, orderedBy, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const REVEAL = { for: 'HOST', permission: 'cases:resolve' } as const;
const END = { for: 'HOST', permission: 'cases:resolve', isDangerous: true } as const;

const paymentUrl = '/host/payments/:merchantId/:kind/:paymentId';

export function registerUnclearPayments(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-issues');
  const { engine } = parts;
  route('GET', '/host/unclear-payments', READ, unclearPaymentCalls.listUnclearPayments, {
    summary: 'Payments IN_RECONCILIATION, the oldest first',
    handle: async ({ query }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const place = placeAfter(page);
      const rows = await listInReconciliation(engine.store.database, {
        provider: query.provider ?? null,
        after: place === null ? null : { createdAt: place.at, paymentNo: place.id },
        countMax: page.countMax + 1,
      });
      const described = rows.map(async (payment) => ({
        payment,
        shown: {
          ...show(payment, 'merchantId', 'kind', 'paymentId', 'provider', 'amount', 'currency', 'createdAt'),
          ...show(payment, 'nextEnquiryAt', 'reference', 'lastSaid', 'openCases'),
          merchant: await teamName(parts, payment.merchantId),
        },
      }));
      return renderPage(await Promise.all(described), page, {
        show: ({ shown }) => shown,
        cursorOf: ({ payment: { createdAt, paymentNo } }) => [createdAt.toISOString(), paymentNo],
      });
    },
  });
  route('POST', `${paymentUrl}/evidence`, REVEAL, unclearPaymentCalls.readEvidence, {
    summary: "The operator's responses about a payment, word by word; access is recorded",
    handle: async ({ path, user: { by } }) => {
      const file = await readPaymentFile(engine, { by, ...keyOf(path) });
      if (file === null) throw new ConsoleFailure('NOT_FOUND');
      return renderFile(file);
    },
  });
  route('POST', `${paymentUrl}/end`, END, unclearPaymentCalls.endPayment, {
    summary:
      'Request to end a payment in reconciliation; the operator is asked again, and a second approver agrees',
    handle: async ({ path, body, user }) => {
      const order = { key: keyOf(path), reason: body.reason, outcome: requireEnd(body) };
      return answerEnd(await endPayment(engine, { ...order, ...orderedBy(parts, user) }));
    },
  });
}

/** A success is known by the operator's own number of it, or it is not known. */
function requireEnd(body: {
  readonly outcome: ManualEnd['type'];
  readonly providerTransactionId?: string | undefined;
  readonly failureCode?: PaymentFailureCode | undefined;
}): ManualEnd {
  const { outcome, providerTransactionId, failureCode } = body;
  if (outcome === 'COMPLETED') {
    if (failureCode !== undefined) throw notFor('failureCode');
    const transaction = parseTransaction(providerTransactionId ?? '');
    if (transaction !== null) return { type: 'COMPLETED', providerTransactionId: transaction };
    throw failureBecause('INVALID_INPUT', 'TRANSACTION_MISSING');
  }
  if (providerTransactionId === undefined)
    return { type: 'FAILED', code: failureCode ?? 'UNSPECIFIED_FAILURE' };
  throw notFor('providerTransactionId');
}

/** What belongs to the other outcome. */
function notFor(parameter: string): ConsoleFailure {
  return failureBecause('INVALID_INPUT', 'INVALID_PARAMETER', { parameter });
}

function answerEnd(answer: EndAnswer) {
  switch (answer.type) {
    case 'ENDED':
      return { by: 'PERSON' as const, state: answer.state, outcome: 'DONE' as const };
    case 'REQUESTED':
      return { by: 'PERSON' as const, state: answer.state, outcome: 'REQUESTED' as const };
    case 'REQUESTED_BEFORE':
      throw failureBecause('CONFLICT', 'END_REQUESTED', { by: answer.by, outcome: answer.outcome });
    case 'OPERATOR_ANSWERED':
      return { by: 'OPERATOR' as const, state: answer.state, outcome: 'DONE' as const };
    case 'NOT_FOUND':
      throw new ConsoleFailure('NOT_FOUND');
    case 'NOT_IN_RECONCILIATION':
      throw failureBecause('CONFLICT', 'PAYMENT_RESOLVED', { state: answer.state });
    case 'REPORT_TO_APPROVE':
      throw failureBecause('CONFLICT', answer.type, factsOfReport(answer), describeReport(answer));
    case 'TRANSACTION_TAKEN':
    case 'CELL_SILENT':
      throw failureBecause('CONFLICT', answer.type, factsOfTransaction(answer), describeTransaction(answer));
  }
}

function renderFile({ payment, attempt, events, reportLines, cases }: PaymentFile) {
  return {
    state: payment.state,
    reference: attempt?.reference ?? null,
    events: events.map(renderEvent),
    reportLines: reportLines.map((line) => show(line, 'lineNo', 'finding', 'text')),
    cases: cases.map((one) => show(one, 'caseId', 'evidence', 'openedAt', 'statement')),
  };
}
