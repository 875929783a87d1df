// Who asks a payer: the operator knows only our reference, and the phone shows whose payment it is.
import type { PhonePrompt } from '../../connectors/simulator/operator/phone.ts';
import type { Engine } from '../../core/engine.ts';
import { findAttemptByReference } from '../../store/attempts.ts';
import { findMerchant } from '../../store/merchants.ts';
import type { ShownPrompt } from '../pages/phone/view.ts';

export function nameAskers(engine: Engine, prompts: readonly PhonePrompt[]): Promise<readonly ShownPrompt[]> {
  return Promise.all(prompts.map((prompt) => nameAsker(engine, prompt)));
}

async function nameAsker(engine: Engine, prompt: PhonePrompt): Promise<ShownPrompt> {
  const { database } = engine.store;
  const attempt = await findAttemptByReference(database, prompt.reference);
  if (attempt === null) return { ...prompt, merchantName: prompt.message, depositId: null };
  const merchant = await findMerchant(database, attempt.merchantId);
  return { ...prompt, merchantName: merchant?.companyName ?? prompt.message, depositId: attempt.paymentId };
}
