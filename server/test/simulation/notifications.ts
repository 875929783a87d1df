// What operators say unasked, and what others say in their name. Signed messages may be lost, doubled and late; what
// is not signed is a hint, whatever it claims.
import { happeningOf } from './steps.ts';
import type { Answer } from './operator.ts';
import type { Kept, World } from './world.ts';

const HALF_AN_HOUR_MS = 1_800_000;

/** Perhaps not at all, perhaps twice. */
export function notify(world: World, kept: Kept, answer: Answer): void {
  if (world.fault(0.25)) return;
  announceSurely(world, kept, answer);
}

/** At least once, sooner or later. */
export function announceSurely(world: World, kept: Kept, { outcome, version }: Answer): void {
  const count = world.fault(0.1) ? 2 : 1;
  for (let sent = 0; sent < count; sent += 1) {
    const delayMs = world.fault(0.1)
      ? world.random.between(60_000, HALF_AN_HOUR_MS)
      : world.random.between(10, 3_000);
    world.after(delayMs, () => world.advance(kept, [happeningOf(outcome, version)]));
  }
}

/** Somebody who knows a reference and no secret. */
export function forge(world: World): void {
  const { payments, random } = world;
  if (payments.length === 0) return;
  const recent = Math.max(0, payments.length - 300);
  const kept = payments[random.between(recent, payments.length - 1)];
  if (kept !== undefined && kept.attempt !== null) world.advance(kept, [{ event: { type: 'HINTED' } }]);
}
