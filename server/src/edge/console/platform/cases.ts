// Cases of contradicting evidence: one of the platform's people requests a resolution, another approves it.
import type { FastifyInstance } from 'fastify';
import {
  readCase,
  readCasePage,
  requestResolution,
  type CaseAnswer,
  type CaseRefusal,
  type CaseView,
} from '../../../core/reconciliation/resolve-cases.ts';
import { describeTransaction, factsOfTransaction } from '../../../core/payments/act/claim-transaction.ts';
import { needsAmount } from '../../../domain/reconciliation/cases.ts';
import { parseAmount } from '../../../domain/money.ts';
import { caseCalls } from '../../../wire/console/platform/case.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { show } from '../../../wire/console/show.ts';
import { describeApproval } from '../approvals.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { teamName } from '../sign-in/me.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, type ConsoleParts, type SignedInUser } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const REVEAL = { for: 'HOST', permission: 'cases:resolve' } as const;
const RESOLVE = { for: 'HOST', permission: 'cases:resolve', isDangerous: true } as const;

const url = '/host/cases';

export function registerCases(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-cases');
  const { engine } = parts;
  route('GET', url, READ, caseCalls.listCases, {
    summary: 'Open cases, the oldest first, or resolved ones, the newest first',
    handle: async ({ query, user }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const place = placeAfter(page);
      const cases = await readCasePage(engine, {
        isOpen: query.status === 'OPEN',
        after: place === null ? null : { at: place.at, caseId: place.id },
        countMax: page.countMax + 1,
      });
      const shown = await Promise.all(cases.map((found) => describeCase(parts, user, found)));
      return renderPage(shown, page, {
        show: (found) => found,
        cursorOf: ({ resolvedAt, openedAt, caseId }) => [resolvedAt ?? openedAt, caseId],
      });
    },
  });
  route('POST', `${url}/:caseId/statement`, REVEAL, caseCalls.readCaseStatement, {
    summary: "The operator's response, word by word; access is recorded",
    handle: async ({ path, user: { by } }) => {
      const found = await readCase(engine, { ...path, by });
      if (found === null) throw new ConsoleFailure('NOT_FOUND');
      return { statement: found.statement };
    },
  });
  route('POST', `${url}/:caseId/resolution`, RESOLVE, caseCalls.requestResolution, {
    summary: 'Request to resolve a case; another person approves',
    handle: async ({ path, body: { amount, ...body }, user: { personId, by } }) =>
      answer(
        await requestResolution(engine, {
          ...path,
          ...body,
          actor: { personId, by },
          amount: amount === undefined ? null : parseAmount(amount),
        }),
      ),
  });
}

function answer(answered: CaseAnswer) {
  if (answered.type === 'REQUESTED') return { approvalId: answered.approvalId };
  if (answered.type === 'NO_SUCH_CASE') throw new ConsoleFailure('NOT_FOUND');
  throw refusalOf(answered);
}

function refusalOf(refusal: Exclude<CaseRefusal, { readonly type: 'NO_SUCH_CASE' }>): ConsoleFailure {
  switch (refusal.type) {
    case 'RESOLVED_BEFORE':
      return failureBecause('CONFLICT', 'CASE_RESOLVED');
    case 'REQUESTED_BEFORE':
      return failureBecause('CONFLICT', 'CASE_REQUESTED', { by: refusal.by });
    case 'NOT_ALLOWED':
      return failureBecause('CONFLICT', 'CASE_RESOLUTION_NOT_ALLOWED', {
        allowed: refusal.allowed.join(', '),
      });
    case 'AMOUNT_NEEDED':
      return failureBecause('CONFLICT', 'CASE_AMOUNT_MISSING');
    case 'AMOUNT_NOT_NEEDED':
      return failureBecause('CONFLICT', 'CASE_AMOUNT_NOT_ALLOWED');
    case 'PAYMENT_NOT_FINAL':
      return failureBecause('CONFLICT', 'CASE_PAYMENT_NOT_FINAL');
    case 'TRANSACTION_TAKEN':
    case 'CELL_SILENT':
      return failureBecause(
        'CONFLICT',
        refusal.type,
        factsOfTransaction(refusal),
        describeTransaction(refusal),
      );
  }
}

async function describeCase(parts: ConsoleParts, user: SignedInUser, found: CaseView) {
  const { merchantId, payment, approval } = found;
  return {
    ...show(found, 'caseId', 'merchantId', 'evidence', 'providerTransactionId', 'openedAt', 'kind'),
    ...show(found, 'paymentId', 'allowed', 'resolvedAt'),
    merchant: await teamName(parts, merchantId),
    payment: show(payment, 'state', 'amount', 'currency', 'provider'),
    needsAmount: needsAmount(found),
    approval: approval === null ? null : await describeApproval(parts, user, approval),
  };
}
