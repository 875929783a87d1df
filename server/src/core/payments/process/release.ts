// Releases payments that waited for their provider, once it is back, and those whose freeze has ended: at a bounded
// rate for each provider, the oldest first, fairly across merchants. Release only makes a payment due; until its submit
// claims it, it can be cancelled.
import { randomUUID } from 'node:crypto';
import { OUTGOING_KINDS } from '../../../domain/limits/freeze.ts';
import type { PaymentEvent } from '../../../domain/payments/lifecycle.ts';
import type { PaymentKey } from '../../../domain/payments/payment.ts';
import { listFrozenGroups } from '../../../store/limits/freezes.ts';
import { groupName, type StepGroup } from '../../../store/payments/due-floors.ts';
import { listEnqueued, listFormerlyHeld } from '../../../store/payments/enqueued.ts';
import { advance } from './advance.ts';
import type { Engine } from '../../engine.ts';
import { withinBudget, type Allowed } from './submit-budget.ts';
import { togetherOrAlone } from '../../together-or-alone.ts';
import { reportAbout } from '../../payment-log.ts';

/** Releases at most `countMax` payments of each provider and kind. Answers how many were released. */
export async function release(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const unavailable = await engine.directory.unavailable();
  const { database } = engine.store;
  const now = engine.clock.now();
  const frozen = await listFrozenGroups(database, now);
  if (frozen.some(({ scope }) => scope === 'ALL')) return 0;
  const stopped = frozen.flatMap(({ subject }) => OUTGOING_KINDS.map((kind) => `${subject} ${kind}`));
  const look = { countMax, except: [...unavailable.keys(), ...stopped], now };
  const enqueuedLook = { ...look, startAt: randomUUID() };
  const ready: readonly Releasable[] = [
    // Of a wallet that owes more than it has too: its claim becomes a wait that no freeze marks.
    ...(await listFormerlyHeld(database, look)),
    ...(await listEnqueued(database, enqueuedLook)),
  ];
  if (ready.length === 0) return 0;
  const waiting = withinBudget(ready, await slotsFor(engine, ready));
  const releaseNow = (keys: readonly Releasable[]) =>
    advance(
      engine,
      keys.map((key) => ({ key, event: releaseOf(key) })),
    );
  const released = await togetherOrAlone(waiting, releaseNow, reportAbout(onError));
  return released.filter(({ type }) => type === 'MOVE').length;
}

type Releasable = PaymentKey & StepGroup & { readonly heldBy?: string };

function releaseOf({ heldBy }: Releasable): PaymentEvent {
  return heldBy === undefined ? { type: 'RELEASED' } : { type: 'RELEASED', heldBy };
}

/** All workers together release no faster than the operator may be called. */
async function slotsFor(engine: Engine, waiting: readonly StepGroup[]): Promise<Allowed> {
  const slots = new Map<string, number>();
  for (const [name, group] of Map.groupBy(waiting, groupName)) {
    const [first] = group;
    if (first === undefined) continue;
    const { provider, kind: operation } = first;
    const connector = engine.connectors.get(engine.connectorOf(provider, operation) ?? '');
    const wish = { provider, operation, use: 'RELEASE', countMax: group.length } as const;
    slots.set(name, (await connector?.takeSlots?.(wish))?.length ?? Infinity);
  }
  return (group) => slots.get(groupName(group)) ?? Infinity;
}
