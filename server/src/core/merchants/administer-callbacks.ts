// What the host does manually about callbacks: switching on what was switched off, replaying, looking, whom to write
// to.
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import { enableEndpoints } from '../../store/callbacks/endpoint-queues.ts';
import { openCallback, type OpenedCallback } from '../../store/callbacks/callback-log.ts';
import { replayCallbacks, type Replay } from '../../store/callbacks/callback-repeats.ts';
import { noteCallbacksMade } from '../../store/cells/migration-locks.ts';
import { setContactEmail } from '../../store/callbacks/notices.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine, TimedStore } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';

type OfMerchant = Actor & { readonly merchantId: string };

/** Answers the kinds that were off. What was given up while they were is for `replay`. */
export async function enableCallbacks(
  engine: TimedStore,
  { by, merchantId, kinds }: OfMerchant & { readonly kinds: readonly AnnouncedKind[] },
): Promise<readonly AnnouncedKind[]> {
  return inMerchant(engine.store.database, merchantId, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    const enabled = await enableEndpoints(tx, { merchantId, kinds, now });
    const detail = { kinds: enabled };
    const entry = { by, act: 'CALLBACKS_ENABLED', merchantId, subject: merchantId, detail } as const;
    if (enabled.length > 0) await record(engine, tx, [entry]);
    return enabled;
  });
}

/** Announces the ends of payments again. Answers how many callbacks were made. */
export async function replay(engine: Engine, order: OfMerchant & Omit<Replay, 'now'>): Promise<number> {
  const { by, merchantId, kinds, statuses, from, to } = order;
  const count = await inMerchant(engine.store.database, merchantId, async (tx) => {
    const now = await engine.clock.timeOf(tx);
    const made = await replayCallbacks(tx, { ...order, now });
    await noteCallbacksMade(tx, { merchantId, createdAt: now });
    const detail = { kinds, statuses, from, to, count: made };
    const entry = { by, act: 'CALLBACKS_REPLAYED', merchantId, subject: merchantId, detail } as const;
    if (made > 0) await record(engine, tx, [entry]);
    return made;
  });
  engine.wake();
  return count;
}

/** With its body and what the endpoint answered. Both can name people, so anyone who looks is recorded. */
export async function readCallback(
  engine: TimedStore,
  { by, merchantId, callbackId }: OfMerchant & { readonly callbackId: string },
): Promise<OpenedCallback | null> {
  const { store } = engine;
  await loadDataKeys(store, [merchantId]);
  return inMerchant(store.database, merchantId, async (tx) => {
    const found = await openCallback(tx, store.keyring, { merchantId, callbackId });
    const entry = { by, act: 'CALLBACK_READ', merchantId, subject: callbackId, detail: {} } as const;
    if (found !== null) await record(engine, tx, [entry]);
    return found;
  });
}

/** Whom notices are mailed to from now on. */
export async function changeContact(
  engine: TimedStore,
  { by, merchantId, email }: OfMerchant & { readonly email: string },
): Promise<void> {
  const { store } = engine;
  await loadDataKeys(store, [merchantId]);
  await inMerchant(store.database, merchantId, async (tx) => {
    await setContactEmail(tx, store.keyring, { merchantId, email });
    // The address itself is somebody's, and stays out of the log.
    await record(engine, tx, [{ by, act: 'CONTACT_SET', merchantId, subject: merchantId, detail: {} }]);
  });
}
