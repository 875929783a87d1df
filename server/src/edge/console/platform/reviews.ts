// The review queue: one of the platform's people requests to release or reject a payment, another approves. And which
// payments of a merchant are reviewed: stricter at once, looser with a second approver.
import type { FastifyInstance } from 'fastify';
import { changeReviewRule, readReviewRules } from '../../../core/limits/set-review-rules.ts';
import {
  countOtherQueues,
  readReviewQueue,
  requestReview,
  type ReviewView,
} from '../../../core/reviews/decide-review.ts';
import { canonicalIdentifier } from '../../../domain/identifier.ts';
import {
  findRuleFault,
  findRuleKeyFault,
  type ReviewRuleKey,
  type ReviewRuleValues,
} from '../../../domain/limits/review.ts';
import { maskPhoneNumber } from '../../../domain/masking.ts';
import { parseAmount } from '../../../domain/money.ts';
import { reviewCalls } from '../../../wire/console/platform/review.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { show } from '../../../wire/console/show.ts';
import { describeApproval } from '../approvals.ts';
import { ConsoleFailure, failureBecause } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import {
  consoleRoutes,
  maySeeWords,
  orderedBy,
  requireMerchant,
  type ConsoleParts,
  type SignedInUser,
} from '../route.ts';
import { teamName } from '../sign-in/me.ts';

const READ = { for: 'HOST', permission: 'host:read' } as const;
const WRITE = { for: 'HOST', permission: 'risk:write', isDangerous: true } as const;

const url = '/host/reviews';
const rulesUrl = '/host/merchants/:merchantId/review-rules';

export function registerReviews(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-reviews');
  const { engine } = parts;
  route('GET', url, READ, reviewCalls.listReviews, {
    summary: 'Payments that people look at before they are sent, the oldest first',
    handle: async ({ query, user }) => {
      const page = requirePage(query, ['time', 'uuid']);
      const after = placeAfter(page);
      const held = await readReviewQueue(engine, { after, countMax: page.countMax + 1 });
      const shown = await Promise.all(
        held.map(async (one) => ({ one, row: await describeReview(parts, user, one) })),
      );
      const rendered = renderPage(shown, page, {
        show: ({ row }) => row,
        cursorOf: ({ one, row }) => [row.createdAt, one.paymentNo],
      });
      const { waiting, missingCells } = await countOtherQueues(engine);
      return { ...rendered, otherCells: [...waiting], missingCells: [...missingCells] };
    },
  });
  route('POST', url, WRITE, reviewCalls.requestReview, {
    summary: 'Request that a payment is sent or rejected; another person approves',
    handle: async ({ body: { merchantId, kind, paymentId, decision, reason }, user: { personId, by } }) => {
      await requireMerchant(parts, merchantId);
      const key = { merchantId, kind, paymentId: canonicalIdentifier(paymentId) };
      const answer = await requestReview(engine, { actor: { personId, by }, key, decision, reason });
      if (answer.type === 'NOT_HELD') throw failureBecause('CONFLICT', 'REVIEW_NOT_HELD');
      if (answer.type === 'REQUESTED_BEFORE') throw failureBecause('CONFLICT', 'REVIEW_REQUESTED');
      return { approvalId: answer.approvalId };
    },
  });
  route('GET', rulesUrl, READ, reviewCalls.listReviewRules, {
    summary: 'Which payments of a merchant are screened, or held for people',
    handle: async ({ path, user }) => {
      const rules = await readReviewRules(engine, path.merchantId);
      const described = rules.map(async ({ approval, ...rule }) => ({
        ...show(rule, 'rule', 'subject', 'withoutAnswer', 'amountAbove', 'hours', 'isDefault'),
        approval: approval === null ? null : await describeApproval(parts, user, approval),
      }));
      return { rules: await Promise.all(described) };
    },
  });
  route('PUT', rulesUrl, WRITE, reviewCalls.setReviewRule, {
    summary: 'Set a rule; a looser one is requested',
    handle: async ({ path, body: { rule, subject, ...body }, user }) => {
      const amountAbove = body.amountAbove === null ? null : parseAmount(body.amountAbove);
      const values = { ...body, amountAbove };
      return change(parts, user, { ...path, key: { rule, subject }, values });
    },
  });
  route('POST', `${rulesUrl}/remove`, WRITE, reviewCalls.removeReviewRule, {
    summary: 'Request that a rule is removed',
    handle: async ({ path, body, user }) => change(parts, user, { ...path, key: body, values: null }),
  });
}

type Change = {
  readonly merchantId: string;
  readonly key: ReviewRuleKey;
  readonly values: ReviewRuleValues | null;
};

async function change(parts: ConsoleParts, user: SignedInUser, wanted: Change) {
  const { merchantId, key, values } = wanted;
  await requireMerchant(parts, merchantId);
  const fault = values === null ? findRuleKeyFault(key) : findRuleFault({ ...key, ...values });
  if (fault !== null) throw failureBecause('INVALID_INPUT', 'REVIEW_RULE_INVALID');
  const outcome = await changeReviewRule(parts.engine, { ...wanted, ...orderedBy(parts, user) });
  if (outcome === 'NOT_FOUND') throw new ConsoleFailure('NOT_FOUND');
  return { outcome };
}

async function describeReview(parts: ConsoleParts, user: SignedInUser, found: ReviewView) {
  const { payment, approval, merchantId, reasons, reason } = found;
  return {
    ...show(found, 'merchantId', 'kind', 'paymentId', 'createdAt', 'endsAt'),
    ...show(payment, 'amount', 'currency', 'provider'),
    merchant: await teamName(parts, merchantId),
    phoneNumber: maskPhoneNumber(payment.details.phoneNumber),
    reasons: [...reasons],
    reason: maySeeWords(user) ? reason : null,
    approval: approval === null ? null : await describeApproval(parts, user, approval),
  };
}
