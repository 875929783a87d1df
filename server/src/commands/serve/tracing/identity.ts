// One payment is one trace, in all processes and permanently, though nothing is stored and nothing is sent along: both
// identifiers are pure functions of the payment's key, under a key of ours, so that no one else can compute them.
import { createHmac } from 'node:crypto';
import { paymentKeyText, type OperationKey } from '../../../domain/payments/payment.ts';

/** Identifiers are hex: a trace's has 16 bytes, a span's 8. */
export type TraceIdentity = {
  readonly of: (key: OperationKey) => { readonly traceId: string; readonly rootSpanId: string };
  /** The same name of the same payment is always the same span. */
  readonly spanIdOf: (key: OperationKey, name: string) => string;
};

export function createTraceIdentity(referenceKey: Buffer): TraceIdentity {
  // A key of its own, so that no trace is ever an operator reference.
  const traceKey = createHmac('sha256', referenceKey).update('traces').digest();
  const digest = (text: string) => createHmac('sha256', traceKey).update(text).digest('hex');
  return {
    // Both from one digest: at 18 µs it is a good part of what a span costs.
    of: (key) => {
      const text = digest(paymentKeyText(key));
      return { traceId: text.slice(0, 32), rootSpanId: text.slice(32, 48) };
    },
    spanIdOf: (key, name) => digest(`${paymentKeyText(key)}/${name}`).slice(0, 16),
  };
}

/** Decided by the trace alone, so every process decides alike and a trace is whole or absent. */
export function isSampled(traceId: string, samplePercent: number): boolean {
  return parseInt(traceId.slice(-12), 16) < (samplePercent / 100) * 2 ** 48;
}
