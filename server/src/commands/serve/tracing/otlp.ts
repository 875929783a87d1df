// Spans in the words of OpenTelemetry: OTLP 1.x as JSON, where 64-bit numbers are texts and identifiers are hex. Pure.
import type { OperationKey } from '../../../domain/payments/payment.ts';
import type { Span, SpanAttributes, SpanName } from '../../../core/tracer.ts';

type OtlpAttribute = {
  readonly key: string;
  readonly value: { readonly stringValue: string } | { readonly intValue: string };
};

export type OtlpSpan = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly startTimeUnixNano: string;
  readonly endTimeUnixNano: string;
  readonly attributes: readonly OtlpAttribute[];
  readonly status?: { readonly code: number };
};

export type SpanPlace = Pick<OtlpSpan, 'traceId' | 'spanId' | 'parentSpanId'> & {
  readonly startMs: number;
  readonly endMs: number;
};

export function renderSpan(span: Span, { startMs, endMs, ...place }: SpanPlace): OtlpSpan {
  return {
    ...place,
    name: span.name,
    kind: KINDS[span.name],
    startTimeUnixNano: unixNano(startMs),
    endTimeUnixNano: unixNano(endMs),
    attributes: [...renderKey(span.key), ...renderAttributes(span.attributes)],
    ...(span.isFailure === true ? { status: { code: STATUS_ERROR } } : {}),
  };
}

/** `resource` says which process speaks. */
export function renderExport(spans: readonly OtlpSpan[], resource: Readonly<Record<string, string>>): string {
  const attributes = Object.entries(resource).map(([key, value]) => textAttribute(key, value));
  const scopeSpans = [{ scope: { name: 'malipo' }, spans }];
  return JSON.stringify({ resourceSpans: [{ resource: { attributes }, scopeSpans }] });
}

const STATUS_ERROR = 2;
const INTERNAL = 1;
const SERVER = 2;
const CLIENT = 3;

const KINDS: Readonly<Record<SpanName, number>> = {
  initiate: SERVER,
  submit: INTERNAL,
  enquire: INTERNAL,
  'operator submit': CLIENT,
  'operator query': CLIENT,
  notification: SERVER,
  advance: INTERNAL,
  callback: CLIENT,
  cancel: SERVER,
  resend: SERVER,
};

const ATTRIBUTE_NAMES: Readonly<Record<keyof SpanAttributes, string>> = {
  answer: 'malipo.answer',
  failureCode: 'malipo.failure_code',
  event: 'malipo.event',
  stateBefore: 'malipo.state_before',
  state: 'malipo.state',
  outcome: 'malipo.outcome',
  provider: 'malipo.provider',
  connector: 'malipo.connector',
  reading: 'malipo.reading',
  result: 'malipo.result',
  errorCode: 'malipo.error_code',
  httpStatus: 'http.response.status_code',
  attempt: 'malipo.attempt',
};

/** Identifiers only. Of a whole payment nothing else is taken. */
function renderKey({ merchantId, kind, paymentId }: OperationKey): readonly OtlpAttribute[] {
  return [
    textAttribute('malipo.merchant_id', merchantId),
    textAttribute('malipo.kind', kind),
    textAttribute('malipo.payment_id', paymentId),
  ];
}

function renderAttributes(attributes: SpanAttributes): readonly OtlpAttribute[] {
  return Object.entries(attributes).flatMap(([name, value]) => {
    const key = ATTRIBUTE_NAMES[name as keyof SpanAttributes];
    if (typeof value === 'number') return { key, value: { intValue: String(value) } };
    return typeof value === 'string' && isWordOfOurs(value) ? textAttribute(key, value) : [];
  });
}

/** "simulator", "FAILED PAYER_NOT_FOUND". A number, an address or a sentence is none, and stays here. */
function isWordOfOurs(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_-]{0,63}( [A-Z][A-Z0-9_]{0,63})?$/.test(text);
}

function textAttribute(key: string, value: string): OtlpAttribute {
  return { key, value: { stringValue: value } };
}

/** Microseconds are as fine as our clock is; in nanoseconds the number would not be exact. */
function unixNano(ms: number): string {
  return `${Math.round(ms * 1_000)}000`;
}
