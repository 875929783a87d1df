// Delays between attempts.

/** The first retry is almost immediate; later ones give an overloaded gateway time. */
const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** The delay after `attempts` failed attempts. Half of it is random, so that clients do not retry at the same time. */
export function backoffMs(attempts: number, random: () => number = Math.random): number {
  const whole = Math.min(FIRST_MS * 2 ** Math.max(0, attempts - 1), LONGEST_MS);
  return whole / 2 + (whole / 2) * random();
}

export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
