// Waiting between attempts.

/** The first retry comes at once in human terms; later ones leave a gateway in trouble alone. */
const FIRST_MS = 100;
const LONGEST_MS = 5_000;

/** How long to wait before the attempt after `attempts` failed ones; half of it is chance, so that clients part. */
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
