// Which of a merchant's own records are payments that operators made in lost time. No reference can be turned back into
// its payment, but from an identifier its reference follows.
import { canonicalIdentifier } from '../../domain/identifier.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { listUnmatchedByReference, type Unmatched } from '../../store/recovery/unmatched-payments.ts';
import type { Engine } from '../engine.ts';
import { referenceFor } from '../operators/reference.ts';

export type UnmatchedQuestion = {
  readonly merchantId: string;
  readonly home: string;
  readonly kind: PaymentKind;
  /** As the merchant wrote them. */
  readonly writtenIds: readonly string[];
};

/** What reports tell of each identifier, in the order asked. */
export async function findUnmatched(
  engine: Pick<Engine, 'referenceKey' | 'store'>,
  { merchantId, home, kind, writtenIds }: UnmatchedQuestion,
): Promise<readonly { readonly writtenId: string; readonly payments: readonly Unmatched[] }[]> {
  const asked = writtenIds.map((writtenId) => {
    const key = { merchantId, kind, paymentId: canonicalIdentifier(writtenId) };
    // No one knows any more at which operator it was ordered, so both shapes are tried.
    const references = (['TOKEN', 'UUID'] as const).map((shape) =>
      referenceFor(engine.referenceKey, { key, attemptNo: 1, home, shape }),
    );
    return { writtenId, references };
  });
  const found = await listUnmatchedByReference(
    engine.store.database,
    asked.flatMap(({ references }) => references),
  );
  const byReference = Map.groupBy(found, ({ reference }) => reference);
  return asked.map(({ writtenId, references }) => ({
    writtenId,
    payments: references.flatMap((reference) => byReference.get(reference) ?? []),
  }));
}
