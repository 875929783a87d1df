// What happens beside ordinary payments: settlements, an outage, an endpoint that fails, payments without an answer, an
// operator that changes its mind, a request that waits for approval. The first screens of the platform show them.
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { changeAvailability } from '../../../core/merchants/administer-merchants.ts';
import { settleWallet } from '../../../core/ledger/administer-wallets.ts';
import { requestMoney } from '../../../core/ledger/request-money-movement.ts';
import type { Engine } from '../../../core/engine.ts';
import { readCases } from '../../../core/reconciliation/resolve-cases.ts';
import { addMs } from '../../../domain/time.ts';
import { isFinal } from '../../../domain/payments/lifecycle.ts';
import { parseAmount } from '../../../domain/money.ts';
import type { Fault } from '../../../sandbox/fakes/faults/fault.ts';
import { findPersonByEmail } from '../../../store/merchants/people.ts';
import { listPayments } from '../../../store/payments/payments.ts';
import type { Availability } from '../../../store/operators/availability.ts';
import { drawPayment } from './draw-payment.ts';
import type { Random } from './random.ts';
import { placeOf, type Shop } from './shops.ts';
import type { ShopServer } from './shop-server.ts';
import type { Traffic } from './traffic.ts';

export type Happening = { readonly at: Date; readonly happen: () => Promise<unknown> };

export type HappeningOptions = {
  readonly engine: Engine;
  readonly shops: readonly Shop[];
  readonly server: ShopServer;
  readonly traffic: Traffic;
  readonly random: Random;
  readonly from: Date;
  readonly until: Date;
};

const BY = 'admin@demo.example';
const HOUR_MS = 3_600_000;

export function planHappenings(options: HappeningOptions): readonly Happening[] {
  const { engine, shops, server, traffic, random, from, until } = options;
  const hoursAgo = (hours: number) => addMs(until, -hours * HOUR_MS);
  const [demoShop, payroll] = [shops.at(0), shops.at(-1)];
  if (demoShop === undefined || payroll === undefined) return [];
  const isSetTo = (status: Availability) => () =>
    changeAvailability(engine, { by: BY, provider: 'AIRTEL_OAPI_UGA', operation: 'DEPOSIT', status });
  const collecting = shops.filter(({ profile }) => profile.operations.some(([, one]) => one === 'DEPOSIT'));
  const settleAll = async () => {
    for (const shop of collecting) await settle(engine, shop);
  };
  const depositWith = (phoneNumber: string, fault: Fault) => async () => {
    await traffic.send(depositOf(demoShop, { ...fault, phoneNumber }));
    await sleep(SETTLES_MS);
  };
  const contradicted = depositOf(demoShop, { ...CONTRADICTED, phoneNumber: '250788124417' });
  const key = {
    merchantId: demoShop.merchantId,
    kind: 'DEPOSIT',
    paymentId: contradicted.body.depositId,
  } as const;
  const isEnded = async () => {
    const [payment] = await listPayments(engine.store.database, engine.store.keyring, [key]);
    return payment !== undefined && isFinal(payment.state);
  };
  const isCaseOpen = async () => (await readCases(engine, { onlyOpen: true })).length > 0;
  const happenings = [
    { at: hoursAgo(24 * 21), happen: settleAll },
    { at: hoursAgo(24 * 14), happen: settleAll },
    { at: hoursAgo(24 * 11), happen: isSetTo('DELAYED') },
    { at: hoursAgo(24 * 11 - 9), happen: isSetTo('OPERATIONAL') },
    { at: hoursAgo(24 * 7), happen: settleAll },
    { at: hoursAgo(52), happen: () => traffic.send(contradicted) },
    // Each step needs its own time: otherwise the end and its contradiction come together.
    { at: addMs(hoursAgo(52), 6_000), happen: () => waitFor(isEnded) },
    { at: addMs(hoursAgo(52), 120_000), happen: () => waitFor(isCaseOpen) },
    {
      at: hoursAgo(6.5),
      happen: async () => {
        server.break(server.urlOf(payroll.profile.name, 'PAYOUT'));
        await traffic.playOne(drawPayment(random, payroll, null));
      },
    },
    { at: hoursAgo(3.2), happen: depositWith('250788031174', UNANSWERED) },
    { at: hoursAgo(0.6), happen: depositWith('250788226908', UNANSWERED) },
    { at: hoursAgo(0.3), happen: () => requestTopUp(engine, demoShop) },
  ];
  return happenings.filter(({ at }) => at >= from);
}

/** In real time: what a move of the clock made due is done by then. */
const SETTLES_MS = 300;

/** The same, for what the next step needs: a busy machine takes longer. */
async function waitFor(isDone: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + 30_000;
  while (!(await isDone()) && performance.now() < deadline) await sleep(20);
}

/** The operator never says how it ended. */
const UNANSWERED = { type: 'OUTCOME', status: 'PENDING' } as const;
/** It is completed, and later the operator says that it failed. */
const CONTRADICTED = { type: 'CONTRADICTING_NOTIFICATION', delayMs: 60_000 } as const;

function depositOf(shop: Shop, fault: Fault) {
  const { phoneNumber } = fault;
  const payer = { type: 'MMO', accountDetails: { phoneNumber, provider: 'MTN_MOMO_RWA' } };
  const body = { depositId: randomUUID(), amount: '18500', currency: 'RWF', payer };
  return { shop, path: '/v2/deposits', body, fault };
}

/** Paid to the merchant's bank, in the currency in which it earns most. */
async function settle(engine: Engine, { merchantId, profile }: Shop): Promise<void> {
  const [, provider] = profile.providers[0] ?? [0, ''];
  const amount = parseAmount('150000') ?? 0n;
  const week = engine.clock.now().toISOString().slice(0, 10);
  const reference = `BANK-${week}-${merchantId.slice(0, 4)}`;
  await settleWallet(engine, { by: BY, merchantId, ...placeOf(provider), amount, reference });
}

async function requestTopUp(engine: Engine, { merchantId }: Shop): Promise<void> {
  const by = 'second@demo.example';
  const person = await findPersonByEmail(engine.store.database, by);
  if (person === null) return;
  await requestMoney(engine, {
    actor: { personId: person.personId, by },
    merchantId,
    type: 'TOP_UP',
    ...placeOf('MTN_MOMO_RWA'),
    walletProvider: '',
    amount: parseAmount('2500000') ?? 0n,
    reference: 'FT26320-2291',
    reason: 'Bank transfer of today',
  });
}
