// How the whole system is, by what monitors measured last.
import type { FastifyInstance } from 'fastify';
import { MONITOR_METRICS, MUST_BE_ZERO, type Sample } from '../../../core/monitoring/monitor-metrics.ts';
import { intervalOf, readMeasurements, type Reading } from '../../../core/monitoring/monitor.ts';
import { MONITOR_PARTS, type MonitorPart } from '../../../store/monitoring/monitor-readings.ts';
import { healthCalls } from '../../../wire/console/platform/health.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';

/** One missed look is a worker that was restarted; three are no one looking. */
const STALE_AFTER_LOOKS = 3;

export function registerHealth(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-health');
  const { engine } = parts;
  route('GET', '/host/health', { for: 'HOST', permission: 'host:read' }, healthCalls.readHealth, {
    summary: 'What monitors measured last, and whether anything is wrong',
    handle: async () => {
      const readings = await readMeasurements(engine, parts.monitor);
      const monitors = MONITOR_PARTS.map((part) =>
        describePart(parts, part, readings.find((reading) => reading.part === part) ?? null),
      );
      return {
        now: engine.clock.now().toISOString(),
        cell: engine.home,
        environment: engine.environment,
        isSound: monitors.every(
          ({ isStale, samples }) => !isStale && samples.every(({ isWrong }) => !isWrong),
        ),
        monitors,
      };
    },
  });
}

function describePart({ monitor }: ConsoleParts, part: MonitorPart, reading: Reading | null) {
  const intervalSeconds = intervalOf(part, monitor) / 1_000;
  const ageSeconds = reading?.ageSeconds ?? null;
  return {
    part,
    ageSeconds,
    intervalSeconds,
    isStale: ageSeconds === null || ageSeconds > STALE_AFTER_LOOKS * intervalSeconds,
    samples: (reading?.samples ?? []).map(describeSample),
  };
}

function describeSample({ metric, labels, value }: Sample) {
  const [help] = MONITOR_METRICS[metric];
  return { metric, help, labels: { ...labels }, value, isWrong: MUST_BE_ZERO.has(metric) && value !== 0 };
}
