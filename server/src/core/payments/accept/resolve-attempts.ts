// Attempts of checkouts, in the transaction that accepts them: the checkout is locked, so that only one attempt runs at
// a time, in however many windows the payer presses Pay.
import { CHECKOUT_ATTEMPTS_MAX } from '../../../domain/checkouts/checkout.ts';
import { failureReason } from '../../../domain/failure.ts';
import { listAttempts, lockCheckouts, type Checkout } from '../../../store/checkouts/checkouts.ts';
import type { Tx } from '../../../store/database.ts';
import type { Refused } from '../admit.ts';
import { moveCheckout, nameOf } from '../process/move-checkouts.ts';
import type { AttemptOf, ResolvedCandidate } from '../payment-request.ts';

/** After funds were held: everywhere wallets are locked before checkouts. */
export async function resolveAttempts(
  tx: Tx,
  candidates: readonly ResolvedCandidate[],
  now: Date,
): Promise<readonly ResolvedCandidate[]> {
  const keys = candidates.flatMap((candidate) => attemptOf(candidate) ?? []);
  if (keys.length === 0) return candidates;
  const checkouts = new Map((await lockCheckouts(tx, keys)).map((one) => [nameOf(one), one]));
  const attempts = await listAttempts(tx, keys);
  const resolved: ResolvedCandidate[] = [];
  for (const candidate of candidates) {
    const attempt = attemptOf(candidate);
    const checkout = attempt === null ? undefined : checkouts.get(nameOf(attempt));
    if (attempt === null) {
      resolved.push(candidate);
      continue;
    }
    const known = attempts.filter((one) => nameOf(one) === nameOf(attempt)).length;
    const isNext = attempt.attemptNo === known + 1 && known < CHECKOUT_ATTEMPTS_MAX;
    const status =
      checkout === undefined || !isNext
        ? null
        : await moveCheckout(tx, checkout, { type: 'ATTEMPT_STARTED' }, now);
    if (checkout !== undefined && status !== null) checkouts.set(nameOf(attempt), { ...checkout, status });
    resolved.push(status === null ? { ...candidate, becomes: notNow(attempt, checkout) } : candidate);
  }
  return resolved;
}

/** Null for what is no attempt, and for attempts that were refused before. */
function attemptOf({ order, becomes }: ResolvedCandidate) {
  if (order.kind === 'REFUND' || order.attemptOf === undefined || 'reason' in becomes) return null;
  return { merchantId: order.merchant.merchantId, ...order.attemptOf };
}

function notNow({ checkoutId }: AttemptOf, checkout: Checkout | undefined): Refused {
  const cause = `is ${checkout?.status ?? 'unknown'}; it takes no attempt of this number now`;
  return {
    type: 'REJECTED',
    reason: failureReason('INVALID_STATE', { kind: 'Checkout', id: checkoutId, cause }),
  };
}
