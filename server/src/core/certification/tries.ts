// How the cases of a certification are tried, and what is found.
import { factsOf, type RawNotification } from '../../connectors/port.ts';
import type { Outcome, UnknownReason } from '../../domain/payments/outcome.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { outcomeText } from '../operators/validate-answer.ts';
import { isForged, readNotification } from '../payments/notifications/read-notification.ts';
import { askBalance, watchBalance } from './balance.ts';
import { failed, notTried, proved, type Finding } from './finding.ts';
import { askAgain, askUnsent, isAskable, pay, repeat, UNHEARD, type Followed, type Trial } from './trial.ts';

/** Who it is stays with the operator: only whether there was a name is recorded. */
export async function readHolder({ connector, order }: Trial): Promise<Finding> {
  const { code: provider, country } = order.provider;
  const phoneNumber = order.numbers.paying ?? '';
  const answer = await connector.holder?.({ provider, country, currency: order.currency, phoneNumber });
  const name = answer?.name === null ? 'without a name' : 'with a name';
  return answer?.status === 'ACTIVE' ? proved(`ACTIVE, ${name}`) : failed(`the answer was ${answer?.status}`);
}

export async function askUnknown(trial: Trial): Promise<Finding> {
  const operation = unsentKind(trial) ?? 'DEPOSIT';
  const said = await askUnsent(trial, operation);
  const isSilent =
    factsOf(trial.connector, operation).neverSaysNotSeen === true ||
    trial.certification.withoutNotSeen?.includes(trial.order.provider.code) === true;
  return mustBe(said, isSilent ? ['NOT_SEEN', 'PENDING', 'UNKNOWN'] : ['NOT_SEEN']);
}

/** The kind of payment that can be asked about by our reference. */
export function unsentKind({ connector, order }: Trial): PaymentKind | undefined {
  const kinds = ['DEPOSIT', 'PAYOUT'] as const;
  return kinds.find(
    (operation) => order.account.kinds.includes(operation) && isAskable(connector, { operation }),
  );
}

export async function tryPayment(trial: Trial, name: string, operation: PaymentKind): Promise<Finding> {
  const { paying: phoneNumber = '' } = trial.order.numbers;
  if (operation === 'DEPOSIT') trial.tell(`${name}: approve the payment on the phone of --number`);
  return mustBe(await pay(trial, { name, operation, phoneNumber }), ['COMPLETED']);
}

/** As after a lost answer: by our reference alone, where the operator keeps it. */
export async function tryStatus(trial: Trial, name: string): Promise<Finding> {
  return sameAs(trial, name, await askAgain(trial, paymentOf(trial, name)));
}

/** A second charge can have a number of its own: then no enquiry finds it, and only the balance shows it. */
export async function tryRepeat(trial: Trial, name: string): Promise<Finding> {
  const made = paymentOf(trial, name);
  const { operation } = made.attempt;
  const before = await askBalance(trial, `${name}-repeated`, operation);
  if (operation === 'DEPOSIT') trial.tell(`${name}-repeated: if the phone asks again, approve`);
  const said = await repeat(trial, made);
  if (said.type === 'FAILED') return failed(`the repeat was answered ${outcomeText(said)}`);
  const same = sameAs(trial, name, await askAgain(trial, made));
  if (same.result !== 'PROVED') return same;
  return watchBalance(trial, before, { name: `${name}-repeated`, operation });
}

export async function tryRefused(trial: Trial, name: string, operation: PaymentKind): Promise<Finding> {
  const { refusing: phoneNumber = '' } = trial.order.numbers;
  if (operation === 'DEPOSIT') trial.tell(`${name}: refuse the payment on the phone of --refusing-number`);
  return mustBe(await pay(trial, { name, operation, phoneNumber }), ['FAILED']);
}

export async function tryUnanswered(trial: Trial): Promise<Finding> {
  const { silent: phoneNumber = '' } = trial.order.numbers;
  const name = 'deposit-unanswered';
  trial.tell(`${name}: do not answer on the phone of --silent-number`);
  const said = await pay(trial, { name, operation: 'DEPOSIT', phoneNumber, awaitsEnd: false });
  return mustBe(said, ['PENDING', 'UNKNOWN']);
}

export async function tryRefund(trial: Trial): Promise<Finding> {
  const { attempt, outcome } = paymentOf(trial, 'deposit');
  const transaction = outcome.type === 'COMPLETED' ? outcome.providerTransactionId : undefined;
  const providerTransactionId = transaction ?? attempt.provedReceipt;
  if (trial.connector.refund?.mode === 'REVERSAL' && providerTransactionId === undefined) {
    return notTried('the deposit has no receipt, and only a receipt can be reversed');
  }
  const original = { ...attempt, ...(providerTransactionId === undefined ? {} : { providerTransactionId }) };
  const { phoneNumber } = attempt;
  return mustBe(await pay(trial, { name: 'refund', operation: 'REFUND', phoneNumber, original }), [
    'COMPLETED',
  ]);
}

export async function readMessage(trial: Trial): Promise<Finding> {
  const { reference } = paymentOf(trial, 'deposit').attempt;
  const wanted = isSigned(trial) ? 'AUTHENTIC' : 'HINT';
  const found = await trial.inbox?.find(
    reference,
    ({ reading, raw }) => reading.type === wanted && !isForged(reading, raw),
    trial.patience.endMs,
  );
  if (found) return proved(wanted === 'HINT' ? 'read as a hint: the gateway asks' : 'authentic');
  const types = trial.inbox?.about(reference).map(({ reading }) => reading.type) ?? [];
  return failed(types.length === 0 ? 'no message came' : `only these came: ${types.join(', ')}`);
}

export async function readForged(trial: Trial): Promise<Finding> {
  const { reference } = paymentOf(trial, 'deposit').attempt;
  const genuine = trial.inbox?.about(reference)[0]?.raw;
  if (genuine === undefined) return notTried('no message came that could be changed');
  const { isAnswer: _answer, ...raw } = genuine;
  const changed: readonly RawNotification[] = [
    { ...raw, body: Buffer.from(raw.body.toString().replace(/.$/, ' $&')) },
    { ...raw, headers: {} },
    { ...raw, pathSecretIsGenuine: false },
  ];
  for (const one of isSigned(trial) ? changed.slice(0, 2) : changed) {
    const { type } = await readNotification(trial.engine, trial.connector, one);
    if (type === 'AUTHENTIC') return failed('a changed message was read as authentic');
  }
  return proved('never read as authentic');
}

function isSigned({ connector }: Trial): boolean {
  return connector.notifications?.authenticity === 'SIGNED';
}

function paymentOf({ payments }: Trial, name: string): Followed {
  const found = payments.get(name);
  if (found === undefined) throw new Error(`no ${name} was made`);
  return found;
}

function mustBe({ outcome, isUnheard }: Followed, wanted: readonly Outcome['type'][]): Finding {
  const said = outcomeText(outcome);
  if (isUnheard) return notTried(UNHEARD);
  const isAnswered = outcome.type !== 'UNKNOWN' || !UNANSWERED.includes(outcome.reason);
  if (wanted.includes(outcome.type) && isAnswered) return proved(said);
  return failed(`expected ${wanted.join(' or ')}, the answer was ${said}`);
}

/** Unknown because no one answered: that proves nothing. */
const UNANSWERED: readonly UnknownReason[] = ['NOT_SENT', 'NO_ANSWER', 'RATE_LIMITED_HERE'];

/** An enquiry must name the same transaction as before, where the operator names one. */
function sameAs(trial: Trial, name: string, again: Followed): Finding {
  const finding = mustBe(again, ['COMPLETED']);
  const before = transactionOf(paymentOf(trial, name).outcome);
  const now = transactionOf(again.outcome);
  const isOther = before !== undefined && now !== undefined && before !== now;
  return finding.result === 'PROVED' && isOther ? failed('the answer named another transaction') : finding;
}

function transactionOf(outcome: Outcome): string | undefined {
  return outcome.type === 'COMPLETED' ? outcome.providerTransactionId : undefined;
}
