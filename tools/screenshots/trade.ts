// A month of the sandbox's merchant and its host, so that the dashboard has content: some hundred payments, callbacks
// of which some fail, tokens, keys, fees, other merchants, and provider outages.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import {
  changeAvailability,
  changeFee,
  createMerchant,
  createToken,
  setCallbackUrl,
  withdrawToken,
} from '../../server/src/core/merchants/administer-merchants.ts';
import { suspendMerchant } from '../../server/src/core/merchants/suspension.ts';
import { addPublicKey } from '../../server/src/core/merchants/administer-keys.ts';
import { countHours } from '../../server/src/core/payments/read/count-hours.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import type { Operation } from '../../server/src/domain/payments/payment.ts';
import type { Availability, ProviderOperation } from '../../server/src/store/operators/availability.ts';
import { wallet } from '../../server/test/requests.ts';
import { clockAt, nowOf } from '../../server/test/clocks.ts';
import { seedPayments } from '../seed-payments/seed.ts';
import { order } from './screen.ts';

const DEVELOPER = 'developer@demo.example';
const ADMIN = 'admin@demo.example';
const PAYMENTS = 600;
const DAYS = 30;

/** Returns the merchant's server, which must be closed at the end. */
export async function tradeForAMonth(sandbox: Sandbox): Promise<{ readonly close: () => Promise<void> }> {
  const { engine } = sandbox.gateway;
  const shop = await startShop();
  await onboardOthers(engine);
  await setAddresses(daysAgo(engine, DAYS), sandbox.merchantId, shop.url);
  await seedPayments(engine, {
    merchantId: sandbox.merchantId,
    count: PAYMENTS,
    days: DAYS,
    seed: 7,
    until: nowOf(engine),
    say: () => undefined,
  });
  await setUp(daysAgo(engine, 12), sandbox.merchantId);
  await switchProviders(engine);
  await payNow(sandbox);
  while ((await countHours(engine)) === 'MORE');
  return shop;
}

const DAY_MS = 86_400_000;

/** For actions of the past. */
function daysAgo(engine: Engine, days: number): Engine {
  const at = new Date(nowOf(engine).getTime() - days * DAY_MS);
  return { ...engine, clock: clockAt(() => at) };
}

/** The callback server. It fails for refunds. */
async function startShop() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/refunds' ? 503 : 200).end();
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const close = async () => {
    server.closeAllConnections();
    await once(server.close(), 'close');
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function setAddresses(engine: Engine, merchantId: string, url: string): Promise<void> {
  const by = DEVELOPER;
  const kinds = ['DEPOSIT', 'PAYOUT', 'REMITTANCE', 'CHECKOUT'] as const;
  await setCallbackUrl(engine, { by, merchantId, url: `${url}/callbacks`, kinds });
  await setCallbackUrl(engine, { by, merchantId, url: `${url}/refunds`, kinds: ['REFUND'] });
}

async function setUp(engine: Engine, merchantId: string): Promise<void> {
  const by = DEVELOPER;
  const inThreeMonths = new Date(nowOf(engine).getTime() + 90 * DAY_MS);
  const scopes = ['deposits:write', 'deposits:read', 'checkouts:write', 'checkouts:read'] as const;
  await createToken(engine, { by, merchantId, name: 'web shop', scopes, expiresAt: inThreeMonths });
  const reading = ['payouts:read', 'finances:read'] as const;
  await createToken(engine, { by, merchantId, name: 'accounting', scopes: reading, expiresAt: null });
  const old = await createToken(engine, { by, merchantId, name: 'old till', scopes, expiresAt: null });
  await withdrawToken(engine, { by, tokenId: old.tokenId });
  for (const name of ['web-shop-2', 'payroll']) {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = publicKey.export({ type: 'spki', format: 'pem' }).toString();
    await addPublicKey(engine, { by, merchantId, name, algorithm: 'ecdsa-p256-sha256', pem });
  }
  const fee = { basisPoints: 150, fixed: parseAmount('10') ?? 0n };
  const place = { provider: 'MTN_MOMO_RWA', currency: 'RWF', fee };
  for (const operation of ['DEPOSIT', 'PAYOUT'] as const) {
    await changeFee(engine, { by: ADMIN, merchantId, operation, ...place });
  }
}

const OTHERS: readonly (readonly [name: string, operations: readonly Operation[]])[] = [
  ['Boutique Téranga', ['DEPOSIT', 'REFUND']],
  ['Duka la Vitabu', ['DEPOSIT', 'PAYOUT', 'REFUND']],
  ['Kampala Bus Lines', ['DEPOSIT', 'REFUND', 'SPLIT_PAYMENT']],
  ['Lusaka Solar Homes', ['DEPOSIT', 'PAYOUT']],
  ['Mama Njeri Foods', ['DEPOSIT']],
  ['Okapi Remit', ['PAYOUT', 'REMITTANCE']],
  ['Pharmacie du Lac', ['DEPOSIT', 'REFUND']],
  ['Umurava Payroll', ['PAYOUT']],
];

async function onboardOthers(engine: Engine): Promise<void> {
  for (const [index, [companyName, operations]] of OTHERS.entries()) {
    const terms = { by: ADMIN, companyName, operations, walletPerProvider: false };
    const merchantId = await createMerchant(daysAgo(engine, 400 - index * 45), terms);
    if (companyName === 'Mama Njeri Foods')
      await suspendMerchant(engine, { actor: { personId: null, by: ADMIN }, merchantId });
  }
}

/** Recent operator calls, payments in progress, and refunds without a callback address. */
async function payNow(sandbox: Sandbox): Promise<void> {
  const ordered: string[] = [];
  for (let count = 0; count < 12; count += 1) {
    const depositId = randomUUID();
    const payer = PAYERS[count % PAYERS.length] ?? '';
    await order({ sandbox }, '/v2/deposits', {
      depositId,
      amount: String(1_500 + count * 250),
      currency: 'RWF',
      clientReferenceId: `order-${1_042 + count}`,
      payer: wallet(payer.startsWith('25073') ? 'AIRTEL_RWA' : 'MTN_MOMO_RWA', payer),
    });
    if (payer === PAYS) ordered.push(depositId);
  }
  // Most of them have ended by then.
  await setTimeout(5_000);
  for (const depositId of ordered)
    await order({ sandbox }, '/v2/refunds', { refundId: randomUUID(), depositId });
  await setTimeout(5_000);
}

const PAYS = '250783456789';
const PAYERS = ['250733456789', PAYS, '250783456039', '250733456789', '250783456129', '250783456201'];

async function switchProviders(engine: Engine): Promise<void> {
  const set = (days: number, place: ProviderOperation, status: Availability) =>
    changeAvailability(daysAgo(engine, days), { by: ADMIN, ...place, status });
  const uganda = { provider: 'MTN_MOMO_UGA', operation: 'DEPOSIT' } as const;
  await set(9.2, uganda, 'DELAYED');
  await set(9.1, uganda, 'OPERATIONAL');
  await set(2.3, { provider: 'ORANGE_SEN', operation: 'PAYOUT' }, 'DELAYED');
  await set(0.1, { provider: 'AIRTEL_RWA', operation: 'PAYOUT' }, 'CLOSED');
}
