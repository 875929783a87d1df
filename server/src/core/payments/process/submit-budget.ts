// How many payments may be claimed: no more than their operator's rate budget has slots for. A slot that was taken and
// not used serves the next claim.
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import type { ProviderOperation } from '../../../store/operators/availability.ts';
import { groupName, type StepGroup } from '../../../store/payments/due-floors.ts';
import type { Engine } from '../../engine.ts';

/** How many payments of this one's provider and kind may be claimed. */
export type Allowed = (payment: StepGroup) => number;

export type SubmitBudget = {
  readonly allow: (due: readonly StepGroup[]) => Promise<Allowed>;
  /** When a claimed payment may be sent; undefined where nothing limits it. */
  readonly take: (payment: StepGroup) => number | undefined;
  /** Whose payments wait for a slot now. */
  readonly exhausted: () => readonly ProviderOperation[];
};

/**
 * As long as a provider and kind without a slot is passed over, so that those behind it are found, also by rounds that
 * are slow. Slots are taken a second ahead, so none is lost meanwhile.
 */
const LOOK_AGAIN_MS = 500;

/** A slot that was not used for so long is forgotten: used late it would make a burst. */
const SLOT_KEPT_MS = 1_000;

type Held = ProviderOperation & { slots: readonly number[] | null; emptyUntil: number };

export function createSubmitBudget(engine: Pick<Engine, 'connectors' | 'connectorOf'>): SubmitBudget {
  const held = new Map<string, Held>();
  const take = async (one: Held, wanted: number) => {
    const oldest = performance.now() - SLOT_KEPT_MS;
    const left = (one.slots ?? []).filter((slot) => slot >= oldest);
    const { provider, operation } = one;
    const connector = engine.connectors.get(engine.connectorOf(provider, operation) ?? '');
    const countMax = wanted - left.length;
    const wish = { provider, operation, use: 'SUBMIT', countMax } as const;
    const taken = countMax <= 0 ? [] : ((await connector?.takeSlots?.(wish)) ?? null);
    one.slots = taken === null ? null : [...left, ...taken];
    const isEmpty = one.slots !== null && one.slots.length < wanted;
    one.emptyUntil = isEmpty ? performance.now() + LOOK_AGAIN_MS : 0;
  };
  return {
    allow: async (due) => {
      const wanted = countByOperation(due);
      for (const [name, { provider, kind: operation, count }] of wanted) {
        const one = held.get(name) ?? { provider, operation, slots: [], emptyUntil: 0 };
        held.set(name, one);
        await take(one, count);
      }
      return (payment) => held.get(groupName(payment))?.slots?.length ?? Infinity;
    },
    take: (payment) => {
      const one = held.get(groupName(payment));
      const [first, ...rest] = one?.slots ?? [];
      if (one !== undefined && first !== undefined) one.slots = rest;
      return first;
    },
    exhausted: () => [...held.values()].filter(({ emptyUntil }) => emptyUntil > performance.now()),
  };
}

/** As many of each provider and kind as are allowed, in their order. */
export function withinBudget<One extends StepGroup>(
  payments: readonly One[],
  allowed: Allowed,
): readonly One[] {
  const counts = new Map<string, number>();
  return payments.filter((payment) => {
    const name = groupName(payment);
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count <= allowed(payment);
  });
}

function countByOperation(due: readonly StepGroup[]) {
  const counts = new Map<string, { provider: string; kind: PaymentKind; count: number }>();
  for (const { provider, kind } of due) {
    const name = groupName({ provider, kind });
    counts.set(name, { provider, kind, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return counts;
}
