// A thief with a valid token tries to empty a wallet in every way the API has, all at once: payouts one by one and in
// lists, in both API versions, to many numbers, remittances, refunds of deposits of the thief's own, split payments.
import { randomUUID } from 'node:crypto';
import { topUpWallets } from '../../server/src/core/ledger/administer-wallets.ts';
import { findProvider, limitsOf } from '../../server/src/domain/operators/catalogue.ts';
import { renderAmount, type Amount } from '../../server/src/domain/money.ts';
import { amountOfNumeric } from '../../server/src/store/columns.ts';
import { remittanceRecipient, remittanceRequest } from '../../server/test/requests.ts';
import { nowOf } from '../../server/test/clocks.ts';
import { BY } from '../kit/settings.ts';
import { until, type Setup } from './setup.ts';
import { REVIEWED_ABOVE, STOLEN_CURRENCY as CURRENCY, STOLEN_MOST as MOST } from './production-defaults.ts';

const PROVIDER = 'MTN_MOMO_UGA';
const COUNTRY = 'UGA';

/** The thief's own number. */
const OWN = { provider: PROVIDER, phoneNumber: numberOf(0), currency: CURRENCY };

const TRIES = 30;
const HOUR_MS = 3_600_000;
const IN_A_LIST = 20;

/** Throws where more left than the limit allows, where nothing was refused, or where a large payout was not held. */
export async function steal(setup: Setup, begin: () => void): Promise<void> {
  const { engine, merchantId } = setup;
  const place = { country: COUNTRY, currency: CURRENCY, merchantId, by: BY };
  await topUpWallets(engine, [{ ...place, amount: MOST * 10n }]);
  const amount = largestPayout();
  // So that no day ends meanwhile.
  await setup.moveClock(HOUR_MS - (nowOf(engine).getTime() % HOUR_MS));
  const since = nowOf(engine);
  await untilAccepted(setup, since);
  const deposits = await Promise.all(Array.from({ length: 4 }, () => depositOwn(setup, amount)));
  begin();
  const answers = await Promise.all(triesOf(amount, deposits).map(([path, body]) => setup.ask(path, body)));
  if (!answers.some((text) => text.includes('_NOT_ALLOWED'))) throw new Error('nothing was refused');
  const { rows } = await engine.store.database.query<{ kind: string; amount: string }>(
    `select kind, sum(amount)::text as amount from payments
     where merchant_id = $1 and currency = $2 and kind <> 'DEPOSIT' and state <> 'FAILED' and created_at >= $3
     group by kind`,
    [merchantId, CURRENCY, since],
  );
  const beyond = rows.find(({ amount: left }) => amountOfNumeric(left) > MOST);
  if (beyond !== undefined) throw new Error(`${beyond.amount} left by ${beyond.kind}, more than the limit`);
  if (rows.length < 2) throw new Error('the thief has hardly tried');
  await expectHeld(setup, since);
  const left = rows.map((row) => `${row.kind} ${row.amount}`).join(', ');
  setup.say(`  left: ${left}; allowed of each: ${renderAmount(MOST)} ${CURRENCY}`);
}

/** Of what is so large to numbers that were never paid, nothing was sent. A refund goes back to its payer. */
async function expectHeld({ engine, merchantId }: Setup, since: Date): Promise<void> {
  const count = async (isSo: string) => {
    const { rows } = await engine.store.database.query<{ count: number }>(
      `select count(*)::int as count from payments p
       where merchant_id = $1 and currency = $2 and kind in ('PAYOUT', 'REMITTANCE') and amount > $3
         and created_at >= $4 and ${isSo}`,
      [merchantId, CURRENCY, renderAmount(REVIEWED_ABOVE), since],
    );
    return rows[0]?.count ?? 0;
  };
  await until('large payouts have been looked at', async () => (await count(`state = 'ACCEPTED'`)) === 0);
  if ((await count(`held = 'REVIEW'`)) === 0) throw new Error('no large payout is held for people');
  const isSent = 'exists (select from payment_attempts a where a.payment_no = p.payment_no)';
  const sent = await count(isSent);
  if (sent > 0) throw new Error(`${sent} large payouts were sent without a review`);
}

function largestPayout(): Amount {
  const provider = findProvider(PROVIDER);
  const limits = provider === null ? null : limitsOf(provider, { currency: CURRENCY, operation: 'PAYOUT' });
  if (limits === null) throw new Error(`${PROVIDER} pays nothing out`);
  return limits.maxAmount;
}

async function depositOwn(setup: Setup, amount: Amount): Promise<string> {
  const id = await setup.pay('deposit', OWN, renderAmount(amount));
  await until('a deposit is completed', async () => (await setup.stateOf(id)) === 'COMPLETED');
  return id;
}

/** A process reads only a few times a second that the clock was moved. */
async function untilAccepted(setup: Setup, since: Date): Promise<void> {
  const { database } = setup.engine.store;
  await until('payments are accepted at the new time', async () => {
    const depositId = await setup.pay('deposit', OWN, renderAmount(largestPayout()));
    const { rows } = await database.query<{ isSo: boolean }>(
      'select created_at >= $2 as "isSo" from payments where payment_id = $1',
      [depositId, since],
    );
    return rows[0]?.isSo === true;
  });
}

function numberOf(index: number): string {
  return `2567834567${String(10 + (index % 80))}`;
}

function triesOf(
  largest: Amount,
  deposits: readonly string[],
): readonly (readonly [path: string, body: object])[] {
  const amount = renderAmount(largest);
  let used = 0;
  const number = () => numberOf((used += 1));
  const wallet = () => ({
    type: 'MMO',
    accountDetails: { provider: PROVIDER, phoneNumber: number() },
  });
  const payout = () => ({ payoutId: randomUUID(), amount, currency: CURRENCY, recipient: wallet() });
  const remittance = () =>
    remittanceRequest({ amount, currency: CURRENCY, recipient: remittanceRecipient(PROVIDER, number()) });
  const earlier = () => ({
    payoutId: randomUUID(),
    amount,
    currency: CURRENCY,
    correspondent: PROVIDER,
    recipient: { type: 'MSISDN', address: { value: number() } },
    customerTimestamp: new Date().toISOString(),
    statementDescription: 'wages',
  });
  const split = () => ({
    splitPaymentId: randomUUID(),
    amount,
    currency: CURRENCY,
    payer: wallet(),
    splits: [{ payoutId: randomUUID(), amount: renderAmount(largest / 2n), recipient: wallet() }],
  });
  return [
    ...many(TRIES, '/v2/payouts', payout),
    ['/v2/payouts/bulk', list(payout)],
    ...many(5, '/payouts', earlier),
    ['/payouts/bulk', list(earlier)],
    ...many(TRIES, '/v2/remittances', remittance),
    ['/v2/remittances/bulk', list(remittance)],
    ...deposits.map((id, index) => [index % 2 === 0 ? '/v2/refunds' : '/refunds', refund(id)] as const),
    ...many(5, '/v2/split-payments', split),
  ];
}

function refund(depositId: string): object {
  return { refundId: randomUUID(), depositId };
}

function many(count: number, path: string, body: () => object): readonly (readonly [string, object])[] {
  return Array.from({ length: count }, () => [path, body()] as const);
}

function list(body: () => object): readonly object[] {
  return Array.from({ length: IN_A_LIST }, body);
}
