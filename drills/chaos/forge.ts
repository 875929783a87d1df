// A READ_ONLY user of a merchant who forges operator messages: successes in the operators' formats, with everything
// that the dashboard shows about open payments, sent to every address that can be derived from it.
import { readStory } from '../../server/src/core/payments/read/read-timeline.ts';
import type { PaymentKey } from '../../server/src/domain/payments/payment.ts';
import type { Random } from '../kit/random.ts';
import type { Setup } from './setup.ts';

const PAYMENTS_MAX = 3;
const WORDS_MAX = 12;

/** Returns how many messages were sent. */
export async function forge({ apiUrl, admin: { engine } }: Setup, random: Random): Promise<number> {
  const { rows } = await engine.store.database.query<PaymentKey & { connector: string; provider: string }>(
    `select merchant_id as "merchantId", kind::text as kind, payment_id as "paymentId", connector, provider
     from payments where state in ('PROCESSING', 'IN_RECONCILIATION') order by payment_id desc limit 50`,
  );
  let sent = 0;
  for (let number = 0; number < PAYMENTS_MAX && rows.length > 0; number += 1) {
    const victim = random.pick(rows);
    const story = await readStory(engine, victim, 'MERCHANT');
    const seen = JSON.stringify(story, (_name, value: unknown) =>
      typeof value === 'bigint' ? String(value) : value,
    );
    const reference = story?.attempt?.reference ?? victim.paymentId;
    const name = engine.connectors.get(victim.connector)?.addressName ?? victim.connector;
    for (const path of addressesFrom(seen, { name, reference, provider: victim.provider })) {
      for (const body of messagesFrom(story?.attempt?.providerReference ?? reference, reference)) {
        const message = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
        await fetch(`${apiUrl}${path}`, { ...message, signal: AbortSignal.timeout(2_000) }).then(
          (answer) => answer.body?.cancel(),
          () => undefined,
        );
        sent += 1;
      }
    }
  }
  return sent;
}

/** Addresses that are shown, the standard ones, and those with any word that could be a secret. */
function addressesFrom(
  seen: string,
  {
    name,
    reference,
    provider,
  }: { readonly name: string; readonly reference: string; readonly provider: string },
): readonly string[] {
  const base = `/operators/${name}/notifications`;
  const shown = [...seen.replaceAll('\\', '').matchAll(/\/operators\/[^"\s]+/g)].map(([path]) => path);
  const words = [...new Set([...seen.matchAll(/[\w-]{16,64}/g)].map(([word]) => word))].slice(0, WORDS_MAX);
  return [...shown, base, `${base}/of/${provider}`, ...words.map((word) => `${base}/${reference}/${word}`)];
}

/** A success in the formats of MTN and Safaricom. */
function messagesFrom(theirs: string, ours: string): readonly string[] {
  const stkCallback = {
    CheckoutRequestID: theirs,
    MerchantRequestID: theirs,
    ResultCode: 0,
    ResultDesc: 'done',
  };
  const result = { ResultType: 0, ResultCode: 0, OriginatorConversationID: ours, ConversationID: theirs };
  return [
    { externalId: ours, status: 'SUCCESSFUL', financialTransactionId: 'FORGED12345' },
    { Body: { stkCallback } },
    { Result: { ...result, TransactionID: 'FORGED1234' } },
  ].map((message) => JSON.stringify(message));
}
