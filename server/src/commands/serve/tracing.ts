// Traces that are switched on: gives each span its place in its payment's trace and hands it to the exporter. OTLP is
// spoken here and nowhere else; the layers below know only `Tracer`.
import { randomBytes, randomUUID } from 'node:crypto';
import { ROOT_SPAN, type Span, type Tracer, type TraceSettings } from '../../core/tracer.ts';
import { SpanExporter, type ExporterOptions } from './tracing/exporter.ts';
import { createTraceIdentity, isSampled } from './tracing/identity.ts';
import { renderSpan } from './tracing/otlp.ts';

export type TracingOptions = Pick<ExporterOptions, 'onSpans' | 'onTrouble'> & {
  readonly referenceKey: Buffer;
  readonly role: string;
  readonly environment: string;
  readonly cell: string;
};

export type OpenTracer = Tracer & { readonly close: () => Promise<void> };

export function openTracer(
  { url, samplePercent }: TraceSettings,
  { referenceKey, role, environment, cell, onSpans, onTrouble }: TracingOptions,
): OpenTracer {
  const identity = createTraceIdentity(referenceKey);
  const realTime = createRealTime();
  const resource = {
    'service.name': `malipo-${role}`,
    'service.instance.id': randomUUID(),
    'deployment.environment.name': environment,
    'malipo.cell': cell,
  };
  const exporter = new SpanExporter({ url, resource, onSpans, onTrouble });
  return {
    record: (span: Span) => {
      const { key, as, within = ROOT_SPAN } = span;
      const { traceId, rootSpanId } = identity.of(key);
      if (!isSampled(traceId, samplePercent)) return;
      const idOf = (name: string) => (name === ROOT_SPAN ? rootSpanId : identity.spanIdOf(key, name));
      const spanId = as === undefined ? randomBytes(8).toString('hex') : idOf(as);
      const parent = as === ROOT_SPAN ? {} : { parentSpanId: idOf(within) };
      exporter.add(renderSpan(span, { traceId, spanId, ...parent, ...realTime(span.since) }));
    },
    close: () => exporter.close(),
  };
}

/** Beyond this the system's clock was set, or the machine slept. Below, it would only disturb the order of spans. */
const CLOCK_DIFFERENCE_MAX_MS = 50;

/**
 * The real time of something that began at `since` and ends now. Collectors and other programs know nothing of a clock
 * that a sandbox has moved; and within a process spans must not overlap by the jitter of two clocks.
 */
function createRealTime(): (since: number) => { readonly startMs: number; readonly endMs: number } {
  let originMs = Date.now() - performance.now();
  return (since) => {
    const now = performance.now();
    const difference = Date.now() - now - originMs;
    if (Math.abs(difference) > CLOCK_DIFFERENCE_MAX_MS) originMs += difference;
    return { startMs: originMs + since, endMs: originMs + now };
  };
}
