// Posts a message to a merchant's address that is signed like a callback and about no payment, and says what came back.
import { randomUUID } from 'node:crypto';
import { CallbackPoster, type PostResult } from '../../callbacks/post.ts';
import { signCallback } from '../../callbacks/sign.ts';
import type { AnnouncedKind } from '../../domain/payments/payment.ts';
import { listCallbackUrls } from '../../store/merchants/merchants.ts';
import { record, type Actor } from '../audit.ts';
import type { Engine } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';

const TIMEOUT_MS = 10_000;

export type CallbackTest = { readonly result: PostResult; readonly durationMs: number };

/** Null where callbacks of this kind go nowhere. */
export async function testCallback(
  engine: Engine,
  order: Actor & { readonly merchantId: string; readonly kind: AnnouncedKind },
): Promise<CallbackTest | null> {
  const { by, merchantId, kind } = order;
  const url = await inMerchant(engine.store.database, merchantId, async (tx) => {
    const found = (await listCallbackUrls(tx, merchantId)).get(kind);
    if (found === undefined) return null;
    await record(engine, tx, [{ by, act: 'CALLBACK_TESTED', merchantId, subject: kind, detail: {} }]);
    return found;
  });
  if (url === null) return null;
  const body = JSON.stringify({ test: true, testId: randomUUID(), kind, created: engine.clock.now() });
  const key = await engine.signingKeys.current();
  const poster = new CallbackPoster({ guard: engine.outgoingGuard, timeoutMs: TIMEOUT_MS });
  const startedAt = performance.now();
  try {
    const headers = signCallback({ merchantId, url, body, key, now: engine.wallClock.now() });
    const result = await poster.post({ url, body, headers });
    return { result, durationMs: Math.round(performance.now() - startedAt) };
  } finally {
    await poster.close();
  }
}
