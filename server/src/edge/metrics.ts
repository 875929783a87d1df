// Counts and durations for Prometheus. Labels are words of ours, never values of a payment.
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';
import type { Observer } from '../core/engine.ts';
import type { Reading } from '../core/monitoring/monitor.ts';
import { RISK_EVENTS } from '../domain/limits/risk-event.ts';
import { PAYMENT_KINDS, PAYMENT_STATES } from '../domain/payments/payment.ts';
import { MONITOR_METRICS } from '../core/monitoring/monitor-metrics.ts';

const ANSWERS = ['ACCEPTED', 'DUPLICATE_IGNORED', 'REJECTED', 'NOT_ALLOWED', 'UNKNOWN'];

export type PoolCounts = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

export type Metrics = {
  readonly observer: Observer;
  readonly requestAnswered: (route: string, status: number, seconds: number) => void;
  /** Shows how many connections to the database a pool has. Asked for when the metrics are read. */
  readonly watchPool: (name: string, pool: PoolCounts) => void;
  readonly render: () => Promise<{ readonly contentType: string; readonly text: string }>;
};

export function createMetrics(): Metrics {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const counter = (name: string, help: string, labelNames: readonly string[]) =>
    new Counter({ name, help, labelNames: [...labelNames], registers: [registry] });
  const histogram = (name: string, help: string, labelNames: readonly string[]) =>
    new Histogram({ name, help, labelNames: [...labelNames], registers: [registry] });

  const initiations = counter('malipo_initiations_total', 'Initiations by answer', ['kind', 'answer']);
  const moves = counter('malipo_payment_moves_total', 'Payments that reached a state', ['kind', 'state']);
  // Counted from zero: the first of its kind is seen as a change too.
  for (const kind of PAYMENT_KINDS) {
    for (const answer of ANSWERS) initiations.inc({ kind, answer }, 0);
    for (const state of PAYMENT_STATES) moves.inc({ kind, state }, 0);
  }
  const notifications = counter('malipo_notifications_total', 'Operator notifications', [
    'connector',
    'reading',
  ]);
  const alerts = counter('malipo_operator_alerts_total', 'What operators say the host must fix', [
    'connector',
    'alert',
  ]);
  const repairs = counter('malipo_repairs_total', 'What the sweep repaired', ['what']);
  const prunings = counter('malipo_pruned_total', 'Rows deleted because they were past their time', ['what']);
  const clock = new Gauge({
    name: 'malipo_clock_difference_seconds',
    help: 'How far the clock of this process is ahead of the database’s; negative where it is behind',
    registers: [registry],
  });
  const ahead = new Gauge({
    name: 'malipo_time_ahead_seconds',
    help: 'How far the time of what is written is ahead of what it should be',
    registers: [registry],
  });
  const risks = counter('malipo_risk_events_total', 'What was stopped, held or released, and attacks', [
    'event',
  ]);
  for (const event of RISK_EVENTS) risks.inc({ event }, 0);
  const cases = counter('malipo_cases_total', 'Cases opened', ['evidence']);
  const operators = histogram('malipo_operator_seconds', 'Calls to operators', [
    'connector',
    'step',
    'outcome',
  ]);
  const spans = counter('malipo_trace_spans_total', 'Spans of traces', ['result']);
  const deliveries = histogram('malipo_callback_seconds', 'Callback attempts', ['result']);
  const requests = histogram('malipo_request_seconds', 'Requests answered', ['route', 'status']);
  const rounds = histogram('malipo_loop_seconds', 'Rounds of the loops of a worker', ['loop']);
  const failures = counter('malipo_loop_errors_total', 'What failed in the loops of a worker', ['loop']);
  const measured = createMonitorGauges(registry);
  return {
    observer: {
      initiated: (kind, answer) => initiations.inc({ kind, answer }),
      moved: (kind, state) => moves.inc({ kind, state }),
      notified: (connector, reading) => notifications.inc({ connector, reading }),
      alerted: (connector, alert) => alerts.inc({ connector, alert }),
      repaired: (what, count) => repairs.inc({ what }, count),
      pruned: (what, count) => prunings.inc({ what }, count),
      clockCompared: (differenceSeconds, aheadSeconds) => {
        clock.set(differenceSeconds);
        ahead.set(aheadSeconds);
      },
      riskNoted: (event) => risks.inc({ event }),
      caseOpened: (evidence) => cases.inc({ evidence }),
      operatorAnswered: (connector, step, outcome, seconds) =>
        operators.observe({ connector, step, outcome }, seconds),
      loopRan: (loop, seconds) => rounds.observe({ loop }, seconds),
      loopFailed: (loop, times) => failures.inc({ loop }, times),
      keyService: createKeyServiceMetrics(registry),
      traced: (result, count) => spans.inc({ result }, count),
      delivered: (result, seconds) => deliveries.observe({ result }, seconds),
      measured,
    },
    requestAnswered: (route, status, seconds) => requests.observe({ route, status }, seconds),
    watchPool: createPoolGauge(registry),
    render: async () => ({ contentType: registry.contentType, text: await registry.metrics() }),
  };
}

function createPoolGauge(registry: Registry): Metrics['watchPool'] {
  const pools = new Map<string, PoolCounts>();
  const gauge = new Gauge({
    name: 'malipo_database_connections',
    help: 'Connections to the database, and requests that wait for one',
    labelNames: ['pool', 'state'],
    registers: [],
    collect() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of pools) {
        this.set({ pool, state: 'used' }, totalCount - idleCount);
        this.set({ pool, state: 'idle' }, idleCount);
        this.set({ pool, state: 'waiting' }, waitingCount);
      }
    },
  });
  registry.registerMetric(gauge);
  return (name, pool) => void pools.set(name, pool);
}

/** Only where there is a key service: elsewhere they say nothing. */
function createKeyServiceMetrics(registry: Registry): Observer['keyService'] {
  const registers = [registry];
  const gauge = (name: string, help: string) => {
    const made = new Gauge({ name, help, registers });
    made.remove({});
    return made;
  };
  const held = gauge('malipo_encryption_keys_held', 'Whether this process has its encryption keys: 1 or 0');
  const granted = gauge(
    'malipo_key_service_granted',
    'Whether the key service granted the encryption keys when this process last asked: 1 or 0',
  );
  const token = gauge(
    'malipo_key_service_token_end_timestamp_seconds',
    'When the token of this process at the key service ends',
  );
  const checks = new Counter({
    name: 'malipo_key_service_checks_total',
    help: 'Questions to the key service by result',
    labelNames: ['result'],
    registers,
  });
  const renewals = new Counter({
    name: 'malipo_key_service_renewals_total',
    help: 'Renewals of the token at the key service by result',
    labelNames: ['result'],
    registers,
  });
  return {
    asked: (result) => {
      checks.inc({ result });
      granted.set(result === 'GRANTED' ? 1 : 0);
    },
    held: (areKeysHeld) => held.set(areKeysHeld ? 1 : 0),
    renewed: (result) => renewals.inc({ result }),
    tokenEnds: (at) => (at === null ? token.remove({}) : token.set(at.getTime() / 1_000)),
  };
}

/** Gauges that show the last measurement, whichever process made it, and nothing where there is none. */
function createMonitorGauges(registry: Registry): Observer['measured'] {
  const gauge = (name: string, help: string, labelNames: readonly string[]) =>
    new Gauge({ name, help, labelNames: [...labelNames], registers: [registry] });
  const gauges = new Map(
    Object.entries(MONITOR_METRICS).map(([name, [help, ...labels]]) => [name, gauge(name, help, labels)]),
  );
  const forget = () =>
    gauges.forEach((one) => {
      one.reset();
      // A gauge without labels says zero by itself, and zero would be a claim that all is well.
      one.remove({});
    });
  forget();
  const success = gauge(
    'malipo_monitor_success_timestamp_seconds',
    'When a part was last measured, in real time',
    ['part'],
  );
  const interval = gauge('malipo_monitor_interval_seconds', 'How often a part is to be measured', ['part']);
  return (readings: readonly Reading[] | null) => {
    // What has gone, such as the last open case, must not stay behind.
    forget();
    for (const { part, ageSeconds, intervalSeconds, samples } of readings ?? []) {
      // The sandbox's clock can be moved, Prometheus's cannot.
      success.set({ part }, Date.now() / 1_000 - ageSeconds);
      interval.set({ part }, intervalSeconds);
      for (const { metric, labels, value } of samples) gauges.get(metric)?.set({ ...labels }, value);
    }
  };
}
