// Messages that are ignored, and how few of them are kept: strangers must not fill the database, nor spend our calls.
import type { NotificationReading, RawNotification } from '../../../connectors/port.ts';
import type { Engine } from '../../engine.ts';
import type { RateRule } from '../../access/rate-limit.ts';
import { isForged, referenceIn } from './read-notification.ts';

type Read = { readonly raw: RawNotification; readonly reading: NotificationReading };

/** Twenty at once, then twenty an hour: enough to see what strangers send. */
export const DOUBTFUL_SAMPLE: RateRule = { perSecond: 20 / 3_600, burst: 20 };

/** An operator with a wrong key stays below it. */
export const DOUBTFUL_SENDERS: RateRule = { perSecond: 5, burst: 100 };

export function isSampled({ doubtfulSample }: Pick<Engine, 'doubtfulSample'>, connector: string): boolean {
  return doubtfulSample.waitMsOf(connector) === 0;
}

/** What a hint that is not forged is about. */
export function hintedReference({ reading, raw }: Read): readonly string[] {
  const reference = reading.type === 'HINT' && !isForged(reading, raw) ? referenceIn(reading, raw) : null;
  return reference === null ? [] : [reference];
}

/** Ignored: no one can read it, it was made up, or it hints at what we do not know or have just asked about. */
export function isIgnored(one: Read, asking: Set<string>): boolean {
  if (one.reading.type === 'UNREADABLE' || isForged(one.reading, one.raw)) return true;
  if (one.reading.type !== 'HINT') return false;
  // Of several hints at once the first one asks.
  return !hintedReference(one).some((reference) => asking.delete(reference));
}

/** Of what is ignored only the beginning is kept. */
export const SAMPLE_BYTES_MAX = 1_024;
