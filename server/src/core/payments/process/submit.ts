// Sends payments to operators, each at most once for each permission. Permission is the committed claim: the
// transition to PROCESSING that inserts the attempt. A process that did not make it only enquires.
import { unansweredSubmit } from '../../../connectors/evidence.ts';
import {
  type Connector,
  type SendPermission,
  type SubmitAnswer,
  type SubmitRequest,
} from '../../../connectors/port.ts';
import type { Outcome } from '../../../domain/payments/outcome.ts';
import { isPermitted, listLatestAttempts, type Attempt } from '../../../store/payments/attempts.ts';
import { listDueSubmits, postpone } from '../../../store/payments/due-steps.ts';
import { listPayments, type StoredPayment } from '../../../store/payments/payments.ts';
import type { Engine, TimedStore } from '../../engine.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';
import { advance, claimDueSubmits, type Advance, type Advanced, type Claiming } from './advance.ts';
import { listBeyondReach } from '../../operators/attempt-account.ts';
import { countOutcome } from '../../operators/call-meter.ts';
import { AboutPayment } from '../../payment-log.ts';
import { outcomeText } from '../../operators/validate-answer.ts';
import {
  callOf,
  connectorFor,
  orderFor,
  permissionFor,
  storedAttemptFor,
} from '../../operators/operator-calls.ts';
import { hasAccounts } from '../../operators/operator-accounts.ts';
import { addMs } from '../../../domain/time.ts';
import { withinBudget } from './submit-budget.ts';

/** A payment this process may send, until the attempt's deadline. */
export type Claimed = {
  readonly payment: StoredPayment;
  readonly attempt: Attempt;
  /** The slot of the operator's rate budget that was taken for it. */
  readonly slotAt?: number | undefined;
};

export type Claims = {
  /** Of how many payments the step was due. */
  readonly count: number;
  readonly claimed: readonly Claimed[];
};

/** How many, and whose not. */
type Wanted = Claiming;

/** Claims payments that wait to be sent. */
export async function claimSubmits(engine: Engine, wanted: Wanted): Promise<Claims> {
  const advanced = await claimDueSubmits(engine, wanted);
  return { count: advanced.length, claimed: advanced.flatMap(claimedBy) };
}

/**
 * The same one by one, for when claiming together failed: one bad row must cost only itself. It stands back for
 * `postponeMs`.
 */
export async function claimSubmitsAlone(
  engine: Engine,
  options: Wanted & {
    readonly postponeMs: number;
    readonly onError: (error: unknown) => void;
  },
): Promise<Claims> {
  const { database } = engine.store;
  const { countMax, except, floors, allow, postponeMs, onError } = options;
  const listedAt = engine.clockCheck.notBehind(engine.clock.now());
  const due = await listDueSubmits(database, { now: listedAt, countMax, except, floors });
  const keys = allow === undefined ? due : withinBudget(due, await allow(due));
  const claimed: Claimed[] = [];
  for (const key of keys) {
    try {
      claimed.push(
        ...(await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }])).flatMap(claimedBy),
      );
    } catch (error) {
      onError(new AboutPayment(key, error));
      await inTimedTransaction(engine, (tx, now) =>
        postpone(tx, key, { action: 'SUBMIT', now, until: addMs(now, postponeMs) }),
      );
    }
  }
  return { count: keys.length, claimed };
}

function claimedBy(advanced: Advanced): readonly Claimed[] {
  if (advanced.type !== 'MOVE' || advanced.attempt === null || !isPermitted(advanced.attempt)) return [];
  return [{ payment: advanced.payment, attempt: advanced.attempt }];
}

/** The step that sends under this permission, by its name in the payment's trace. */
export function submitStep({ sendCount }: Attempt): string {
  return `submit ${sendCount}`;
}

/** Sends one claimed payment and answers the event its outcome is. Never throws for what an operator does. */
export async function sendClaimed(engine: Engine, claimed: Claimed): Promise<Advance> {
  const { payment, attempt, slotAt } = claimed;
  const connector = connectorFor(engine, payment);
  const startedAt = performance.now();
  const permission = permissionFor(engine, attempt);
  // A permission that ended before the call was made tells of our own lateness, not of the operator.
  const isMeasured = permission.isOpen();
  const answer = await submit(engine, connector, { payment, attempt, permission: { ...permission, slotAt } });
  const seconds = (performance.now() - startedAt) / 1_000;
  engine.observer.operatorAnswered(connector.name, 'submit', outcomeText(answer.outcome), seconds);
  if (answer.alert !== undefined) engine.observer.alerted(connector.name, answer.alert);
  engine.tracer.record({
    key: payment,
    name: 'operator submit',
    within: submitStep(attempt),
    since: startedAt,
    ...callOf(payment, answer.outcome),
  });
  if (isMeasured) countOutcome(engine.callMeter, { ...payment, step: 'SUBMIT' }, answer.outcome);
  return answerOf(claimed, answer, { isGivenUp: await isGivenUp(engine, payment, answer) });
}

type Submission = Claimed & { readonly permission: SendPermission };

/** What fails before the socket write, such as a database that does not answer, leaves the payment unsent. */
async function submit(engine: Engine, connector: Connector, submission: Submission): Promise<SubmitAnswer> {
  const { payment, attempt } = submission;
  const { slotAt } = submission.permission;
  let mayBeWritten = false;
  const isOpen = () => {
    const isGranted = submission.permission.isOpen();
    mayBeWritten ||= isGranted;
    return isGranted;
  };
  const order = orderFor(engine, payment, attempt);
  try {
    return await submitTo(engine, connector, { payment, order, permission: { isOpen, slotAt } });
  } catch (error) {
    if (mayBeWritten) throw error;
    const evidence = JSON.stringify({ step: 'submit', error: 'FAILED_HERE', sent: false });
    return { outcome: { type: 'UNKNOWN', reason: 'NOT_SENT' }, evidence, alert: 'FAILED_HERE' };
  }
}

type Sending = { payment: StoredPayment; order: SubmitRequest; permission: SendPermission };

async function submitTo(engine: Engine, connector: Connector, sending: Sending): Promise<SubmitAnswer> {
  if (sending.payment.kind === 'REFUND') return submitRefund(engine, connector, sending);
  return lacksAccount(sending)
    ? unansweredSubmit(NO_ACCOUNT)
    : connector.submit(sending.order, sending.permission);
}

/** Nothing is sent with an account that the attempt does not name: it could not be asked about afterwards. */
function lacksAccount({ payment, order }: Sending): boolean {
  return hasAccounts(payment.connector) && order.account === undefined;
}

const NO_ACCOUNT = { type: 'SILENCE', error: 'NO_CREDENTIALS', sent: false } as const;

/** Only the account of a deposit can reverse it. Nothing was sent and no one else may send, so this is certain. */
const ACCOUNT_RETIRED: SubmitAnswer = {
  outcome: { type: 'FAILED', code: 'OTHER_ERROR' },
  evidence: JSON.stringify({ step: 'submit', error: 'ACCOUNT_RETIRED', sent: false }),
  alert: 'ACCOUNT_RETIRED',
};

/** Some operators refund by naming the original transaction, so it goes along. */
async function submitRefund(
  engine: Engine,
  connector: Connector,
  { payment, order, permission }: Sending,
): Promise<SubmitAnswer> {
  const { merchantId, depositId = '' } = payment;
  const key = { merchantId, kind: 'DEPOSIT', paymentId: depositId } as const;
  const { database, keyring } = engine.store;
  const [deposit] = await listPayments(database, keyring, [key]);
  const [attempt] = await listLatestAttempts(database, [key]);
  if (connector.refund === undefined || deposit === undefined || attempt === undefined) {
    throw new Error(`refund ${payment.paymentId} cannot be sent: ${connector.name} has no way to`);
  }
  // What its own attempt says goes before what the deposit's says: both may name an account that is gone.
  const sentWith = order.account === undefined ? attempt : { ...attempt, refundAccount: order.account };
  const unreachable = await listBeyondReach(engine, database, [{ attempt: sentWith, refund: payment }]);
  if (unreachable.size > 0) return ACCOUNT_RETIRED;
  if (lacksAccount({ payment, order, permission })) return unansweredSubmit(NO_ACCOUNT);
  return connector.refund.submit(
    { ...order, original: storedAttemptFor(engine, deposit, attempt) },
    permission,
  );
}

/** What an order must name is asked for this long. Nothing was sent, so its end is certain. */
const PROOF_AWAITED_MS = 24 * 3_600_000;

/** A time that cannot be read ends no payment. */
async function isGivenUp(
  { clock, store }: TimedStore,
  { createdAt }: StoredPayment,
  { outcome }: SubmitAnswer,
): Promise<boolean> {
  if (outcome.type !== 'UNKNOWN' || outcome.reason !== 'NOT_YET') return false;
  const now = await clock.timeOf(store.database).catch(() => createdAt);
  return now >= addMs(createdAt, PROOF_AWAITED_MS);
}

function answerOf(
  { payment, attempt }: Claimed,
  answer: SubmitAnswer,
  { isGivenUp: isOver }: { readonly isGivenUp: boolean },
): Advance {
  const { evidence, providerReference } = answer;
  const outcome: Outcome = isOver ? { type: 'FAILED', code: 'OTHER_ERROR' } : answer.outcome;
  const { sendCount } = attempt;
  const isRefused = outcome.type === 'FAILED';
  return {
    key: payment,
    // A refusal that is stored late says nothing of what was sent again meanwhile, and names nothing to ask about.
    event: isGivenBack(attempt, outcome)
      ? { type: 'SUBMIT_UNSENT', sendCount }
      : { type: 'OPERATOR_ANSWERED', outcome, ...(isRefused ? { sendCount } : {}) },
    evidence,
    ...(providerReference === undefined || isRefused ? {} : { providerReference }),
  };
}

/** Nothing was written, now or under an earlier permission: a payment that was sent before is asked about instead. */
function isGivenBack({ sendCount, unsentCount }: Attempt, outcome: Outcome): boolean {
  if (outcome.type !== 'UNKNOWN' || unsentCount !== sendCount - 1) return false;
  return ['NOT_SENT', 'RATE_LIMITED_HERE', 'NOT_YET'].includes(outcome.reason);
}
