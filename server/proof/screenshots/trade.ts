// A month in the life of the sandbox's merchant and of its host, so that the dashboard has something to show: some
// hundred payments, callbacks of which some fail, tokens, keys, fees, other merchants, and providers that were away.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Sandbox } from '../../src/commands/sandbox/sandbox.ts';
import {
  changeAvailability,
  changeFee,
  createMerchant,
  createToken,
  setCallbackUrl,
  suspendMerchant,
  withdrawToken,
} from '../../src/core/administer.ts';
import { addPublicKey } from '../../src/core/administer-keys.ts';
import { countHours } from '../../src/core/count-hours.ts';
import type { Engine } from '../../src/core/engine.ts';
import { parseAmount } from '../../src/domain/money.ts';
import type { Operation } from '../../src/domain/payment.ts';
import { wallet } from '../../test/requests.ts';
import { seedPayments } from '../seeding/seed.ts';
import { order } from './stage.ts';

const DEVELOPER = 'developer@demo.example';
const ADMIN = 'admin@demo.example';
const PAYMENTS = 600;
const DAYS = 30;

/** Answers the merchant's server, which is to be closed at the end. */
export async function tradeForAMonth(sandbox: Sandbox): Promise<{ readonly close: () => Promise<void> }> {
  const { engine } = sandbox.gateway;
  const shop = await startShop();
  await setUp(engine, sandbox.merchantId, shop.url);
  await onboardOthers(engine);
  await seedPayments(engine, {
    merchantId: sandbox.merchantId,
    count: PAYMENTS,
    days: DAYS,
    seed: 7,
    until: engine.clock.now(),
    say: () => undefined,
  });
  await payNow(sandbox);
  await switchProviders(engine);
  while ((await countHours(engine)) === 'MORE');
  return shop;
}

/** Where callbacks go. It cannot cope with those about refunds. */
async function startShop() {
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url === '/refunds' ? 503 : 200).end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
}

async function setUp(engine: Engine, merchantId: string, url: string): Promise<void> {
  const by = DEVELOPER;
  const kinds = ['DEPOSIT', 'PAYOUT', 'REMITTANCE', 'CHECKOUT'] as const;
  await setCallbackUrl(engine, { by, merchantId, url: `${url}/callbacks`, kinds });
  await setCallbackUrl(engine, { by, merchantId, url: `${url}/refunds`, kinds: ['REFUND'] });
  const inThreeMonths = new Date(engine.clock.now().getTime() + 90 * 86_400_000);
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
  for (const [companyName, operations] of OTHERS) {
    const terms = { by: ADMIN, companyName, operations, walletPerProvider: false };
    const merchantId = await createMerchant(engine, terms);
    if (companyName === 'Mama Njeri Foods') await suspendMerchant(engine, { by: ADMIN, merchantId });
  }
}

/** What providers answered in the last minutes, and payments that are under way. */
async function payNow(sandbox: Sandbox): Promise<void> {
  const stage = { sandbox };
  for (let count = 0; count < 12; count += 1) {
    await order(stage, '/v2/deposits', {
      depositId: randomUUID(),
      amount: String(1_500 + count * 250),
      currency: 'RWF',
      clientReferenceId: `order-${1_042 + count}`,
      payer: wallet(count % 3 === 0 ? 'AIRTEL_RWA' : 'MTN_MOMO_RWA', PAYERS[count % PAYERS.length] ?? ''),
    });
  }
  // Most of them have ended by then.
  await setTimeout(4_000);
}

const PAYERS = [
  '250733456789',
  '250783456789',
  '250783456039',
  '250733456789',
  '250783456129',
  '250783456201',
];

async function switchProviders(engine: Engine): Promise<void> {
  const set = (
    provider: string,
    operation: 'DEPOSIT' | 'PAYOUT',
    status: 'DELAYED' | 'CLOSED' | 'OPERATIONAL',
  ) => changeAvailability(engine, { by: ADMIN, provider, operation, status });
  await set('MTN_MOMO_UGA', 'DEPOSIT', 'DELAYED');
  await set('MTN_MOMO_UGA', 'DEPOSIT', 'OPERATIONAL');
  await set('ORANGE_SEN', 'PAYOUT', 'DELAYED');
  await set('AIRTEL_RWA', 'PAYOUT', 'CLOSED');
}
