// Parses a connector's timing from the host's settings: a JSON object of milliseconds. Pure.
import type { ConnectorTiming } from './port.ts';

/**
 * How long after a call the callback with its outcome comes, where it comes at all. Payers have five minutes at most,
 * as MTN says; M-Pesa, whose receipt is in no other message, gives them two. The rest is for slow platforms.
 */
export const CALLBACKS_WITHIN_MS = 10 * 60_000;

export const TIMING_NAMES: readonly string[] = [
  'sendDeadlineMs',
  'timeoutMs',
  'notSeenAfterMs',
  'enquiryDelaysMs',
  'horizonMs',
  'reconciliationDelayMs',
  'lateReconciliationDelayMs',
] satisfies readonly (keyof ConnectorTiming)[];

/** Null if invalid. An unknown name is invalid too, because the default would silently stay in force. */
export function parseTiming(text: string): Partial<ConnectorTiming> | null {
  return checkTiming(parseJson(text));
}

/** Timings by connector name. */
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

/** The error in a timing, or null. "Not found" must not count as proof while an attempt can still be in flight. */
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
