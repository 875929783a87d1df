// A merchant with a value in every column that its data key encrypts, each written by the product itself.
import { randomUUID } from 'node:crypto';
import { changeContact } from '../src/core/merchants/administer-callbacks.ts';
import { requestMoney } from '../src/core/ledger/request-money-movement.ts';
import { preparePayouts } from '../src/core/payout-batches/prepare-payouts.ts';
import { requestBankAccount } from '../src/core/settlements/bank-accounts.ts';
import { loadDataKeys } from '../src/store/encryption/data-keys.ts';
import { MERCHANT_COLUMNS, rowOf } from '../src/store/encryption/encrypted-columns.ts';
import type { Gateway } from '../src/commands/serve/compose.ts';
import { actorNamed, decideAs, resolveCase } from './approvals.ts';
import { call, depositRequest, payer, select, waitUntil, type TestGateway } from './gateway.ts';
import { start, startCompleted, waitForPayment } from './payments.ts';
import { wallet } from './requests.ts';
import { ask, waitForStatement } from './statement-files.ts';

const PLACE = { country: 'RWA', currency: 'RWF', amount: 10_000n };
const BY = 'Ana';

/** The gateway's simulator must take a moment for its outcomes: contradictions come before them. */
export async function fillEncryptedData(gateway: TestGateway): Promise<void> {
  gateway.receiver.answerWith({ status: 200, body: 'thanks' });
  await startCompleted(gateway, 'deposit', depositRequest());
  const statementId = await ask(gateway);
  // What moved just now could still be in progress.
  await gateway.gateway.movableClock!.move(7_200_000);
  await waitForStatement(gateway, statementId);
  await haveCaseResolved(gateway);
  await openPages(gateway);
  await decideMoney(gateway);
  await payOut(gateway);
  await registerAccount(gateway);
  await changeContact(gateway.engine, { by: BY, merchantId: gateway.merchantId, email: 'ana@shop.example' });
}

/** A case that is resolved: no one may change it. */
async function haveCaseResolved(gateway: TestGateway): Promise<void> {
  const { engine } = gateway;
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', request), 'FAILED');
  const cases = () => select(gateway, 'select case_id from cases');
  await waitUntil(async () => (await cases()).length === 1);
  const [{ case_id: caseId }] = (await cases()) as [{ case_id: string }];
  await resolveCase(engine, { caseId, resolution: 'CREDIT_MERCHANT', reason: 'paid after all' });
}

/** It is registered: no one may change it. */
async function registerAccount({ engine, merchantId }: TestGateway): Promise<void> {
  const account = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '00040123456789' };
  const order = { actor: actorNamed(BY), merchantId, currency: 'RWF', account };
  await decideAs(engine, 'Ben', (await requestBankAccount(engine, order)) ?? '');
}

async function openPages(gateway: TestGateway): Promise<void> {
  const returnUrl = 'https://shop.example/';
  await call(gateway, 'POST', '/v2/paymentpage', {
    depositId: randomUUID(),
    returnUrl,
    country: 'RWA',
    reason: 'A chair',
    amountDetails: { amount: '100', currency: 'RWF' },
  });
  await call(gateway, 'POST', '/v2/checkouts', {
    checkoutId: randomUUID(),
    returnUrl,
    reason: { en: 'A table' },
    amounts: [{ country: 'RWA', currency: 'RWF', amount: '100' }],
  });
}

async function decideMoney({ engine, merchantId }: TestGateway): Promise<void> {
  const place = { ...PLACE, walletProvider: '' };
  const rest = { type: 'TOP_UP', reference: null, reason: 'why' } as const;
  const answer = await requestMoney(engine, { actor: actorNamed(BY), merchantId, ...place, ...rest });
  await decideAs(engine, 'Ben', answer.type === 'REQUESTED' ? answer.approvalId : '', 'reject');
}

async function payOut(gateway: TestGateway): Promise<void> {
  const { engine, merchantId } = gateway;
  await call(gateway, 'POST', '/v2/split-payments', {
    splitPaymentId: randomUUID(),
    amount: '1000',
    currency: 'RWF',
    payer: payer('MTN_MOMO_RWA', '250783456789'),
    splits: [{ payoutId: randomUUID(), amount: '300', recipient: wallet('MTN_MOMO_RWA', '250783456789') }],
  });
  const merchant = await engine.directory.merchant(merchantId);
  const payout = { phoneNumber: '250783456789', amountText: '100', currency: 'RWF', provider: null };
  await preparePayouts(engine, {
    merchant: merchant!,
    actor: { personId: 'ana', by: BY },
    source: 'FORM',
    apiVersion: 'v2',
    title: 'Wages',
    payouts: [{ rowNo: 1, payout }],
    faults: [],
    repeatsAreMeant: false,
    hostLimits: new Map(),
  });
}

/** What every encrypted value of a merchant says, by the name of its row, and under which data key it is. */
export async function openEncryptedData(
  { engine }: Pick<Gateway, 'engine'>,
  merchantId: string,
): Promise<{ readonly said: ReadonlyMap<string, string>; readonly keyNos: ReadonlySet<number> }> {
  const { database, keyring } = engine.store;
  await loadDataKeys(engine.store, [merchantId]);
  const said = new Map<string, string>();
  const keyNos = new Set<number>();
  for (const of of MERCHANT_COLUMNS) {
    const { rows } = await database.query<{ key: string[]; named: string[]; encrypted: Buffer }>(
      `select ${texts(Object.keys(of.key))} as key, ${texts(of.named ?? [])} as named,
         ${of.column} as encrypted from ${of.table} where merchant_id = $1 and ${of.column} is not null`,
      [merchantId],
    );
    for (const { key, named, encrypted } of rows) {
      const row = rowOf(of, { merchantId, key, named });
      said.set(
        `${of.table}.${of.column} ${key.join('/')}`,
        keyring.open({ merchantId, row }, encrypted).toString('latin1'),
      );
      keyNos.add(encrypted[1]!);
    }
  }
  return { said, keyNos };
}

function texts(names: readonly string[]): string {
  return `array[${names.map((name) => `${name}::text`).join(', ')}]::text[]`;
}
