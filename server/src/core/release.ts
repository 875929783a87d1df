// Lets payments go that waited for their provider, once it is back: at a bounded rate for each provider, the oldest
// first, fairly across merchants. Release only makes a payment due; until its submit claims it, it can be cancelled.
import type { PaymentKey } from '../domain/payment.ts';
import { listEnqueued } from '../store/payments.ts';
import { advance } from './advance.ts';
import type { Engine } from './engine.ts';
import { togetherOrAlone } from './together-or-alone.ts';

/** Releases at most `countMax` payments of each provider and kind. Answers how many were released. */
export async function release(
  engine: Engine,
  { countMax, onError }: { readonly countMax: number; readonly onError: (error: unknown) => void },
): Promise<number> {
  const unavailable = await engine.directory.unavailable();
  const waiting = await listEnqueued(engine.store.database, { countMax, except: [...unavailable.keys()] });
  if (waiting.length === 0) return 0;
  const letGo = (keys: readonly PaymentKey[]) =>
    advance(
      engine,
      keys.map((key) => ({ key, event: { type: 'RELEASED' } })),
    );
  const released = await togetherOrAlone(waiting, letGo, onError);
  return released.filter(({ type }) => type === 'MOVE').length;
}
