// A connector's timing as a host writes it: a JSON object of milliseconds. Pure.
import type { ConnectorTiming } from './port.ts';

export const TIMING_NAMES: readonly string[] = [
  'sendDeadlineMs',
  'timeoutMs',
  'notSeenAfterMs',
  'enquiryDelaysMs',
  'horizonMs',
  'reconciliationDelayMs',
  'lateReconciliationDelayMs',
] satisfies readonly (keyof ConnectorTiming)[];

/** Null when it cannot be read. A name that is not there would leave the default in force, and no one would know. */
export function parseTiming(text: string): Partial<ConnectorTiming> | null {
  return checkTiming(parseJson(text));
}

/** Timings by the name of their connector, with the same care. */
export function parseTimings(text: string): Readonly<Record<string, Partial<ConnectorTiming>>> | null {
  const timings = parseJson(text);
  if (typeof timings !== 'object' || timings === null || Array.isArray(timings)) return null;
  const isSound = Object.values(timings).every((timing) => checkTiming(timing) !== null);
  return isSound ? (timings as Readonly<Record<string, Partial<ConnectorTiming>>>) : null;
}

function checkTiming(timing: unknown): Partial<ConnectorTiming> | null {
  const isTiming =
    typeof timing === 'object' &&
    timing !== null &&
    Object.entries(timing).every(([name, value]) =>
      name === 'enquiryDelaysMs' ? isListOfMs(value) : TIMING_NAMES.includes(name) && isMs(value),
    );
  return isTiming ? timing : null;
}

/** What is wrong with a timing, or null: "not found" must not be proof while an attempt can still be on its way. */
export function findTimingFault(timing: ConnectorTiming): string | null {
  const { sendDeadlineMs, timeoutMs, notSeenAfterMs } = timing;
  if (notSeenAfterMs >= sendDeadlineMs + timeoutMs) return null;
  return `notSeenAfterMs must be at least sendDeadlineMs + timeoutMs, ${sendDeadlineMs + timeoutMs}`;
}

function isMs(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function isListOfMs(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isMs);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
