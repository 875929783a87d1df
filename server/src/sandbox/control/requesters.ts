// Adds the merchant's name to prompts: the operator knows only our reference.
import type { PhonePrompt } from '../fakes/payers/phone.ts';
import type { Engine } from '../../core/engine.ts';
import { listAttemptsByReference } from '../../store/payments/attempts.ts';
import { findMerchant } from '../../store/merchants/merchants.ts';
import type { ShownPrompt } from '../phone/view.ts';

export async function nameRequesters(
  engine: Engine,
  prompts: readonly PhonePrompt[],
): Promise<readonly ShownPrompt[]> {
  const { database } = engine.store;
  const attempts = await listAttemptsByReference(
    database,
    prompts.map(({ reference }) => reference),
  );
  return Promise.all(
    prompts.map(async (prompt) => {
      const attempt = attempts.find(({ reference }) => reference === prompt.reference);
      if (attempt === undefined) return { ...prompt, merchantName: prompt.message, depositId: null };
      const merchant = await findMerchant(database, attempt.merchantId);
      const merchantName = merchant?.companyName ?? prompt.message;
      return { ...prompt, merchantName, depositId: attempt.paymentId };
    }),
  );
}
