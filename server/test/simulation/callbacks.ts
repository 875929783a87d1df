// Callbacks to merchants: an endpoint that is often away, tried again on the real ladder until it acknowledges.
import type { World } from './world.ts';

export type Deliveries = { announced: number; acknowledged: number; waiting: number };

export function announce(world: World, deliveries: Deliveries): void {
  deliveries.announced += 1;
  deliveries.waiting += 1;
  world.after(world.random.between(1, 200), () => attempt(world, 1, deliveries));
}

function attempt(world: World, attemptNo: number, deliveries: Deliveries): void {
  if (!world.fault(0.3)) {
    deliveries.waiting -= 1;
    deliveries.acknowledged += 1;
    return;
  }
  const { random } = world;
  const retryAfterMs = random.chance(0.1) ? random.between(0, 120_000) : null;
  const delayMs = world.rules.retryDelayMs(attemptNo, { random: random.share(), retryAfterMs });
  if (delayMs === null) deliveries.waiting -= 1;
  else world.after(delayMs, () => attempt(world, attemptNo + 1, deliveries));
}
