// Which payments a freeze stops, or an entry that blocks their number. Asked in the claiming transaction: a freeze is
// written while nothing is claimed, so that once it has committed nothing of its scope is. A number can be blocked
// while a claim is about to commit.
import { isOutgoing, marksPayments, type Frozen } from '../../domain/limits/freeze.ts';
import type { PaymentEvent } from '../../domain/payments/lifecycle.ts';
import { paymentKeyText } from '../../domain/payments/payment.ts';
import type { Tx } from '../../store/database.ts';
import type { Keyring } from '../../store/encryption/encryption.ts';
import { findStopping, type FoundFreeze } from '../../store/limits/freezes.ts';
import type { StoredPayment } from '../../store/payments/payments.ts';
import type { StorePart } from '../engine.ts';
import { numberHashes } from '../../store/encryption/number-hash.ts';

const ALL: Frozen = { scope: 'ALL', subject: '' };

/** By the names of the payments. Of several freezes one that stops a whole group goes first. */
export async function findFrozen(
  { store }: StorePart,
  tx: Tx,
  payments: readonly StoredPayment[],
  now: Date,
): Promise<ReadonlyMap<string, FoundFreeze>> {
  const asked = new Map(
    payments
      .filter(({ kind }) => isOutgoing(kind))
      .map((payment) => [paymentKeyText(payment), frozenAs(store.keyring, payment)]),
  );
  if (asked.size === 0) return new Map();
  const distinct = new Map([...asked.values()].flat().map((one) => [nameOf(one), one]));
  const found = await findStopping(tx, [...distinct.values()], now);
  if (found.length === 0) return new Map();
  const inForce = Map.groupBy(found, nameOf);
  return new Map(
    payments.flatMap((payment) => {
      const name = paymentKeyText(payment);
      const [first] = (asked.get(name) ?? [])
        .flatMap((one) => inForce.get(nameOf(one)) ?? [])
        .filter(({ merchantId }) => merchantId === null || merchantId === payment.merchantId);
      return first === undefined ? [] : [[name, first] as const];
    }),
  );
}

/** Everything that could be frozen about a payment, what stops most first. */
function frozenAs(keyring: Keyring, payment: StoredPayment): readonly Frozen[] {
  const { merchantId, provider, tokenId, details } = payment;
  return [
    ALL,
    { scope: 'PROVIDER', subject: provider },
    { scope: 'MERCHANT', subject: merchantId },
    ...(tokenId === undefined ? [] : [{ scope: 'TOKEN', subject: tokenId } as const]),
    ...numberHashes(keyring, details.phoneNumber).map(frozenNumber),
  ];
}

export function frozenNumber(hash: Buffer): Frozen {
  return { scope: 'NUMBER', subject: hash.toString('hex') };
}

/** What a claim becomes. */
export function frozenEvent({ scope, freezeId }: FoundFreeze): PaymentEvent {
  const event = { type: 'PROVIDER_DELAYED', because: 'FROZEN' } as const;
  return marksPayments(scope) ? { ...event, heldBy: freezeId } : event;
}

function nameOf({ scope, subject }: Frozen): string {
  return `${scope} ${subject}`;
}
