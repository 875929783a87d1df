import type { Config } from '../../config.ts';
import type { Engine } from '../../core/engine.ts';
import { logSubjects } from '../../core/payment-log.ts';
import { NO_TRACER, type Tracer } from '../../core/tracer.ts';
import type { Gateway, Role } from './compose.ts';
import type { ShutdownHooks } from './shutdown-hooks.ts';
import { openTracer } from './tracing.ts';

/** Off by default. Closed last, because everything else is still traced while it stops. */
export function chooseTracer(
  config: Config,
  facts: Pick<Gateway, 'metrics' | 'logger'> & { readonly role: Role; readonly shutdownHooks: ShutdownHooks },
): Tracer {
  if (config.traces === null) return NO_TRACER;
  const tracer = openTracer(config.traces, {
    referenceKey: config.keys.referenceKey,
    role: facts.role,
    environment: config.environment,
    cell: config.cell.id,
    onSpans: facts.metrics.observer.traced,
    onTrouble: (reason) => facts.logger.warn({ where: 'traces', reason }, 'the collector takes no spans'),
  });
  facts.shutdownHooks.add(tracer.close);
  return tracer;
}

/** At the level "debug" every span is a line of the log too. */
export function withLog(
  tracer: Tracer,
  { logger, traceIdOf }: Pick<Gateway, 'logger'> & Pick<Engine, 'traceIdOf'>,
): Tracer {
  if (!logger.isLevelEnabled('debug')) return tracer;
  return {
    record: (span) => {
      tracer.record(span);
      const { key, name, since, attributes } = span;
      const seconds = (performance.now() - since) / 1_000;
      logger.debug({ ...logSubjects({ traceIdOf }, [key]), ...attributes, seconds }, name);
    },
  };
}
