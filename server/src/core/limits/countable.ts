// What limits count of a payment.
import type { Limit } from '../../domain/limits/limit.ts';
import type { Keyring } from '../../store/encryption/encryption.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import type { Countable } from './count-payments.ts';

type Counting = Pick<
  StoredPayment,
  'merchantId' | 'kind' | 'amount' | 'currency' | 'provider' | 'country' | 'tokenId'
> & { readonly details: Pick<StoredPayment['details'], 'phoneNumber'> };

/** The payment as `limits` count it. The number is hashed under the merchant's key, which must be loaded. */
export function countableOf(
  keyring: Keyring,
  payment: Counting,
  limits: readonly Limit[],
): Omit<Countable<never>, 'item'> {
  const { merchantId, kind, amount, currency, provider, country, tokenId, details } = payment;
  return {
    merchantId,
    limits,
    payment: {
      kind,
      amount,
      currency,
      provider,
      country,
      tokenId,
      // Only a limit for each number asks for it.
      get numberHash() {
        return keyring.searchHash(merchantId, `limits/${details.phoneNumber}`).toString('hex');
      },
    },
  };
}
