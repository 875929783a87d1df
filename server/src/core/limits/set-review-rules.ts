// Sets rules of reviews. One person may have more payments looked at; to have fewer takes a request and an approval.
import type { ApprovalRequests } from '../../domain/approval.ts';
import {
  isLooserRule,
  reviewRuleName,
  type ReviewRule,
  type ReviewRuleKey,
  type ReviewRuleValues,
} from '../../domain/limits/review.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import { listApprovalsOf } from '../../store/approvals/approvals.ts';
import type { Tx } from '../../store/database.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import {
  deleteReviewRule,
  findReviewRule,
  listReviewRules,
  setReviewRule,
} from '../../store/reviews/review-rules.ts';
import { withDefaultRules } from '../../domain/limits/review.ts';
import { endPending } from '../approvals/decide.ts';
import { merchantOf, type Executor } from '../approvals/executor.ts';
import { openApproval, type ReadApproval } from '../approvals/read.ts';
import { isNeeded, requestApproval, type Ordered, type Outcome } from '../approvals/request.ts';
import { record, type Actor } from '../audit.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import type { Engine, TimedStore } from '../engine.ts';

type OfMerchant = { readonly merchantId: string; readonly key: ReviewRuleKey };

/** `values` is null where the rule is to be removed: then the default counts, where there is one. */
export type ReviewRuleOrder = Ordered & OfMerchant & { readonly values: ReviewRuleValues | null };

/** Either outcome ends what was requested about this rule before. */
export async function changeReviewRule(
  engine: Engine,
  order: ReviewRuleOrder,
): Promise<Outcome | 'NOT_FOUND'> {
  const { merchantId, actor, key, values } = order;
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const before = await findReviewRule(tx, { ...key, merchantId });
    if (values === null && before === null) return 'NOT_FOUND';
    const subject = reviewRuleName(key);
    const usual = engine.defaultReviewRules.find((rule) => reviewRuleName(rule) === subject) ?? null;
    await endPending(engine, tx, { kind: 'REVIEW_RULE', merchantId, subject, by: actor });
    if (!isLooserRule(values ?? usual, before ?? usual) || !isNeeded(order)) {
      await write(engine, tx, { merchantId, key, values, by: actor.by });
      return 'DONE';
    }
    const request = requestOf(key, values);
    await requestApproval(engine, tx, { actor, merchantId, kind: 'REVIEW_RULE', subject, request });
    return 'REQUESTED';
  });
}

export const reviewRuleExecutor: Executor<'REVIEW_RULE'> = {
  show: ({ rule, subject, withoutAnswer, amountAbove, hours }) => ({
    rule: reviewRuleName({ rule, subject }),
    withoutAnswer: withoutAnswer ?? 'none',
    amountAbove: amountAbove ?? 'none',
    hours: hours === null ? 'none' : String(hours),
  }),
  execute: async ({ engine, tx, approval, decider: { by } }) => {
    const { rule, subject, withoutAnswer, amountAbove, hours } = approval.request;
    const isRemoved = withoutAnswer === null && amountAbove === null;
    const amount = amountAbove === null ? null : parseAmount(amountAbove);
    const values = isRemoved ? null : { withoutAnswer, amountAbove: amount, hours };
    await write(engine, tx, { merchantId: merchantOf(approval), key: { rule, subject }, values, by });
  },
};

type Written = Actor & Pick<ReviewRuleOrder, 'merchantId' | 'key' | 'values'>;

async function write(engine: TimedStore, tx: Tx, { by, merchantId, key, values }: Written): Promise<void> {
  if (values === null) await deleteReviewRule(tx, { ...key, merchantId });
  else await setReviewRule(tx, { ...key, ...values, merchantId });
  const { withoutAnswer, amountAbove, hours } = requestOf(key, values);
  const act = values === null ? 'REVIEW_RULE_REMOVED' : 'REVIEW_RULE_SET';
  const detail = { withoutAnswer, amountAbove, hours };
  await record(engine, tx, [{ by, act, merchantId, subject: reviewRuleName(key), detail }]);
}

function requestOf(
  { rule, subject }: ReviewRuleKey,
  values: ReviewRuleValues | null,
): ApprovalRequests['REVIEW_RULE'] {
  const { withoutAnswer = null, amountAbove = null, hours = null }: Partial<ReviewRuleValues> = values ?? {};
  const amount = amountAbove === null ? null : renderAmount(amountAbove);
  return { rule, subject, withoutAnswer, amountAbove: amount, hours };
}

export type ReviewRuleView = ReviewRule & {
  /** It counts for every merchant that has no other one of this name. */
  readonly isDefault: boolean;
  /** The request to loosen or remove it, while that is pending. */
  readonly approval: ReadApproval<'REVIEW_RULE'> | null;
};

export async function readReviewRules(
  engine: Engine,
  merchantId: string,
): Promise<readonly ReviewRuleView[]> {
  const { store, defaultReviewRules } = engine;
  const rules = withDefaultRules(await listReviewRules(store.database, merchantId), defaultReviewRules);
  const subjects = rules.map(reviewRuleName);
  const of = { kind: 'REVIEW_RULE', merchantIds: [merchantId], subjects } as const;
  const approvals = await listApprovalsOf(store.database, of);
  await loadDataKeys(store, [merchantId]);
  return rules.map((rule) => {
    const approval = approvals.get(reviewRuleName(rule));
    return {
      ...rule,
      isDefault: defaultReviewRules.includes(rule),
      approval: approval?.status === 'PENDING' ? openApproval(engine, approval) : null,
    };
  });
}
