// The parts of tracing by themselves: identifiers, sampling, and a queue with a bound.
import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { openTracer, type OpenTracer } from '../../src/commands/serve/tracing.ts';
import { createTraceIdentity, isSampled } from '../../src/commands/serve/tracing/identity.ts';
import { referenceFor } from '../../src/core/operators/reference.ts';
import type { Span } from '../../src/core/tracer.ts';
import { OPERATIONS, type OperationKey } from '../../src/domain/payments/payment.ts';
import { startCollector, type Collector } from '../collector.ts';
import { eventually } from '../gateway.ts';

const REFERENCE_KEY = Buffer.alloc(32, 3);
const identity = createTraceIdentity(REFERENCE_KEY);

const KEY = {
  merchantId: '6c1e2f52-1c3d-4a55-9d0e-1f2a3b4c5d6e',
  kind: 'DEPOSIT',
  paymentId: '0b1e5a6c-6a0e-4a5e-9d0e-1f2a3b4c5d6e',
} as const;

const keys: fc.Arbitrary<OperationKey> = fc.record({
  merchantId: fc.uuid(),
  kind: fc.constantFrom(...OPERATIONS),
  paymentId: fc.uuid({ version: 4 }),
});

describe('the identifiers of a trace', () => {
  test('the identifiers of a trace are the same in every process that has the reference key, and others without it', () => {
    fc.assert(
      fc.property(keys, (key) => {
        const elsewhere = createTraceIdentity(Buffer.from(REFERENCE_KEY));
        const outside = createTraceIdentity(Buffer.alloc(32, 4));
        const { traceId, rootSpanId } = identity.of(key);
        expect(traceId).toMatch(/^[0-9a-f]{32}$/);
        expect(rootSpanId).toMatch(/^[0-9a-f]{16}$/);
        expect(identity.spanIdOf(key, 'submit 1')).toMatch(/^[0-9a-f]{16}$/);
        expect(elsewhere.of({ ...key })).toEqual({ traceId, rootSpanId });
        expect(elsewhere.spanIdOf({ ...key }, 'submit 1')).toBe(identity.spanIdOf(key, 'submit 1'));
        expect(outside.of(key).traceId).not.toBe(traceId);
        expect(outside.of(key).rootSpanId).not.toBe(rootSpanId);
        expect(outside.spanIdOf(key, 'submit 1')).not.toBe(identity.spanIdOf(key, 'submit 1'));
      }),
    );
  });

  test('differ between payments, kinds and merchants', () => {
    const others = [
      KEY,
      { ...KEY, kind: 'PAYOUT' as const },
      { ...KEY, merchantId: KEY.paymentId },
      { ...KEY, paymentId: KEY.merchantId },
    ];
    expect(new Set(others.map((key) => identity.of(key).traceId)).size).toBe(4);
  });

  test('the identifiers of a trace say nothing about the reference that the operator knows', () => {
    const reference = referenceFor(REFERENCE_KEY, { key: KEY, attemptNo: 1, home: '0001', shape: 'TOKEN' });
    expect(identity.of(KEY).traceId).not.toContain(reference.slice(4, 12));
    expect(identity.spanIdOf(KEY, '1')).not.toBe(reference.slice(4, 20));
  });
});

describe('sampling', () => {
  test('sampling takes all of a hundred, and who is in a small share is in every larger one', () => {
    fc.assert(
      fc.property(keys, fc.integer({ min: 1, max: 100 }), fc.integer({ min: 1, max: 100 }), (key, a, b) => {
        const { traceId } = identity.of(key);
        expect(isSampled(traceId, 100)).toBe(true);
        if (isSampled(traceId, Math.min(a, b))) expect(isSampled(traceId, Math.max(a, b))).toBe(true);
      }),
    );
  });

  test.each([1, 10, 50])('sampling takes about %i in a hundred', (percent) => {
    const traces = Array.from(
      { length: 20_000 },
      (_, index) => identity.of({ ...KEY, paymentId: String(index) }).traceId,
    );
    const share = traces.filter((traceId) => isSampled(traceId, percent)).length / 200;
    expect(Math.abs(share - percent)).toBeLessThan(1.5);
    expect(share).toBeGreaterThan(percent / 2);
  });
});

const spanOf = (paymentId: string, attributes: Span['attributes'] = {}): Span => ({
  key: { ...KEY, paymentId },
  name: 'advance',
  since: performance.now(),
  attributes,
});

describe('a tracer', () => {
  let collector: Collector;
  let tracer: OpenTracer;
  let counts: { exported: number; dropped: number };
  let troubles: string[];
  afterEach(async () => {
    await tracer.close();
    await collector.stop();
  });

  async function open(status: number | null, changes: { samplePercent?: number; url?: string } = {}) {
    collector = await startCollector(status);
    counts = { exported: 0, dropped: 0 };
    troubles = [];
    tracer = openTracer(
      {
        url: changes.url?.replace('{address}', collector.url.slice(7)) ?? collector.url,
        samplePercent: changes.samplePercent ?? 100,
      },
      {
        referenceKey: REFERENCE_KEY,
        role: 'api',
        environment: 'sandbox',
        cell: '0001',
        onSpans: (result, count) => {
          counts[result] += count;
        },
        onTrouble: (reason) => troubles.push(reason),
      },
    );
  }

  test('a tracer sends the payments in the sample and no others', async () => {
    await open(200, { samplePercent: 30 });
    const ids = Array.from({ length: 200 }, (_, index) => `payment-${index}`);
    for (const id of ids) tracer.record(spanOf(id));
    await tracer.close();
    const expected = ids.filter((id) => isSampled(identity.of({ ...KEY, paymentId: id }).traceId, 30));
    expect(collector.spans.map(({ attributes }) => attributes['malipo.payment_id'])).toEqual(expected);
    expect(counts).toEqual({ exported: expected.length, dropped: 0 });
  });

  test('a tracer sends many spans in requests of at most 512', async () => {
    await open(200);
    for (let index = 0; index < 1_200; index += 1) tracer.record(spanOf(String(index)));
    await eventually(() => counts.exported).toBe(1_200);
    expect(collector.requests().map(({ spans }) => spans)).toEqual([512, 512, 176]);
  });

  test('a tracer keeps 10,000 spans for a collector that is down, and drops and counts the others', async () => {
    await open(503);
    for (let index = 0; index < 10_100; index += 1) tracer.record(spanOf(String(index)));
    expect(counts).toEqual({ exported: 0, dropped: 100 });
    await eventually(() => troubles).toEqual(['HTTP 503']);
    await tracer.close();
    expect(counts).toEqual({ exported: 0, dropped: 10_100 });
    tracer.record(spanOf('late'));
    expect(counts.dropped).toBe(10_101);
  });

  test('a tracer ends within its bound while a collector hangs', async () => {
    await open(null);
    tracer.record(spanOf('1'));
    await eventually(() => collector.requests().length).toBe(1);
    const ended = tracer.close().then(() => 'ended');
    expect(await Promise.race([ended, sleep(20_000, 'still waiting', { ref: false })])).toBe('ended');
    expect(counts).toEqual({ exported: 0, dropped: 1 });
  });

  test('a tracer leaves out a value that is no word of ours', async () => {
    await open(200);
    const values = ['250788424242', 'Zawadi Xqwtrv', 'https://shop.example/x', '100.50', 'a@b.example', ''];
    for (const outcome of values) tracer.record(spanOf('1', { outcome }));
    tracer.record(spanOf('1', { outcome: 'FAILED PAYER_NOT_FOUND' }));
    await tracer.close();
    expect(collector.spans.flatMap(({ attributes }) => attributes['malipo.outcome'] ?? [])).toEqual([
      'FAILED PAYER_NOT_FOUND',
    ]);
  });

  test('a tracer sends a name and a password in its address as a header, and not in the address', async () => {
    await open(200, { url: 'http://tracer:p%40ss@{address}' });
    tracer.record(spanOf('1'));
    await tracer.close();
    const authorization = `Basic ${Buffer.from('tracer:p@ss').toString('base64')}`;
    expect(collector.requests()).toEqual([{ authorization, spans: 1 }]);
  });
});
