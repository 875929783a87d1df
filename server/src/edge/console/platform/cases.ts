// Cases of contradicting evidence: one of the host's people proposes a resolution, another approves it.
import type { FastifyInstance } from 'fastify';
import {
  approveResolution,
  proposeResolution,
  readCase,
  readCasePage,
  rejectResolution,
  type CaseAnswer,
  type CaseRefusal,
  type CaseView,
} from '../../../core/reconciliation/resolve-cases.ts';
import { needsAmount } from '../../../domain/reconciliation/cases.ts';
import { parseAmount, renderAmount } from '../../../domain/money.ts';
import {
  approveResolutionShape,
  listCasesShape,
  proposeResolutionShape,
  readCaseStatementShape,
  rejectResolutionShape,
} from '../../../wire/console/platform/case.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { done } from '../../../wire/console/shape.ts';
import { ConsoleFailure, NOT_INDEPENDENT } from '../failure.ts';
import { teamName } from '../sign-in/me.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoute, maySeeWords, type ConsoleParts } from '../route.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const REVEAL = { for: 'HOST', permission: 'cases:resolve' } as const;
const RESOLVE = { for: 'HOST', permission: 'cases:resolve', isDangerous: true } as const;

const url = '/host/cases';
const tag = 'host-cases';

export function registerCases(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'GET',
    url,
    access: READ,
    operationId: 'listCases',
    tag,
    summary: 'Cases that wait for people, the oldest first, or those that were resolved',
    shape: listCasesShape,
    handle: async ({ query, visitor }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const place = placeAfter(page);
      const cases = await readCasePage(engine, {
        isOpen: query.status === 'OPEN',
        after: place === null ? null : { at: place.at, caseId: place.id },
        countMax: page.countMax + 1,
      });
      const shown = await Promise.all(cases.map((found) => describeCase(parts, found, maySeeWords(visitor))));
      return renderPage(shown, page, {
        show: (found) => found,
        cursorOf: ({ resolvedAt, openedAt, caseId }) => [resolvedAt ?? openedAt, caseId],
      });
    },
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:caseId/statement`,
    access: REVEAL,
    operationId: 'readCaseStatement',
    tag,
    summary: 'What the operator said, word by word; it is written down who asked',
    shape: readCaseStatementShape,
    handle: async ({ path, visitor: { by } }) => {
      const found = await readCase(engine, { ...path, by });
      if (found === null) throw new ConsoleFailure('NOT_FOUND');
      return { statement: found.statement };
    },
  });
  registerResolving(app, parts);
}

function registerResolving(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine } = parts;
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:caseId/proposal`,
    access: RESOLVE,
    operationId: 'proposeResolution',
    tag,
    summary: 'Propose how to resolve a case',
    shape: proposeResolutionShape,
    handle: async ({ path, body: { amount, ...body }, visitor: { by } }) =>
      answer(
        await proposeResolution(engine, {
          ...path,
          ...body,
          by,
          amount: amount === undefined ? null : parseAmount(amount),
        }),
      ),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:caseId/approve`,
    access: RESOLVE,
    operationId: 'approveResolution',
    tag,
    summary: 'Approve what somebody else proposed; the money moves',
    shape: approveResolutionShape,
    handle: async ({ path, visitor: { by } }) => answer(await approveResolution(engine, { ...path, by })),
  });
  consoleRoute(app, parts, {
    method: 'POST',
    url: `${url}/:caseId/reject`,
    access: RESOLVE,
    operationId: 'rejectResolution',
    tag,
    summary: 'Take a proposal off the table, your own too',
    shape: rejectResolutionShape,
    handle: async ({ path, body, visitor: { by } }) =>
      answer(await rejectResolution(engine, { ...path, ...body, by })),
  });
}

function answer(answered: CaseAnswer) {
  if (answered.type === 'DONE') return done;
  if (answered.type === 'NO_SUCH_CASE') throw new ConsoleFailure('NOT_FOUND');
  throw new ConsoleFailure('CONFLICT', refusalText(answered));
}

function refusalText(refusal: Exclude<CaseRefusal, { readonly type: 'NO_SUCH_CASE' }>): string {
  switch (refusal.type) {
    case 'RESOLVED_BEFORE':
      return 'This case is resolved already.';
    case 'PROPOSED_BEFORE':
      return `${refusal.by} has proposed something already: approve or reject that first.`;
    case 'NOTHING_PROPOSED':
      return 'Nothing is proposed.';
    case 'NOT_ALLOWED':
      return `This case can be resolved by ${refusal.allowed.join(', ')} only.`;
    case 'AMOUNT_NEEDED':
      return "Say by how much the operator's statement and our books differ; 0 where they do not.";
    case 'AMOUNT_NOT_NEEDED':
      return "This case is about the payment's own amount.";
    case 'PAYMENT_NOT_FINAL':
      return 'The payment is not final: an answer of the operator could still move the same money.';
    case 'NOT_INDEPENDENT':
      return NOT_INDEPENDENT;
    case 'SAME_PERSON':
      return 'You proposed this yourself: another person approves.';
  }
}

async function describeCase(parts: ConsoleParts, found: CaseView, isOpenToThem: boolean) {
  const { caseId, merchantId, evidence, kind, paymentId, payment, allowed, proposal, approvedBy } = found;
  const { state, amount, currency, provider } = payment;
  return {
    caseId,
    merchantId,
    merchant: await teamName(parts, merchantId),
    evidence,
    providerTransactionId: found.providerTransactionId,
    openedAt: found.openedAt.toISOString(),
    kind,
    paymentId,
    payment: { state, amount: renderAmount(amount), currency, provider },
    allowed: [...allowed],
    needsAmount: needsAmount(found),
    proposal:
      proposal === null
        ? null
        : {
            resolution: proposal.resolution,
            amount: proposal.amount === null ? null : renderAmount(proposal.amount),
            by: proposal.by,
            at: proposal.at.toISOString(),
            reason: isOpenToThem ? found.reason : null,
          },
    approvedBy,
    resolvedAt: found.resolvedAt?.toISOString() ?? null,
  };
}
