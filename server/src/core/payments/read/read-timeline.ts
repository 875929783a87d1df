// One payment with everything that happened to it. Personal data is taken out of it unless somebody asks to see it, and
// asking is recorded.
import { redact } from '../../../connectors/redact.ts';
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import { MASKED, maskPhoneNumber } from '../../../domain/masking.ts';
import type { Amount } from '../../../domain/money.ts';
import type { Metadata, PaymentDetails, PaymentKey } from '../../../domain/payments/payment.ts';
import { listLatestAttempts, type Attempt } from '../../../store/payments/attempts.ts';
import type { OpenedCallback } from '../../../store/callbacks/callback-log.ts';
import { listCaseFacts } from '../../../store/payments/cases.ts';
import { listWaitingWords } from '../../../store/reconciliation/waiting-words.ts';
import type { Tx } from '../../../store/database.ts';
import { loadDataKeys } from '../../../store/encryption/data-keys.ts';
import { listTraffic } from '../../../store/operators/operator-traffic.ts';
import { listPaymentEvents, type EventRecord } from '../../../store/payments/payment-events.ts';
import {
  listCasesOf,
  listRelated,
  listTransfers,
  openCallbacksOf,
  type LoggedCase,
  type LoggedTransfer,
  type RelatedPayment,
} from '../../../store/payments/payment-timeline.ts';
import { listPayments, listRefunds, type StoredPayment } from '../../../store/payments/payments.ts';
import { paymentKeyText } from '../../../domain/payments/payment.ts';
import { refundHistoryOf, remainingOf } from '../accept/admit-refund.ts';
import { record, type Actor } from '../../audit.ts';
import type { StorePart, TimedStore } from '../../engine.ts';
import { inMerchant } from '../../cells/lock-merchant.ts';

/** What was said to the operator about it and by it, with secrets and personal data taken out. */
export type ToldExchange = {
  readonly at: Date;
  readonly step: string;
  readonly httpStatus: number | null;
  readonly error: string | null;
  readonly durationMs: number;
  readonly request: string;
  readonly answer: string;
};

export type PaymentStory = {
  readonly payment: StoredPayment;
  readonly isRevealed: boolean;
  readonly attempt: Attempt | null;
  readonly events: readonly EventRecord[];
  readonly traffic: readonly ToldExchange[];
  readonly transfers: readonly LoggedTransfer[];
  readonly callbacks: readonly OpenedCallback[];
  readonly cases: readonly LoggedCase[];
  readonly related: readonly RelatedPayment[];
  /** What of a deposit can be given back now; zero for all else. */
  readonly refundable: Amount;
  readonly isCancellable: boolean;
  readonly isFinal: boolean;
};

/** Raw messages to and from operators are for the platform's people: a merchant's own could learn to forge them. */
export type Audience = 'PLATFORM' | 'MERCHANT';

/** Null where there is no such payment. With personal data hidden. */
export async function readStory(
  engine: StorePart,
  key: PaymentKey,
  audience: Audience,
): Promise<PaymentStory | null> {
  await loadDataKeys(engine.store, [key.merchantId]);
  const story = await tell(engine, engine.store.database, key);
  return story === null ? null : hidden(tellTo(audience, story));
}

/** The same with personal data. Who asked for it is recorded. */
export async function revealStory(
  engine: TimedStore,
  { by, ...key }: PaymentKey & Actor,
  audience: Audience,
): Promise<PaymentStory | null> {
  const { merchantId, kind, paymentId } = key;
  await loadDataKeys(engine.store, [merchantId]);
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const story = await tell(engine, tx, key);
    const entry = {
      by,
      act: 'PERSONAL_DATA_SHOWN',
      merchantId,
      subject: paymentId,
      detail: { kind },
    } as const;
    if (story === null) return null;
    await record(engine, tx, [entry]);
    return tellTo(audience, story);
  });
}

function tellTo(audience: Audience, story: PaymentStory): PaymentStory {
  if (audience === 'PLATFORM') return story;
  return { ...story, traffic: [], events: story.events.map(({ evidence: _raw, ...event }) => event) };
}

async function tell(engine: StorePart, tx: Tx, key: PaymentKey): Promise<PaymentStory | null> {
  const { keyring } = engine.store;
  const [payment] = await listPayments(tx, keyring, [key]);
  if (payment === undefined) return null;
  const [attempt = null] = await listLatestAttempts(tx, [key]);
  const cases = await listCasesOf(tx, key);
  return {
    payment,
    isRevealed: true,
    attempt,
    events: await listPaymentEvents(tx, keyring, key),
    traffic: attempt === null ? [] : await listExchanges(engine, tx, attempt),
    transfers: await listTransfers(tx, key),
    callbacks: await openCallbacksOf(tx, keyring, key),
    cases,
    related: await listRelated(tx, payment),
    refundable: await refundableOf(tx, payment),
    isCancellable: payment.state === 'ENQUEUED',
    isFinal: isFinal(payment.state),
  };
}

/** More than one payment ever needed; anyone who wants all of it asks the host. */
const EXCHANGES_MAX = 50;

async function listExchanges(
  { store }: StorePart,
  tx: Tx,
  { reference }: Attempt,
): Promise<readonly ToldExchange[]> {
  const exchanges = await listTraffic(tx, store.keyring, { reference, countMax: EXCHANGES_MAX });
  return exchanges.toReversed().map(({ at, step, httpStatus, error, durationMs, request, answer }) => ({
    at,
    step,
    httpStatus,
    error,
    durationMs,
    request,
    answer,
  }));
}

async function refundableOf(tx: Tx, payment: StoredPayment): Promise<Amount> {
  if (payment.kind !== 'DEPOSIT' || payment.state !== 'COMPLETED') return 0n;
  const earlier = await listRefunds(tx, [payment]);
  const cases = await listCaseFacts(tx, [payment, ...earlier]);
  const waiting = await listWaitingWords(tx, [payment, ...earlier]);
  const { arrived, refunds, isReversed, isReported } = refundHistoryOf<PaymentKey>(
    payment,
    earlier,
    (one) => cases.get(paymentKeyText(one)) ?? [],
    (one) => waiting.has(paymentKeyText(one)),
  );
  const isOpen = isReported || arrived.isInDoubt || refunds.some(({ isInProgress }) => isInProgress);
  const isBusy = isReversed || isOpen;
  const remaining = remainingOf(arrived, refunds);
  return isBusy || remaining < 0n ? 0n : remaining;
}

function hidden(story: PaymentStory): PaymentStory {
  const { details } = story.payment;
  const personal = personalValuesOf(details);
  return {
    ...story,
    isRevealed: false,
    payment: hidePersonal(story.payment),
    events: story.events.map(({ evidence, ...event }) =>
      evidence === undefined ? event : { ...event, evidence: hiddenEvidence(evidence, personal) },
    ),
    traffic: story.traffic.map((one) => ({
      ...one,
      request: redact(one.request, personal),
      answer: redact(one.answer, personal),
    })),
    callbacks: story.callbacks.map((callback) => ({
      ...callback,
      body: callback.body === null ? null : redact(callback.body, personal),
      // A merchant's server may say anything, about anybody.
      attempts: callback.attempts.map((attempt) => ({
        ...attempt,
        answer: attempt.answer === null ? null : MASKED,
      })),
    })),
  };
}

/** A payment as anyone who may not see personal data sees it. */
export function hidePersonal(payment: StoredPayment): StoredPayment {
  const { phoneNumber, metadata, recipientDetails, sender: _sender, ...rest } = payment.details;
  const { preAuthorisationCode: _code, authorizationUrl: _address, ...details } = rest;
  return {
    ...payment,
    details: {
      ...details,
      phoneNumber: maskPhoneNumber(phoneNumber),
      ...(metadata === undefined ? {} : { metadata: hiddenMetadata(metadata) }),
      ...(recipientDetails === undefined
        ? {}
        : { recipientDetails: { firstName: MASKED, lastName: MASKED } }),
    },
  };
}

function hiddenMetadata(metadata: Metadata): Metadata {
  return metadata.map((entry) => (entry.isPii ? { ...entry, value: MASKED } : entry));
}

/** Everything personal that we know of, to be taken out of texts that may repeat it. */
function personalValuesOf(details: PaymentDetails): readonly string[] {
  const { phoneNumber, metadata = [], recipientDetails, sender, preAuthorisationCode = '' } = details;
  return [
    phoneNumber,
    // As it is dialled within the country, whatever the length of the dial code.
    phoneNumber.slice(3),
    preAuthorisationCode,
    ...metadata.filter(({ isPii }) => isPii).map(({ value }) => value),
    ...leavesOf(recipientDetails),
    ...leavesOf(sender?.senderDetails),
  ];
}

function leavesOf(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(leavesOf) : [];
}

/** What an operator said is kept as one JSON text that may hold another: each is looked through by itself. */
function hiddenEvidence(evidence: string, personal: readonly string[]): string {
  try {
    const told: unknown = JSON.parse(evidence);
    if (typeof told !== 'object' || told === null || !('body' in told) || typeof told.body !== 'string')
      return redact(evidence, personal);
    return JSON.stringify({ ...told, body: redact(told.body, personal) });
  } catch {
    return redact(evidence, personal);
  }
}
