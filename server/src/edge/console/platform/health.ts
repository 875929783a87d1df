// How the whole system is: open problems, and what monitors measured last.
import type { FastifyInstance } from 'fastify';
import { isStale } from '../../../core/console/measured-problems.ts';
import { readProblems } from '../../../core/console/read-problems.ts';
import { MUST_BE_ZERO, type Sample } from '../../../core/monitoring/monitor-metrics.ts';
import { intervalOf, readMeasurements, type Reading } from '../../../core/monitoring/monitor.ts';
import { MONITOR_PARTS, type MonitorPart } from '../../../store/monitoring/monitor-readings.ts';
import { healthCalls } from '../../../wire/console/platform/health.ts';
import { consoleRoutes, type ConsoleParts } from '../route.ts';
import { describeProblems } from './problems.ts';

export function registerHealth(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'host-health');
  const { engine, monitor } = parts;
  route('GET', '/host/health', { for: 'HOST', permission: 'host:read' }, healthCalls.readHealth, {
    summary: 'Open problems, and what monitors measured last',
    handle: async () => {
      const readings = await readMeasurements(engine, monitor);
      return {
        now: engine.clock.now().toISOString(),
        cell: engine.home,
        environment: engine.environment,
        ...(await describeProblems(parts, await readProblems(engine, monitor))),
        monitors: MONITOR_PARTS.map((part) =>
          describePart(parts, part, readings.find((reading) => reading.part === part) ?? null),
        ),
      };
    },
  });
}

function describePart({ monitor }: ConsoleParts, part: MonitorPart, reading: Reading | null) {
  const ageSeconds = reading?.ageSeconds ?? null;
  return {
    part,
    ageSeconds,
    intervalSeconds: intervalOf(part, monitor) / 1_000,
    isStale: isStale(part, ageSeconds, monitor),
    samples: (reading?.samples ?? []).map(describeSample),
  };
}

function describeSample({ metric, labels, value }: Sample) {
  return { metric, labels: { ...labels }, value, isWrong: MUST_BE_ZERO.has(metric) && value !== 0 };
}
