// What waits for a decision: payouts, money, tokens and people that need a second approver, and contradicting evidence.
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { consoleCaller } from '../../drills/kit/api.ts';
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { freeze } from '../../server/src/core/limits/freeze.ts';
import { listNumbers } from '../../server/src/core/limits/listed-numbers.ts';
import { changeLimit } from '../../server/src/core/limits/set-limits.ts';
import { requestMoney } from '../../server/src/core/ledger/request-money-movement.ts';
import { requestInvitation } from '../../server/src/core/merchants/request-members.ts';
import { requestSignatures, requestToken } from '../../server/src/core/merchants/request-settings.ts';
import { parseAmount } from '../../server/src/domain/money.ts';
import { findPersonByEmail } from '../../server/src/store/merchants/people.ts';
import { wallet } from '../../server/test/requests.ts';
import { order } from './screen.ts';

export async function leaveToDecide(sandbox: Sandbox, cookie: string): Promise<{ readonly batchId: string }> {
  const { batchId } = await preparePayouts(sandbox, cookie);
  await restrict(sandbox);
  await askForMoney(sandbox);
  // Before signatures are required, which this payment has not.
  await contradict(sandbox);
  await askForApprovals(sandbox);
  return { batchId };
}

/** A payroll in which every number completes. */
async function preparePayouts(
  { baseUrl, merchantId }: Sandbox,
  cookie: string,
): Promise<{ readonly batchId: string }> {
  const rows = Array.from(
    { length: 24 },
    (_, index) => `2507834563${10 + index},${45_000 + index * 1_500},RWF`,
  );
  const file = ['phoneNumber,amount,currency', ...rows].join('\n');
  const batch = { title: 'Salaries of November', file };
  return consoleCaller(baseUrl, cookie)('POST', `merchants/${merchantId}/payout-batches`, batch);
}

/** A frozen recipient, blocked numbers and a limit. */
async function restrict({ gateway: { engine }, merchantId }: Sandbox): Promise<void> {
  const by = 'admin@demo.example';
  const target = { scope: 'NUMBER', phoneNumber: '250783456555' } as const;
  await freeze(engine, { by, target, reason: 'Reported by the operator', expiresAt: null });
  const entries = ['250783456551', '250733456552'].map((phoneNumber) => ({
    phoneNumber,
    reason: 'Fraud report 2026-118',
    expiresAt: null,
  }));
  await listNumbers(engine, { by, merchantId: null, list: 'BLOCKED', entries });
  const key = { setBy: 'PLATFORM', kind: 'PAYOUT', scope: 'TOKEN', subject: '' } as const;
  await changeLimit(engine, {
    actor: await personOf(engine, by),
    secondApprover: 'OPTIONAL',
    merchantId,
    key: { ...key, period: 'DAY', currency: 'RWF' },
    maxima: { countMax: 500, amountMax: parseAmount('20000000') },
  });
}

async function askForMoney({ gateway, merchantId }: Sandbox): Promise<void> {
  const place = { merchantId, country: 'RWA', currency: 'RWF', walletProvider: '' };
  await requestMoney(gateway.engine, {
    ...place,
    actor: await personOf(gateway.engine, 'second@demo.example'),
    type: 'TOP_UP',
    amount: parseAmount('2500000') ?? 0n,
    reference: 'FT26320-2291',
    reason: 'Bank of Kigali, transfer of today',
  });
}

async function personOf(engine: Engine, email: string) {
  const { personId = '' } = (await findPersonByEmail(engine.store.database, email)) ?? {};
  return { personId, by: email };
}

/** As in production, where one person is not enough. */
async function askForApprovals({ gateway: { engine }, merchantId }: Sandbox): Promise<void> {
  const askedBy = async (email: string) => {
    const actor = await personOf(engine, email);
    return { merchantId, actor, secondApprover: 'REQUIRED' } as const;
  };
  const developer = await askedBy('developer@demo.example');
  const scopes = ['payouts:write', 'payouts:read', 'finances:read'] as const;
  await requestToken(engine, { ...developer, name: 'payroll server', scopes, expiresAt: null });
  await requestSignatures(engine, { ...developer, covers: 'PAYMENTS', isRequired: true });
  await requestSignatures(engine, { ...developer, covers: 'PAYMENTS', isRequired: false });
  const owner = await askedBy('owner@demo.example');
  await requestInvitation(engine, { ...owner, email: 'jeanne@demo.example', role: 'FINANCE' });
}

/** It completes, and then its operator reports a failure. */
async function contradict(sandbox: Sandbox): Promise<void> {
  const phoneNumber = '250783456777';
  await order({ sandbox }, '/sandbox/scripts', { phoneNumber, scenario: 'CONTRADICTING_NOTIFICATION' });
  const payer = wallet('MTN_MOMO_RWA', phoneNumber);
  await order({ sandbox }, '/v2/deposits', {
    depositId: randomUUID(),
    amount: '12500',
    currency: 'RWF',
    payer,
  });
  await setTimeout(6_000);
}
