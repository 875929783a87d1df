// Traces: what happened to one payment, in whichever process and whenever. Each span is told when it is over, in words
// of ours, never in values of a payment. Whether spans go anywhere is decided in the composition.
import type { FailureReason } from '../domain/failure.ts';
import type { OperationKey } from '../domain/payments/payment.ts';

export type TraceSettings = {
  /** Where finished spans are posted: OTLP over HTTP, as JSON. */
  readonly url: string;
  /** Of how many payments in a hundred. */
  readonly samplePercent: number;
};

export type Tracer = {
  /** Never throws and never waits. */
  readonly record: (span: Span) => void;
};

export type Span = {
  /** One payment is one trace. Of a whole payment given here, nothing but its key is looked at. */
  readonly key: OperationKey;
  readonly name: SpanName;
  /** When it began, by `performance.now()`. It ends when it is recorded. */
  readonly since: number;
  /** A name by which others can say that they are within this one. The same name is always the same span. */
  readonly as?: string;
  /** Within the payment's root, unless another is named. */
  readonly within?: string;
  readonly isFailure?: boolean;
  readonly attributes: SpanAttributes;
};

export type SpanName =
  | 'initiate'
  | 'submit'
  | 'enquire'
  | 'operator submit'
  | 'operator query'
  | 'notification'
  | 'advance'
  | 'callback'
  | 'cancel'
  | 'resend';

type Word = string | null | undefined;
type Count = number | null | undefined;

/** A closed list, so that nothing gets out by accident. What merchants or payers wrote has no place in it. */
export type SpanAttributes = {
  readonly answer?: Word;
  readonly failureCode?: Word;
  readonly event?: Word;
  readonly stateBefore?: Word;
  readonly state?: Word;
  readonly outcome?: Word;
  /** Only of a payment that exists: in a request that is refused it can be any text. */
  readonly provider?: Word;
  readonly connector?: Word;
  readonly reading?: Word;
  readonly result?: Word;
  readonly errorCode?: Word;
  readonly httpStatus?: Count;
  readonly attempt?: Count;
};

/** The acceptance of a payment, which everything else happens within. */
export const ROOT_SPAN = 'payment';

/** What merchants are answered, whatever they asked for. */
type Answer = { readonly type: string; readonly reason?: FailureReason };

/** The acceptance is the root of its payment's trace; any other answer stands within it. */
export function initiationSpan(key: OperationKey, answer: Answer, since: number): Span {
  const as = answer.type === 'ACCEPTED' ? { as: ROOT_SPAN } : {};
  return { key, name: 'initiate', since, ...as, attributes: answerAttributes(answer) };
}

/** The code of a refusal; its message can hold what the merchant wrote. */
export function answerAttributes({ type, reason }: Answer): SpanAttributes {
  return { answer: type, failureCode: reason?.failureCode };
}

/** Traces are off. */
export const NO_TRACER: Tracer = { record: () => undefined };
