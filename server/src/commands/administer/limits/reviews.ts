// The review queue, and which payments are screened or held for people.
import { askedByCommand } from '../../../core/approvals/request.ts';
import type { Engine } from '../../../core/engine.ts';
import {
  changeReviewRule,
  readReviewRules,
  type ReviewRuleOrder,
} from '../../../core/limits/set-review-rules.ts';
import {
  countOtherQueues,
  readReviewQueue,
  requestReview,
  type ReviewView,
} from '../../../core/reviews/decide-review.ts';
import {
  describeReviewRule,
  findRuleFault,
  findRuleKeyFault,
  REVIEW_RULES,
  reviewRuleName,
  WITHOUT_ANSWER,
  type ReviewDecision,
  type ReviewRuleFault,
  type ReviewRuleKey,
  type ReviewRuleValues,
} from '../../../domain/limits/review.ts';
import { parseAmount } from '../../../domain/money.ts';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { gatewayCommand, merchantCommand, nothing, REQUESTED } from '../../command.ts';
import { print, refuse, row } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';
import { renderMoney } from '../../terminal/money.ts';

const PAYMENT = '--merchant ID --kind PAYOUT|REFUND|REMITTANCE --payment ID';
const RULE = '--merchant ID --rule SCREENING|FIRST_RECIPIENT|COOLING_OFF [--kind PAYOUT] [--currency RWF]';

/** As many of the queue at once. */
const PAGE = 100;

export const reviewCommands = {
  'review list': gatewayCommand({
    usage: '',
    summary: 'list payments of this cell that wait for people, and how many wait in other cells',
    read: nothing,
    run: async ({ engine }) => {
      await printQueue(engine);
      const { waiting, missingCells } = await countOtherQueues(engine);
      for (const { cell, count } of waiting) print(row('cell', cell, count));
      if (missingCells.length > 0) refuse(`Not known of ${missingCells.join(', ')}: no answer from there.`);
    },
  }),
  'review release': decisionCommand('RELEASE', 'send a held payment, after approval'),
  'review reject': decisionCommand('REJECT', 'fail a held payment (OTHER_ERROR), after approval'),
  'review-rule set': merchantCommand({
    usage: `${RULE} [--without-answer ALLOW|HOLD|REJECT|NOT_ASKED] [--amount-above 500000] [--hours 24] --by NAME`,
    summary: 'screen payments, or hold large payouts; a looser rule needs approval',
    read: (options) => ({ by: options.person(), key: readKey(options), values: readValues(options) }),
    run: async (engine, order) => change(engine, order),
  }),
  'review-rule remove': merchantCommand({
    usage: `${RULE} --by NAME`,
    summary: 'remove a rule, after approval',
    read: (options) => ({ by: options.person(), key: readKey(options), values: null }),
    run: async (engine, order) => change(engine, order),
  }),
  'review-rule list': merchantCommand({
    usage: '--merchant ID',
    summary: 'list rules, and which are defaults',
    read: nothing,
    run: async (engine, { merchantId }) => {
      for (const rule of await readReviewRules(engine, merchantId))
        print(row(reviewRuleName(rule), describeReviewRule(rule), rule.isDefault ? 'default' : ''));
    },
  }),
};

async function printQueue(engine: Engine): Promise<void> {
  let after: { readonly at: Date; readonly id: string } | null = null;
  for (;;) {
    const page: readonly ReviewView[] = await readReviewQueue(engine, { after, countMax: PAGE });
    for (const found of page) print(renderReview(found));
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = { at: last.createdAt, id: last.paymentNo };
  }
}

function decisionCommand(decision: ReviewDecision, summary: string) {
  return merchantCommand({
    usage: `${PAYMENT} --reason TEXT --by NAME`,
    summary,
    read: (options) => ({
      by: options.person(),
      kind: options.oneOf('kind', PAYMENT_KINDS),
      paymentId: options.uuid('payment'),
      reason: options.reason(),
    }),
    run: async (engine, { by, merchantId, kind, paymentId, reason }) => {
      const { actor } = askedByCommand(engine, by);
      const answer = await requestReview(engine, {
        actor,
        key: { merchantId, kind, paymentId },
        decision,
        reason,
      });
      if (answer.type === 'NOT_HELD') refuse('This payment does not wait for a decision.');
      else if (answer.type === 'REQUESTED_BEFORE') refuse('A decision is pending approval already.');
      else print(engine.environment === 'production' ? REQUESTED : `requested: ${answer.approvalId}`);
    },
  });
}

function renderReview({
  payment,
  reasons,
  endsAt,
  approval,
  merchantId,
  kind,
  paymentId,
}: ReviewView): string {
  const requested = approval === null ? '' : `${approval.request.decision} by ${approval.requestedBy.by}`;
  const money = renderMoney(payment.amount, payment);
  return row(merchantId, kind, paymentId, money, reasons.join(' '), payment.createdAt, endsAt, requested);
}

async function change(
  engine: Engine,
  { by, ...order }: Pick<ReviewRuleOrder, 'merchantId' | 'key' | 'values'> & { readonly by: string },
): Promise<void> {
  switch (await changeReviewRule(engine, { ...order, ...askedByCommand(engine, by) })) {
    case 'DONE':
      return print('done; it counts within ten seconds');
    case 'REQUESTED':
      return print(REQUESTED);
    case 'NOT_FOUND':
      return refuse('There is no such rule.');
  }
}

const FAULTS: Readonly<Record<ReviewRuleFault, string>> = {
  KIND_UNKNOWN: '--kind must be DEPOSIT, PAYOUT, REFUND or REMITTANCE for the rule SCREENING.',
  CURRENCY_UNKNOWN: '--currency must be one that a provider has, such as RWF.',
  VALUES_MISSING:
    'SCREENING needs --without-answer, FIRST_RECIPIENT --amount-above, COOLING_OFF --amount-above ' +
    'and --hours.',
  VALUES_NOT_ALLOWED: 'Leave out the options that belong to another rule.',
  DEPOSIT_HELD: 'A deposit cannot be held: its payer waits. Use ALLOW or REJECT.',
};

function readKey(options: Options): ReviewRuleKey {
  const rule = options.oneOf('rule', REVIEW_RULES);
  const subject = options.textOrNull(rule === 'SCREENING' ? 'kind' : 'currency') ?? '';
  const fault = findRuleKeyFault({ rule, subject });
  if (fault !== null) throw new UsageError(FAULTS[fault]);
  return { rule, subject };
}

function readValues(options: Options): ReviewRuleValues {
  const [amount, hours] = [options.textOrNull('amount-above'), options.textOrNull('hours')];
  const amountAbove = amount === null ? null : parseAmount(amount);
  if (amount !== null && amountAbove === null)
    throw new UsageError('--amount-above must be an amount such as 500000 or 12.5.');
  if (hours !== null && !(/^\d{1,3}$/.test(hours) && Number(hours) >= 1 && Number(hours) <= 720))
    throw new UsageError('--hours must be a whole number from 1 to 720.');
  const values = {
    withoutAnswer: options.isGiven('without-answer') ? options.oneOf('without-answer', WITHOUT_ANSWER) : null,
    amountAbove,
    hours: hours === null ? null : Number(hours),
  };
  const fault = findRuleFault({ ...readKey(options), ...values });
  if (fault !== null) throw new UsageError(FAULTS[fault]);
  return values;
}
