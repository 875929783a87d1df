// A process that was just started, and the address at which it says that it can serve.
import { setTimeout as sleep } from 'node:timers/promises';

export async function waitUntilUp(url: string): Promise<void> {
  for (let tries = 1; tries <= 300; tries += 1) {
    const isUp = await fetch(url, { signal: AbortSignal.timeout(1_000) }).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isUp) return;
    await sleep(200);
  }
  throw new Error(`${url} does not answer; see the logs`);
}
