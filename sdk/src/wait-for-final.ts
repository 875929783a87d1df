// Asks for a payment until it is final.
import { MalipoError } from './malipo-error.ts';
import type { Final, Found, Still } from './outcome.ts';
import { pause } from './pause.ts';

export type WaitOptions = {
  /** Default: two minutes, the usual time a payer has for the PIN. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
};

const TIMEOUT_MS = 120_000;
const FIRST_INTERVAL_MS = 250;
const LONGEST_INTERVAL_MS = 5_000;

export async function waitForFinal<Payment>(
  get: (signal: AbortSignal) => Promise<Found<Payment>>,
  { timeoutMs = TIMEOUT_MS, signal }: WaitOptions,
): Promise<Final<Payment> | Still> {
  const limit = AbortSignal.timeout(timeoutMs);
  const either = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  let still = 'UNREACHABLE';
  try {
    for (let intervalMs = FIRST_INTERVAL_MS; ; intervalMs = Math.min(intervalMs * 1.5, LONGEST_INTERVAL_MS)) {
      const seen = await get(either).catch(passOver);
      if (seen?.found === true && isFinal(seen.payment)) return seen.payment;
      if (seen !== null) still = statusOf(seen);
      await pause(intervalMs, either);
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!limit.aborted) throw error;
    return { isFinal: false, still };
  }
}

/** A gateway that cannot be reached now may be available again before the time is over. */
function passOver(error: unknown): null {
  if (error instanceof MalipoError && PASSING.includes(error.code)) return null;
  throw error;
}

const PASSING: readonly string[] = ['NETWORK', 'TIMEOUT', 'UNAVAILABLE', 'RATE_LIMITED'];

function isFinal<Payment>(payment: Payment): payment is Final<Payment> {
  return (payment as { readonly isFinal?: boolean }).isFinal === true;
}

function statusOf(seen: Found<unknown>): string {
  return seen.found ? String((seen.payment as { readonly status?: string }).status) : 'NOT_FOUND';
}
