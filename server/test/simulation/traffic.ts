// What goes on in the world by itself: orders, forged notifications, providers that come and go, releases,
// cancellations and money by bank.
import { PAYMENT_KINDS } from '../../src/domain/payments/payment.ts';
import { bringMoney } from './merchants.ts';
import { forge } from './notifications.ts';
import { order } from './orders.ts';
import { PROVIDERS } from './providers.ts';
import type { World } from './world.ts';

const RELEASE_MS = 1_000;
/** Of each provider and kind, at one time. */
const RELEASES_MAX = 3;

export function startTraffic(world: World): void {
  const { random } = world;
  repeatInStorm(world, () => random.between(20, 800), order);
  repeatInStorm(world, () => random.between(200, 5_000), forge);
  repeatInStorm(world, () => random.between(2_000, 30_000), changeWeather);
  repeatInStorm(world, () => random.between(500, 6_000), cancel);
  repeatInStorm(
    world,
    () => random.between(10_000, 60_000),
    (it) => bringMoney(it, random.pick(it.merchants), random.pick(PROVIDERS)),
  );
  repeat(world, () => (world.waiting.size > 0 ? RELEASE_MS : 10 * RELEASE_MS), release);
}

function repeat(world: World, delayMs: () => number, run: (world: World) => void): void {
  world.after(delayMs(), () => {
    run(world);
    repeat(world, delayMs, run);
  });
}

function repeatInStorm(world: World, delayMs: () => number, run: (world: World) => void): void {
  world.after(delayMs(), () => {
    if (world.isCalm) return;
    run(world);
    repeatInStorm(world, delayMs, run);
  });
}

/** A provider is out of reach for one kind of payment or for all, and comes back. */
function changeWeather(world: World): void {
  const { random, unavailable } = world;
  const { provider } = random.pick(PROVIDERS);
  const kinds = random.chance(0.5) ? PAYMENT_KINDS : [random.pick(PAYMENT_KINDS)];
  const status = random.chance(0.8) ? 'DELAYED' : 'CLOSED';
  for (const kind of kinds) unavailable.set(`${provider} ${kind}`, status);
  world.after(random.between(5_000, 240_000), () => {
    for (const kind of kinds) unavailable.delete(`${provider} ${kind}`);
  });
}

function release(world: World): void {
  const released = new Map<string, number>();
  // Deleting from a set while going through it is well defined.
  for (const kept of world.waiting) {
    const name = `${kept.payment.provider} ${kept.payment.kind}`;
    const count = released.get(name) ?? 0;
    if (world.unavailable.has(name) || count >= RELEASES_MAX) continue;
    released.set(name, count + 1);
    world.advance(kept, [{ event: { type: 'RELEASED' } }]);
  }
}

/** A merchant wants a payment back: mostly one that waits, at times one that does not. */
function cancel(world: World): void {
  const { random, payments } = world;
  const [waiting] = world.waiting;
  const recent =
    payments[random.between(Math.max(0, payments.length - 50), Math.max(0, payments.length - 1))];
  const kept = random.chance(0.6) ? waiting : recent;
  if (kept !== undefined) world.advance(kept, [{ event: { type: 'CANCELLED' } }]);
}
