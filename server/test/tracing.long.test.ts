// Traces: one payment is one trace through API, worker, operator and callback, told by processes of their own to a real
// collector; nothing personal is in it, and a collector that is down disturbs no one.
import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { NO_TRACER } from '../src/core/tracer.ts';
import { startCollector, type CollectedSpan, type Collector } from './collector.ts';
import { actOn } from './edge/action-rows.ts';
import { call, depositRequest, eventually, openTestGateway, payer, type TestGateway } from './gateway.ts';
import { send, setAvailability, start, startCompleted, topUp, waitForPayment } from './payments.ts';
import { payoutRequest, remittanceRequest, wallet } from './requests.ts';
import { SHORT_TIMING, startServerProcess, type ServerProcess } from './server-process.ts';

type Caller = Pick<TestGateway, 'url' | 'apiToken'>;

let gateway: TestGateway;
const processes: ServerProcess[] = [];
const collectors: Collector[] = [];

beforeAll(async () => {
  // Not at once: an operator that has answered need not notify.
  const simulator = { outcomeDelayMs: 100 };
  gateway = await openTestGateway({ role: 'api', timing: SHORT_TIMING, simulator });
  await topUp(gateway, gateway.merchantId, '1000000');
});
afterAll(async () => {
  for (const one of processes) await one.kill();
  for (const one of collectors) await one.stop();
  await gateway.stop();
});

async function openCollector(status: number | null = 200): Promise<Collector> {
  const collector = await startCollector(status);
  collectors.push(collector);
  return collector;
}

async function open(
  role: 'api' | 'worker' | 'all',
  settings: Record<string, string>,
): Promise<ServerProcess> {
  const server = await startServerProcess(gateway, role, { MALIPO_DIRECTORY_REMEMBER_MS: '0', ...settings });
  processes.push(server);
  return server;
}

const callerOf = ({ url }: ServerProcess): Caller => ({ url, apiToken: gateway.apiToken });

/** The spans about a payment, once those named are among them. */
async function traceOf(collector: Collector, id: string, names: readonly string[]): Promise<CollectedSpan[]> {
  const about = () => collector.spans.filter(({ attributes }) => attributes['malipo.payment_id'] === id);
  await eventually(() => names.filter((name) => !about().some((span) => span.name === name))).toEqual([]);
  // A step is recorded when it is over, after what happened in it, and processes send when they like.
  await eventually(() => orphansAmong(about())).toEqual([]);
  return about().toSorted((a, b) => Number(a.startNano - b.startNano));
}

/** What happened within a step that is not there yet. A refused request has no step to be within. */
function orphansAmong(spans: readonly CollectedSpan[]): readonly string[] {
  const ids = new Set(spans.map(({ spanId }) => spanId));
  const within = spans.filter(({ name, parentSpanId }) => name !== 'initiate' && parentSpanId !== undefined);
  return within.filter(({ parentSpanId = '' }) => !ids.has(parentSpanId)).map(({ name }) => name);
}

const named = (spans: readonly CollectedSpan[], name: string) => spans.filter((span) => span.name === name);

/** How each advance changed the payment: "SUBMIT_CLAIMED ACCEPTED PROCESSING". */
const movesOf = (spans: readonly CollectedSpan[]) =>
  named(spans, 'advance').map(({ attributes: a }) =>
    [a['malipo.event'], a['malipo.state_before'], a['malipo.state']].join(' '),
  );

/** One trace with one root, every span within another one that is there and begun, and none ends before it begins. */
function expectOneTrace(spans: readonly CollectedSpan[]): CollectedSpan {
  expect(new Set(spans.map(({ traceId }) => traceId)).size).toBe(1);
  expect(spans[0]!.traceId).toMatch(/^[0-9a-f]{32}$/);
  const byId = new Map(spans.map((span) => [span.spanId, span]));
  expect(byId.size, 'spans with an identifier of their own').toBe(spans.length);
  const roots = spans.filter(({ parentSpanId }) => parentSpanId === undefined);
  expect(roots.map(({ name }) => name)).toEqual(['initiate']);
  for (const { name, parentSpanId, startNano, endNano } of spans) {
    expect(endNano, name).toBeGreaterThanOrEqual(startNano);
    if (parentSpanId === undefined) continue;
    expect(byId.has(parentSpanId), `the parent of ${name}`).toBe(true);
    expect(startNano, `${name} begins after its parent`).toBeGreaterThanOrEqual(
      byId.get(parentSpanId)!.startNano,
    );
  }
  return roots[0]!;
}

/** Values no other text can hold, in every field that takes one. */
const PHONE_NUMBER = '250788424242';
const NAME = 'Zawadi Xqwtrv';
const METADATA_VALUE = 'canary-7f3a9c-value';
const REFERENCE = 'canary-reference-51b';
const AMOUNT = '73219';
const CANARY = {
  amount: AMOUNT,
  customerMessage: NAME,
  clientReferenceId: REFERENCE,
  metadata: [{ customer: METADATA_VALUE, isPII: true }, { order: METADATA_VALUE }],
};

describe('an API and a worker that post to one collector', () => {
  let collector: Collector;
  let api: ServerProcess;
  let worker: ServerProcess;
  let caller: Caller;
  beforeAll(async () => {
    collector = await openCollector();
    api = await open('api', { MALIPO_TRACES_URL: collector.url });
    // Operators notify the process that is traced.
    worker = await open('worker', { MALIPO_TRACES_URL: collector.url, MALIPO_OPERATORS_URL: api.url });
    caller = callerOf(api);
  });
  afterEach(() => {
    gateway.receiver.answerWith({ status: 200 });
    gateway.simulator.clearFaults();
    gateway.simulator.changeSettings({ notifications: true });
  });

  test('a deposit is one trace, from the request to the callback', async () => {
    const id = await startCompleted(caller, 'deposit', depositRequest());
    const spans = await traceOf(collector, id, ['submit', 'notification', 'callback']);
    const root = expectOneTrace(spans);
    expect(root).toMatchObject({ service: 'malipo-api', attributes: { 'malipo.answer': 'ACCEPTED' } });
    const [submit] = named(spans, 'submit');
    const [operator] = named(spans, 'operator submit');
    expect(submit).toMatchObject({ service: 'malipo-worker', parentSpanId: root.spanId });
    expect(operator).toMatchObject({
      service: 'malipo-worker',
      parentSpanId: submit!.spanId,
      kind: 3,
      attributes: {
        'malipo.connector': 'simulator',
        'malipo.provider': 'MTN_MOMO_RWA',
        'malipo.outcome': 'PENDING',
      },
    });
    expect(operator!.endNano).toBeLessThanOrEqual(submit!.endNano);
    expect(named(spans, 'notification')[0]).toMatchObject({
      service: 'malipo-api',
      parentSpanId: root.spanId,
      attributes: { 'malipo.reading': 'AUTHENTIC', 'malipo.connector': 'simulator' },
    });
    expect(movesOf(spans)[0]).toBe('SUBMIT_CLAIMED ACCEPTED PROCESSING');
    expect(movesOf(spans)).toContain('OPERATOR_ANSWERED PROCESSING COMPLETED');
    const [callback] = named(spans, 'callback');
    expect(callback).toMatchObject({
      service: 'malipo-worker',
      parentSpanId: root.spanId,
      isFailure: false,
      attributes: {
        'malipo.state': 'COMPLETED',
        'malipo.result': 'DELIVERED',
        'http.response.status_code': '200',
        'malipo.attempt': '1',
      },
    });
    expect(callback!.startNano).toBeGreaterThan(operator!.startNano);
  });

  test('times are those of the system, in nanoseconds', async () => {
    const before = BigInt(Date.now() - 100) * 1_000_000n;
    const id = await startCompleted(caller, 'deposit', depositRequest());
    for (const { startNano, endNano } of await traceOf(collector, id, ['callback'])) {
      expect(startNano).toBeGreaterThan(before);
      expect(endNano).toBeLessThan(BigInt(Date.now() + 100) * 1_000_000n);
    }
  });

  test('a deposit that no one notified us of shows its enquiry, with the call within it', async () => {
    gateway.simulator.changeSettings({ notifications: false });
    const id = await startCompleted(caller, 'deposit', depositRequest());
    const spans = await traceOf(collector, id, ['enquire', 'callback']);
    expectOneTrace(spans);
    const enquiry = named(spans, 'enquire').at(-1)!;
    const query = named(spans, 'operator query').at(-1)!;
    expect(query).toMatchObject({
      parentSpanId: enquiry.spanId,
      attributes: { 'malipo.outcome': 'COMPLETED' },
    });
    expect(enquiry).toMatchObject({
      service: 'malipo-worker',
      attributes: { 'malipo.state': 'PROCESSING' },
    });
  });

  test('a lost answer and a callback that was refused are failures, a declined payment is none', async () => {
    gateway.simulator.addFault({ type: 'LOSE_ANSWER' });
    gateway.receiver.answerWith({ status: 500 });
    const lost = await startCompleted(caller, 'deposit', depositRequest());
    const spans = await traceOf(collector, lost, ['callback']);
    expectOneTrace(spans);
    expect(named(spans, 'operator submit')[0]).toMatchObject({
      isFailure: true,
      attributes: { 'malipo.outcome': 'UNKNOWN NO_ANSWER' },
    });
    expect(named(spans, 'callback')[0]).toMatchObject({
      isFailure: true,
      attributes: { 'malipo.result': 'PENDING', 'http.response.status_code': '500' },
    });
    gateway.receiver.answerWith({ status: 200 });
    const declined = await start(
      caller,
      'deposit',
      depositRequest({ payer: payer('MTN_MOMO_RWA', '250783456039') }),
    );
    const declinedSpans = await traceOf(collector, declined, ['callback']);
    expect(declinedSpans.filter(({ isFailure }) => isFailure)).toEqual([]);
    // The process that moved it sends its spans when it likes.
    const ends = async () =>
      named(await traceOf(collector, declined, ['callback']), 'advance').map(({ attributes: a }) =>
        [a['malipo.state'], a['malipo.failure_code']].join(' '),
      );
    await eventually(ends).toContain('FAILED PAYMENT_NOT_APPROVED');
  });

  test('a repeat and a resend stand in the trace of the payment they are about', async () => {
    const request = depositRequest();
    const id = await startCompleted(caller, 'deposit', request);
    await send(caller, 'deposit', request);
    await traceOf(collector, id, ['callback']);
    await actOn(caller, { noun: 'deposit', action: 'resend-callback', id });
    await eventually(() =>
      collector.spans.filter((s) => s.name === 'callback' && s.attributes['malipo.payment_id'] === id),
    ).toHaveLength(2);
    const spans = await traceOf(collector, id, ['resend']);
    const root = expectOneTrace(spans);
    const answers = named(spans, 'initiate').map(({ attributes }) => attributes['malipo.answer']);
    expect(answers).toEqual(['ACCEPTED', 'DUPLICATE_IGNORED']);
    expect(named(spans, 'resend')[0]).toMatchObject({
      parentSpanId: root.spanId,
      attributes: { 'malipo.answer': 'ACCEPTED' },
    });
  });

  test('a refused request tells its code, and nothing that the merchant wrote', async () => {
    const request = depositRequest({ currency: 'XXX' });
    await send(caller, 'deposit', request);
    const [span] = await traceOf(collector, request['depositId'], ['initiate']);
    expect(span!.attributes).toEqual({
      'malipo.merchant_id': gateway.merchantId,
      'malipo.kind': 'DEPOSIT',
      'malipo.payment_id': request['depositId'],
      'malipo.answer': 'REJECTED',
      'malipo.failure_code': 'INVALID_CURRENCY',
    });
  });

  test('a payout that waits shows the wait, its release and its end', async () => {
    await setAvailability(gateway, 'payout', 'DELAYED');
    const waiting = await start(caller, 'payout', payoutRequest());
    const cancelled = await start(caller, 'payout', payoutRequest());
    await waitForPayment(caller, 'payout', waiting, 'ENQUEUED');
    await actOn(caller, { noun: 'payout', action: 'fail-enqueued', id: cancelled });
    await setAvailability(gateway, 'payout', 'OPERATIONAL');
    await waitForPayment(caller, 'payout', waiting, 'COMPLETED');
    const spans = await traceOf(collector, waiting, ['submit', 'callback']);
    expectOneTrace(spans);
    expect(movesOf(spans).slice(0, 2)).toEqual([
      'RELEASED ENQUEUED ENQUEUED',
      'SUBMIT_CLAIMED ENQUEUED PROCESSING',
    ]);
    const ended = await traceOf(collector, cancelled, ['cancel', 'advance', 'callback']);
    expectOneTrace(ended);
    expect(named(ended, 'cancel')[0]!.service).toBe('malipo-api');
    expect(named(ended, 'advance')[0]!.attributes).toMatchObject({
      'malipo.event': 'CANCELLED',
      'malipo.state': 'FAILED',
      'malipo.failure_code': 'MANUALLY_CANCELLED',
    });
  });

  test('each payment of a list has a trace of its own', async () => {
    const list = [payoutRequest(), payoutRequest(), payoutRequest({ currency: 'XXX' })];
    await call(caller, 'POST', '/v2/payouts/bulk', list);
    const roots = await Promise.all(list.map(({ payoutId }) => traceOf(collector, payoutId, ['initiate'])));
    const answers = roots.map((spans) => named(spans, 'initiate')[0]!.attributes['malipo.answer']);
    expect(answers).toEqual(['ACCEPTED', 'ACCEPTED', 'REJECTED']);
    expect(new Set(roots.map(([span]) => span!.traceId)).size).toBe(3);
  });

  test('a split payment, its collection and each of its payouts are whole traces', async () => {
    const payoutId = randomUUID();
    const request = {
      splitPaymentId: randomUUID(),
      amount: '1000',
      currency: 'RWF',
      payer: payer('MTN_MOMO_RWA', '250783456789'),
      splits: [{ payoutId, amount: '600', recipient: payer('MTN_MOMO_RWA', '250783000001') }],
    };
    await call(caller, 'POST', '/v2/split-payments', request);
    expectOneTrace(await traceOf(collector, payoutId, ['submit', 'callback']));
    const ofSplit = (kind: string) =>
      collector.spans.filter(
        ({ attributes: a }) => a['malipo.payment_id'] === request.splitPaymentId && a['malipo.kind'] === kind,
      );
    await eventually(() => named(ofSplit('SPLIT_PAYMENT'), 'callback')).toHaveLength(1);
    expectOneTrace(ofSplit('SPLIT_PAYMENT'));
    expectOneTrace(ofSplit('DEPOSIT'));
  });

  test('nothing personal is exported, and no attribute that is not in the list', async () => {
    const own = payer('MTN_MOMO_RWA', PHONE_NUMBER);
    const ids: string[] = [];
    for (const fault of [
      null,
      { type: 'OUTCOME', status: 'FAILED', phoneNumber: PHONE_NUMBER },
      { type: 'UNREADABLE_ANSWER' },
      { type: 'WRONG_AMOUNT' },
      { type: 'FORGED_NOTIFICATION' },
    ] as const) {
      if (fault !== null) gateway.simulator.addFault(fault);
      const id = await start(caller, 'deposit', depositRequest({ ...CANARY, payer: own }));
      // A fault is for anyone who submits next.
      await traceOf(collector, id, ['submit']);
      ids.push(id);
    }
    ids.push(
      await start(
        caller,
        'payout',
        payoutRequest({ ...CANARY, recipient: wallet('MTN_MOMO_RWA', PHONE_NUMBER) }),
      ),
    );
    await send(caller, 'deposit', depositRequest({ ...CANARY, payer: payer(NAME, PHONE_NUMBER) }));
    await send(caller, 'deposit', depositRequest({ ...CANARY, payer: own, currency: REFERENCE }));
    ids.push(await start(caller, 'remittance', remittanceRequest()));
    for (const id of ids) await traceOf(collector, id, ['submit', 'advance']);
    await traceOf(collector, ids[0]!, ['callback']);

    const exported = collector.text();
    const secrets = [gateway.receiver.url, gateway.apiToken, 'Aline', 'Uwase', 'Rue Neuve', 'PC123456'];
    for (const canary of [PHONE_NUMBER, NAME, METADATA_VALUE, REFERENCE, ...secrets])
      expect(exported.includes(canary), canary).toBe(false);
    expect(exported).not.toMatch(new RegExp(`[":]${AMOUNT}[",}]`));
    expect(exported).not.toMatch(/failureMessage|notifications\/|metadata|phoneNumber/);
    const attributes = collector.spans.flatMap((span) => Object.entries(span.attributes));
    expect(attributes.filter(([name]) => !ATTRIBUTES.has(name))).toEqual([]);
    for (const [name, value] of attributes) {
      if (!name.endsWith('_id')) expect(value, name).toMatch(/^([a-z]+|[A-Z][A-Z_]*( [A-Z_]+)?|\d{1,3})$/);
    }
  });

  test('what is left is sent before a process ends', async () => {
    const id = await start(caller, 'deposit', depositRequest());
    expect(await api.terminate()).toBe(0);
    const about = collector.spans.filter(({ attributes }) => attributes['malipo.payment_id'] === id);
    expect(named(about, 'initiate')).toHaveLength(1);
    expect(await worker.terminate()).toBe(0);
  });
});

const ATTRIBUTES = new Set([
  'malipo.merchant_id',
  'malipo.kind',
  'malipo.payment_id',
  'malipo.answer',
  'malipo.failure_code',
  'malipo.event',
  'malipo.state_before',
  'malipo.state',
  'malipo.outcome',
  'malipo.provider',
  'malipo.connector',
  'malipo.reading',
  'malipo.result',
  'malipo.error_code',
  'malipo.attempt',
  'http.response.status_code',
]);

async function metricsOf({ url }: ServerProcess): Promise<string> {
  return (await fetch(`${url}/metrics`)).text();
}

async function spanCount(server: ServerProcess, result: 'exported' | 'dropped'): Promise<number> {
  const line = new RegExp(`^malipo_trace_spans_total\\{result="${result}"\\} (\\d+)$`, 'm');
  return Number(line.exec(await metricsOf(server))?.[1] ?? 0);
}

describe('without MALIPO_TRACES_URL', () => {
  test("nothing is recorded or sent, whatever OpenTelemetry's own variables say", async () => {
    expect(gateway.engine.tracer).toBe(NO_TRACER);
    const collector = await openCollector();
    const server = await open('all', {
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.url,
    });
    await startCompleted(callerOf(server), 'deposit', depositRequest());
    expect(await server.terminate()).toBe(0);
    expect(collector.text()).toBe('');
  });
});

/** Deposits one after another would hide a wait; answers how long all of them took. */
async function settle(server: ServerProcess, count: number): Promise<number> {
  const startedAt = performance.now();
  const ids = await Promise.all(
    Array.from({ length: count }, () => start(callerOf(server), 'deposit', depositRequest())),
  );
  for (const id of ids) await waitForPayment(callerOf(server), 'deposit', id, 'COMPLETED');
  return performance.now() - startedAt;
}

/** How long ten deposits take, and then the stop. */
async function measureStop(server: ServerProcess, before = async () => {}) {
  const settleMs = await settle(server, 10);
  await before();
  const startedAt = performance.now();
  expect(await server.terminate()).toBe(0);
  return { settleMs, stopMs: performance.now() - startedAt };
}

describe('a collector that takes nothing', () => {
  test('a collector that never answers holds up no payment, and a stop for three seconds at most', async () => {
    const plain = await measureStop(await open('all', {}));
    const collector = await openCollector(null);
    const server = await open('all', { MALIPO_TRACES_URL: collector.url });
    const traced = await measureStop(server, () =>
      eventually(() => collector.requests().length).toBeGreaterThan(0),
    );
    // Each of its requests hangs for five seconds: anyone who waited for one would take that much longer.
    expect(traced.settleMs - plain.settleMs).toBeLessThan(5_000);
    expect(traced.stopMs - plain.stopMs).toBeLessThan(5_000);
  });

  test('a collector that does not run is said once in the log, and payments go on', async () => {
    const gone = await startCollector();
    await gone.stop();
    const server = await open('all', { MALIPO_TRACES_URL: gone.url });
    await settle(server, 5);
    await eventually(() => server.output()).toContain('the collector takes no spans');
    await settle(server, 5);
    await eventually(async () => (await metricsOf(server)).includes('malipo_callback_seconds_count')).toBe(
      true,
    );
    expect(await server.terminate()).toBe(0);
    const lines = server.output().split('\n');
    const told = lines.filter((line) => line.includes('the collector takes no spans'));
    expect(told).toHaveLength(1);
    expect(JSON.parse(told[0]!)).toMatchObject({ where: 'traces', reason: 'ECONNREFUSED' });
  });

  test('a collector that refuses has its spans dropped and counted; one that is busy gets them later', async () => {
    const collector = await openCollector(400);
    const server = await open('all', { MALIPO_TRACES_URL: collector.url });
    await settle(server, 1);
    await eventually(() => spanCount(server, 'dropped')).toBeGreaterThan(0);
    expect(await spanCount(server, 'exported')).toBe(0);
    collector.answerWith(503);
    const id = await startCompleted(callerOf(server), 'deposit', depositRequest());
    const heard = collector.requests().length;
    await eventually(() => collector.requests().length).toBeGreaterThan(heard);
    expect(collector.spans).toEqual([]);
    collector.answerWith(200);
    expectOneTrace(await traceOf(collector, id, ['initiate', 'submit', 'callback']));
    await eventually(() => spanCount(server, 'exported')).toBe(collector.spans.length);
    expect(await server.terminate()).toBe(0);
  });
});
