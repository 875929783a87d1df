// How a request was read, in the short forms that tables of tests compare.
import type { Parsed } from '../../../src/wire/fault.ts';

export const KNOWN_PROVIDERS = {
  isProvider: (code: string) => ['MTN_MOMO_RWA', 'MTN_MOMO_ZMB'].includes(code),
};

export function requestOf<Request>(parsed: Parsed<Request>): Request {
  if (parsed.type === 'PARSED') return parsed.request;
  throw new Error(`Refused: ${parsed.fault.code} ${parsed.fault.parameter}: ${parsed.fault.cause}`);
}

/** "INVALID_PARAMETER amount"; "PARSED" when there is no fault. */
export function toldOf(parsed: Parsed<unknown>): string {
  return parsed.type === 'PARSED' ? 'PARSED' : `${parsed.fault.code} ${parsed.fault.parameter}`.trim();
}

/** What JSON can hold and is never right for a field that is a text. */
export const NO_TEXTS: readonly unknown[] = [null, true, 100, {}, []];
