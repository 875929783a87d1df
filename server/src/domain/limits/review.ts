// Reviews: what the platform's screening service, or people, look at before a payment is sent. Pure.
import { renderAmount, type Amount } from '../money.ts';
import type { PaymentKind } from '../payments/payment.ts';
import { listProviders } from '../operators/catalogue.ts';

export const REVIEW_RULES = ['SCREENING', 'FIRST_RECIPIENT', 'COOLING_OFF'] as const;
export type ReviewRuleName = (typeof REVIEW_RULES)[number];

/** What the screening service says, and what is done where it says nothing. Deposits are never held. */
export const VERDICTS = ['ALLOW', 'HOLD', 'REJECT'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** The strictest last. */
export const WITHOUT_ANSWER = ['NOT_ASKED', ...VERDICTS] as const;
export type WithoutAnswer = (typeof WITHOUT_ANSWER)[number];

/** SCREENING is about a kind of payment, the others about a currency. */
export type ReviewRuleKey = { readonly rule: ReviewRuleName; readonly subject: string };

export type ReviewRuleValues = {
  /** Of SCREENING. */
  readonly withoutAnswer: WithoutAnswer | null;
  /** Of the others: only what is more than this is looked at. */
  readonly amountAbove: Amount | null;
  /** Of COOLING_OFF: how long it lasts after a change. */
  readonly hours: number | null;
};

export type ReviewRule = ReviewRuleKey & ReviewRuleValues;

export const COOLING_OFF_HOURS_MAX = 720;

/** Why people look at a payment. */
export const REVIEW_REASONS = ['SCREENED', 'NO_ANSWER', 'FIRST_RECIPIENT', 'COOLING_OFF'] as const;
export type ReviewReason = (typeof REVIEW_REASONS)[number];

export const REVIEW_DECISIONS = ['RELEASE', 'REJECT'] as const;
export type ReviewDecision = (typeof REVIEW_DECISIONS)[number];

export function reviewRuleName({ rule, subject }: ReviewRuleKey): string {
  return `${rule} ${subject}`;
}

/** For people who read it in a terminal or a log. */
export function describeReviewRule({ withoutAnswer, amountAbove, hours }: ReviewRuleValues): string {
  if (amountAbove === null) return withoutAnswer ?? '';
  const above = `above ${renderAmount(amountAbove)}`;
  return hours === null ? above : `${above}, ${hours} hours`;
}

/** The merchant's rules, and the defaults that none of them replaces. */
export function withDefaultRules(
  own: readonly ReviewRule[],
  defaults: readonly ReviewRule[],
): readonly ReviewRule[] {
  const names = new Set(own.map(reviewRuleName));
  return [...own, ...defaults.filter((rule) => !names.has(reviewRuleName(rule)))];
}

/** What a kind of payment is screened with; null where the service is not asked. */
export function screeningOf(rules: readonly ReviewRule[], kind: PaymentKind): Verdict | null {
  const found = rules.find(({ rule, subject }) => rule === 'SCREENING' && subject === kind);
  const withoutAnswer = found?.withoutAnswer ?? 'NOT_ASKED';
  return withoutAnswer === 'NOT_ASKED' ? null : withoutAnswer;
}

type Sent = { readonly kind: PaymentKind; readonly amount: Amount; readonly currency: string };

/** The rule of this name that concerns the payment. A refund goes back to where the money came from. */
export function brakeOn(
  rules: readonly ReviewRule[],
  name: Exclude<ReviewRuleName, 'SCREENING'>,
  { kind, amount, currency }: Sent,
): ReviewRule | null {
  if (kind !== 'PAYOUT' && kind !== 'REMITTANCE') return null;
  const found = rules.find(({ rule, subject }) => rule === name && subject === currency);
  return found !== undefined && amount > (found.amountAbove ?? 0n) ? found : null;
}

/** Whether less is looked at than before. Null: there is no such rule. */
export function isLooserRule(after: ReviewRuleValues | null, before: ReviewRuleValues | null): boolean {
  if (before === null) return false;
  const strictness = ({ withoutAnswer }: ReviewRuleValues) =>
    WITHOUT_ANSWER.indexOf(withoutAnswer ?? 'NOT_ASKED');
  if (before.withoutAnswer !== null) return (after === null ? 0 : strictness(after)) < strictness(before);
  if (after === null) return true;
  return (after.amountAbove ?? 0n) > (before.amountAbove ?? 0n) || (after.hours ?? 0) < (before.hours ?? 0);
}

export type ReviewRuleFault =
  | 'KIND_UNKNOWN'
  | 'CURRENCY_UNKNOWN'
  | 'VALUES_MISSING'
  | 'VALUES_NOT_ALLOWED'
  | 'DEPOSIT_HELD';

const SCREENED_KINDS: readonly string[] = ['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE'];

export function findRuleKeyFault({ rule, subject }: ReviewRuleKey): ReviewRuleFault | null {
  if (rule === 'SCREENING') return SCREENED_KINDS.includes(subject) ? null : 'KIND_UNKNOWN';
  const isKnown = listProviders().some(({ currencies }) =>
    currencies.some(({ currency }) => currency === subject),
  );
  return isKnown ? null : 'CURRENCY_UNKNOWN';
}

export function findRuleFault(rule: ReviewRule): ReviewRuleFault | null {
  const { withoutAnswer, amountAbove, hours } = rule;
  const fault = findRuleKeyFault(rule);
  if (fault !== null) return fault;
  const wanted = {
    SCREENING: [true, false, false],
    FIRST_RECIPIENT: [false, true, false],
    COOLING_OFF: [false, true, true],
  }[rule.rule];
  const given = [withoutAnswer, amountAbove, hours].map((value) => value !== null);
  if (wanted.some((isWanted, at) => isWanted && given[at] !== true)) return 'VALUES_MISSING';
  if (wanted.some((isWanted, at) => !isWanted && given[at] === true)) return 'VALUES_NOT_ALLOWED';
  return rule.subject === 'DEPOSIT' && withoutAnswer === 'HOLD' ? 'DEPOSIT_HELD' : null;
}
