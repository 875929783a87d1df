/** Waits for SIGTERM or SIGINT, then stops in order. A second signal ends the process at once. */
export async function stopOnSignal(stop: () => Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  process.once('SIGTERM', () => resolve());
  process.once('SIGINT', () => resolve());
  await promise;
  process.once('SIGTERM', () => process.exit(1));
  process.once('SIGINT', () => process.exit(1));
  await stop();
}
