// Accepts a checkout: its identifier and its row are one transaction. Its attempts are deposits that come later.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { ApiVersion, OperationKey } from '../../domain/payments/payment.ts';
import {
  findCheckout,
  insertCheckout,
  openCheckoutOrder,
  type Checkout,
  type CheckoutOrder,
} from '../../store/checkouts/checkouts.ts';
import { CommitLost, type Tx } from '../../store/database.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { deletePaymentKeys, insertPaymentKeys } from '../../store/payments/payment-keys.ts';
import { loadDataKeys } from '../../store/encryption/data-keys.ts';
import type { Refused } from '../payments/admit.ts';
import { checkTerms } from './check-terms.ts';
import type { Engine, StorePart, TimedStore } from '../engine.ts';
import { inMerchant } from '../cells/lock-merchant.ts';
import { fingerprintOf } from '../payments/fingerprint.ts';
import { createPageCode, hashPageCode } from './page-code.ts';
import { answerOfTaken, findTaken, readBack, type TakenAnswer } from '../payments/accept/read-back.ts';
import { addMs } from '../../domain/time.ts';
import { initiationSpan } from '../tracer.ts';

export type NewCheckout = {
  readonly merchant: Merchant;
  readonly paymentNo: string;
  readonly writtenId: string;
  readonly apiVersion: ApiVersion;
  readonly asked: Omit<CheckoutOrder, 'code' | 'redirectUrl'>;
  /** The address of the page with this code. */
  readonly addressOf: (code: string) => string;
};

export type CheckoutAnswer =
  | {
      readonly type: 'ACCEPTED' | 'DUPLICATE_IGNORED';
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly order: Pick<CheckoutOrder, 'code' | 'redirectUrl'>;
    }
  | Refused
  /** No one can say whether it was committed. */
  | { readonly type: 'UNKNOWN' };

export async function openCheckout(engine: Engine, order: NewCheckout): Promise<CheckoutAnswer> {
  const since = performance.now();
  await loadDataKeys(engine.store, [order.merchant.merchantId]);
  const key = keyOf(order);
  const decided = await decide(engine, order);
  const answer = 'reason' in decided ? decided : await tell(engine, key, decided);
  engine.observer.initiated('CHECKOUT', answer.type);
  engine.tracer.record(initiationSpan(key, answer, since));
  return answer;
}

/** Refused on its merits, the order still takes its identifier first: a twin that is being committed is waited for. */
async function decide(engine: Engine, order: NewCheckout): Promise<TakenAnswer | Refused> {
  const { merchant, asked, paymentNo } = order;
  const refusal = await checkTerms(engine, merchant, asked.terms);
  const key = keyOf(order);
  try {
    return await inMerchant(engine.store.database, merchant.merchantId, async (tx, { note }) => {
      const answer = await insert(engine, tx, order, refusal);
      await note([key]);
      return answer;
    });
  } catch (error) {
    if (!(error instanceof CommitLost)) throw error;
    return answerOfTaken(key, paymentNo, await readBack(engine, [key]));
  }
}

async function insert(
  engine: TimedStore,
  tx: Tx,
  order: NewCheckout,
  refusal: Refused | null,
): Promise<TakenAnswer | Refused> {
  const { merchant, paymentNo, asked, writtenId } = order;
  const key = keyOf(order);
  const now = await engine.clock.timeOf(tx);
  const fingerprint = fingerprintOf(engine, merchant.merchantId, asked);
  const own = { ...key, createdAt: now, paymentNo, fingerprint };
  if ((await insertPaymentKeys(tx, [own])).size === 0) {
    return answerOfTaken(key, paymentNo, await findTaken(tx, [key]));
  }
  if (refusal !== null) {
    await deletePaymentKeys(tx, [own]);
    return refusal;
  }
  const code = createPageCode(merchant.home);
  await insertCheckout(tx, engine.store.keyring, {
    merchantId: merchant.merchantId,
    checkoutId: key.paymentId,
    writtenId,
    apiVersion: order.apiVersion,
    codeHash: hashPageCode(code),
    order: { ...asked, code, redirectUrl: order.addressOf(code) },
    createdAt: now,
    expiresAt: addMs(now, asked.expiresAfterMinutes * 60_000),
  });
  return { type: 'ACCEPTED', createdAt: now };
}

/** What is told of a checkout that exists, also to those who ask for it a second time: where the payer goes. */
async function tell(engine: StorePart, key: OperationKey, taken: TakenAnswer): Promise<CheckoutAnswer> {
  if (taken.type === 'UNKNOWN') return taken;
  const { database, keyring } = engine.store;
  const { merchantId, paymentId: checkoutId } = key;
  const checkout = await findCheckout(database, { merchantId, checkoutId });
  if (checkout === null) throw new Error(`checkout ${checkoutId} is missing`);
  const { expiresAt }: Checkout = checkout;
  return { ...taken, expiresAt, order: openCheckoutOrder(keyring, checkout) };
}

function keyOf({ merchant, writtenId }: NewCheckout): OperationKey {
  return {
    merchantId: merchant.merchantId,
    kind: 'CHECKOUT',
    paymentId: canonicalIdentifier(writtenId),
  };
}
