// Where a look for due steps begins. A transaction that stays open elsewhere keeps the entries of steps that were taken
// long ago in the index, and a look from the beginning would read all of them again, a hundred thousand in 66 to 108
// ms. So a process remembers, for each provider and kind, before which time it found nothing. Those in which it never
// found anything are not looked at one by one: all providers and kinds in each look would cost five times as much.
import { listProviders } from '../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../domain/payments/payment.ts';
import type { ProcessTime } from '../../domain/clock.ts';

/** Steps are found by provider and kind: those of a provider that has to wait are not read to find the others. */
export type StepGroup = { readonly provider: string; readonly kind: PaymentKind };

export type GroupFloor = StepGroup & { readonly floor: Date };

type DueStep = StepGroup & { readonly nextActionAt: Date };

/** A step may become visible this long after its time: by a slow commit, or a clock that is a little behind. */
const SLACK_MS = 10_000;

/** A step with an older time, as of a merchant that was suspended or has just moved here, is found as soon as this. */
const WHOLE_LOOK_INTERVAL_MS = 30_000;

/** A clock that was moved by more than this: steps of before may be written after it, with times of before. */
const JUMP_MS = 1_000;

/**
 * A whole look takes less than 1 ms. One that takes long has met many entries of steps that were taken: until the next
 * one each provider and kind is looked at from its own floor, so that they are not read again.
 */
const WHOLE_LOOK_SLOW_MS = 25;

const BEGINNING = new Date(0);

const CATALOGUE: readonly StepGroup[] = listProviders().flatMap(({ code }) =>
  PAYMENT_KINDS.map((kind) => ({ provider: code, kind })),
);

/** For the looks of one loop at one action. A process that has just started looks at everything. */
export class DueFloors {
  readonly #floors = new Map<string, GroupFloor>();
  readonly #elapsedMs: () => number;
  /** The names of those in which something was found. */
  readonly #active = new Set<string>();
  #wholeAt: ProcessTime | null = null;
  #wholeBeganMs: number | null = null;
  #isEachLookedAt = false;
  /** By the clock that payments have, and by one that no one moves. */
  #last: { readonly now: ProcessTime; readonly elapsedMs: number } | null = null;
  #wholeUntilMs = -Infinity;

  constructor(elapsedMs = () => performance.now()) {
    this.#elapsedMs = elapsedMs;
  }

  /**
   * What to look at, and from which time: all groups, or those in which something was ever found. `listAll` finds the
   * groups that there are, also of removed providers.
   */
  async groupsAt(
    now: ProcessTime,
    listAll: () => Promise<readonly StepGroup[]>,
    which: 'ALL' | 'ACTIVE' = 'ALL',
  ): Promise<readonly GroupFloor[]> {
    const passedMs = this.#wholeAt === null ? Infinity : now.getTime() - this.#wholeAt.getTime();
    const wasMoved = this.#wasMoved(now);
    if (wasMoved || passedMs >= WHOLE_LOOK_INTERVAL_MS) {
      const found = await listAll();
      this.#floors.clear();
      for (const group of [...CATALOGUE, ...found]) this.#set(group, BEGINNING);
      this.add(found);
      this.#wholeAt = now;
      this.#wholeBeganMs = this.#elapsedMs();
      this.#isEachLookedAt = false;
    }
    if (which === 'ALL' || this.#isEachLookedAt) return [...this.#floors.values()];
    return [...this.#active].flatMap((name) => this.#floors.get(name) ?? []);
  }

  /** From now on they are active. */
  add(groups: readonly StepGroup[]): void {
    for (const group of groups) {
      const name = groupName(group);
      this.#active.add(name);
      if (!this.#floors.has(name)) this.#set(group, BEGINNING);
    }
  }

  /** Whether the clock was moved, now or not long ago: then no floor can be trusted. */
  #wasMoved(now: ProcessTime): boolean {
    const elapsedMs = this.#elapsedMs();
    const { now: lastNow, elapsedMs: lastMs } = this.#last ?? { now, elapsedMs };
    this.#last = { now, elapsedMs };
    const movedMs = now.getTime() - lastNow.getTime() - (elapsedMs - lastMs);
    if (Math.abs(movedMs) > JUMP_MS) this.#wholeUntilMs = elapsedMs + WHOLE_LOOK_INTERVAL_MS;
    return elapsedMs < this.#wholeUntilMs;
  }

  /** What was found in some of the groups, and the time until which everything in them would have been found. */
  record(
    looked: readonly StepGroup[],
    { due, until }: { readonly due: readonly DueStep[]; readonly until: ProcessTime },
  ): void {
    for (const group of looked) this.#set(group, floorOf(until));
    // The longest due last, so that it counts.
    for (const step of due.toReversed()) this.#set(step, floorOf(step.nextActionAt));
    this.add(due);
    if (this.#wholeBeganMs === null) return;
    this.#isEachLookedAt = this.#elapsedMs() - this.#wholeBeganMs > WHOLE_LOOK_SLOW_MS;
    this.#wholeBeganMs = null;
  }

  #set(group: StepGroup, floor: Date): void {
    const { provider, kind } = group;
    this.#floors.set(groupName(group), { provider, kind, floor });
  }
}

/** A floor is compared with times and never written into a payment. */
function floorOf(time: ProcessTime): Date {
  return new Date(time.getTime() - SLACK_MS);
}

export function groupName({ provider, kind }: StepGroup): string {
  return `${provider} ${kind}`;
}
