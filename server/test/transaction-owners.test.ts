// An operator's transaction has one owner: the payment that it completed, the payment whose case is about it, or the
// movement of the float that was posted under it. People are refused; an operator's own answer posts and opens a case.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { orderFloat } from '../src/core/ledger/move-float.ts';
import { endPayment } from '../src/core/payments/act/end-payment.ts';
import type { PaymentKey } from '../src/domain/payments/payment.ts';
import { actorNamed, decideAs, requestAs } from './approvals.ts';
import { openTestGateway, select, type TestGateway } from './gateway.ts';
import { answered, francs, HOUR_MS, OwingShop } from './owing-shop.ts';
import { PROVIDER } from './report-files.ts';

let gateway: TestGateway;
let shop: OwingShop;
let other: OwingShop;
beforeEach(async () => {
  gateway = await openTestGateway({ role: 'api', announces: false, backlogMs: 1_000 * 24 * HOUR_MS });
  shop = await OwingShop.open(gateway);
  other = await OwingShop.open(gateway);
});
afterEach(() => gateway.stop());

const ANA = { actor: actorNamed('Ana'), secondApprover: 'REQUIRED' } as const;

const completedBy = (providerTransactionId: string) =>
  ({ type: 'COMPLETED', providerTransactionId }) as const;

/** A deposit that people may end. */
async function unclear(owner: OwingShop, amount: number): Promise<PaymentKey> {
  const key = await owner.openDeposit(amount);
  await owner.tell(key, { type: 'HORIZON_PASSED' });
  return key;
}

/** FAILED by people, after the operator said that it moved another amount under this transaction. */
async function failedWithDifference(amount: number, said: number, transaction: string): Promise<PaymentKey> {
  const key = await shop.openDeposit(amount);
  const moved = { amount: francs(said), currency: 'RWF' };
  await shop.tell(key, answered({ ...completedBy(transaction), moved }));
  await shop.endManually(key, { type: 'FAILED', code: 'OTHER_ERROR' });
  return key;
}

const end = (key: PaymentKey, transaction: string) =>
  endPayment(gateway.engine, { ...ANA, key, reason: 'a receipt', outcome: completedBy(transaction) });

async function topUp(reference: string, type: 'FLOAT_TOP_UP' | 'OPERATOR_CHARGE' = 'FLOAT_TOP_UP') {
  const place = { provider: PROVIDER, country: 'RWA', currency: 'RWF', amount: francs(900) };
  return orderFloat(gateway.engine, { ...ANA, movement: { type, ...place, reference } });
}

async function approveLast(kind: string) {
  const [row] = await select(
    gateway,
    `select approval_id as id from approvals where kind = $1 and status = 'PENDING' order by requested_at desc`,
    [kind],
  );
  return decideAs(gateway.engine, 'Ben', row?.['id'] ?? expect.fail(`no ${kind} is pending`));
}

async function casesOf({ paymentId }: PaymentKey): Promise<readonly string[]> {
  const rows = await select(
    gateway,
    'select evidence, provider_transaction_id as id from cases where payment_id = $1 order by opened_at, case_no',
    [paymentId],
  );
  return rows.map(({ evidence, id }) => `${evidence} ${id}`);
}

describe('One operator transaction, credited by the case of one deposit', () => {
  test('does not complete the deposit of another merchant, however it is typed', async () => {
    const credited = await failedWithDifference(1_000, 900, 'OP-TX-77');
    await shop.resolve(credited, 'CREDIT_MERCHANT', 900);
    const second = await unclear(other, 900);
    for (const typed of ['OP-TX-77', 'op-tx-77', 'OP-TX- 77', ' Op-Tx-77 '])
      expect(await end(second, typed)).toMatchObject({
        type: 'TRANSACTION_TAKEN',
        owner: { paymentId: credited.paymentId },
      });
    expect(await other.funds()).toEqual({ posted: 0, held: 0, owed: 0 });
  });

  test('nor does an approval of what was requested before', async () => {
    const second = await unclear(other, 900);
    expect(await end(second, 'op-tx-78')).toMatchObject({ type: 'REQUESTED' });
    const credited = await failedWithDifference(1_000, 900, 'OP-TX-78');
    expect(await approveLast('PAYMENT_END')).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'TRANSACTION_TAKEN' },
    });
    await shop.resolve(credited, 'CREDIT_MERCHANT', 900);
    expect([await shop.funds(), await other.funds()]).toMatchObject([{ posted: 900 }, { posted: 0 }]);
  });

  test('is free again when the case came to nothing', async () => {
    const wrong = await failedWithDifference(1_000, 900, 'OP-TX-79');
    const second = await unclear(other, 900);
    expect(await end(second, 'OP-TX-79')).toMatchObject({ type: 'TRANSACTION_TAKEN' });
    await shop.resolve(wrong, 'WRITE_OFF', 0);
    expect(await end(second, 'OP-TX-79')).toMatchObject({ type: 'REQUESTED' });
    expect(await approveLast('PAYMENT_END')).toMatchObject({ type: 'DONE' });
  });

  test("completes another deposit by the operator's own answer, which opens a case", async () => {
    const first = await shop.deposit(900);
    await shop.tell(first, answered(completedBy('OP-TX-80')));
    await shop.resolve(first, 'CREDIT_MERCHANT', 900);
    const second = await other.openDeposit(900);
    expect(await other.tell(second, answered(completedBy('OP-TX-80')))).toBe('MOVE');
    expect(await casesOf(second)).toEqual(['DISCREPANCY OP-TX-80']);
    // Until people have found out whose money it is.
    expect(await other.funds()).toEqual({ posted: 900, held: 900, owed: 0 });
    expect(await other.tell(second, answered(completedBy('OP-TX-80')))).toBe('NOTHING');
    expect(await casesOf(second)).toEqual(['DISCREPANCY OP-TX-80']);
  });
});

describe('One operator transaction that completed a deposit', () => {
  test('is credited to nobody else by a case, whatever was requested before', async () => {
    const waits = await failedWithDifference(1_000, 900, 'OP-TX-81');
    const approvalId = await shop.request(waits, 'CREDIT_MERCHANT', 900);
    const second = await other.openDeposit(900);
    expect(await other.tell(second, answered(completedBy('OP-TX-81')))).toBe('MOVE');
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'TRANSACTION_TAKEN', parameters: { paymentId: second.paymentId } },
    });
    await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    const { caseId } = await shop.caseOf(waits);
    for (const resolution of ['CREDIT_MERCHANT', 'RETURN_TO_PAYER'] as const)
      expect(
        await requestAs(gateway.engine, 'Ana', { caseId, resolution, amount: francs(900) }),
      ).toMatchObject({ type: 'TRANSACTION_TAKEN' });
    await shop.resolve(waits, 'WRITE_OFF', 0);
    expect(await shop.funds()).toEqual({ posted: 0, held: 0, owed: 0 });
  });

  test('under which people completed it is the same in capital letters', async () => {
    const manual = await unclear(shop, 900);
    await shop.endManually(manual, completedBy('op-tx-82'));
    expect(await shop.tell(manual, answered(completedBy('OP-TX-82')))).toBe('NOTHING');
    const second = await unclear(other, 900);
    expect(await end(second, 'OP-TX-82')).toMatchObject({ type: 'TRANSACTION_TAKEN' });
    expect(await other.tell(second, answered(completedBy('OP-TX-82')))).toBe('MOVE');
    expect(await casesOf(second)).toEqual(['DISCREPANCY OP-TX-82']);
  });
});

describe('O14: a FLOAT_TOP_UP and a deposit', () => {
  test('the transaction of a completed deposit is not posted as a top-up, also when requested before', async () => {
    expect(await topUp('OP-TX-90')).toEqual({ type: 'REQUESTED' });
    const key = await shop.openDeposit(900);
    await shop.tell(key, answered(completedBy('OP-TX-90')));
    expect(await approveLast('FLOAT')).toMatchObject({
      type: 'NOT_EXECUTED',
      because: { code: 'REFERENCE_TAKEN', parameters: { type: 'DEPOSIT', amount: '900' } },
    });
    const later = await shop.openDeposit(900);
    await shop.tell(later, answered(completedBy('op-tx-91')));
    expect(await topUp('OP-TX-91')).toMatchObject({ type: 'REFERENCE_TAKEN' });
    // An operator's charge is called as what it was charged for.
    expect(await topUp('OP-TX-91', 'OPERATOR_CHARGE')).toEqual({ type: 'REQUESTED' });
  });

  test('the transaction of a top-up completes no deposit by people, and opens a case by an answer', async () => {
    expect(await topUp('OP-TX-92')).toEqual({ type: 'REQUESTED' });
    expect(await approveLast('FLOAT')).toMatchObject({ type: 'DONE' });
    const key = await unclear(shop, 900);
    expect(await end(key, 'op-tx-92')).toMatchObject({
      type: 'TRANSACTION_TAKEN',
      owner: { kind: 'FLOAT_TOP_UP', paymentId: 'OP-TX-92' },
    });
    expect(await shop.tell(key, answered(completedBy('OP-TX-92')))).toBe('MOVE');
    expect(await casesOf(key)).toEqual(['DISCREPANCY OP-TX-92']);
  });

  test('of both at the same time, one is made', async () => {
    for (let round = 0; round < 5; round += 1) {
      const transaction = `OP-TX-100-${round}`;
      const key = await unclear(shop, 900);
      expect(await end(key, transaction)).toMatchObject({ type: 'REQUESTED' });
      expect(await topUp(transaction)).toEqual({ type: 'REQUESTED' });
      const answers = await Promise.all([approveLast('PAYMENT_END'), approveLast('FLOAT')]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['DONE', 'NOT_EXECUTED']);
      for (const kind of ['PAYMENT_END', 'FLOAT'])
        await decideAs(gateway.engine, 'Ben', await pendingOf(kind), 'reject').catch(() => undefined);
    }
  });
});

const failed = (providerTransactionId?: string) =>
  answered({ type: 'FAILED', code: 'OTHER_ERROR', ...(providerTransactionId && { providerTransactionId }) });

describe('Two contrary requests to end a payment', () => {
  test('the second person is told who has requested what, and nothing is requested', async () => {
    const key = await unclear(shop, 900);
    expect(await end(key, 'OP-TX-110')).toMatchObject({ type: 'REQUESTED' });
    // The same once more, after a lost answer.
    expect(await end(key, 'OP-TX-110')).toMatchObject({ type: 'REQUESTED' });
    const ben = { ...ANA, actor: actorNamed('Ben'), key, reason: 'a call' };
    for (const outcome of [{ type: 'FAILED', code: 'OTHER_ERROR' } as const, completedBy('OP-TX-111')])
      expect(await endPayment(gateway.engine, { ...ben, outcome })).toEqual({
        type: 'REQUESTED_BEFORE',
        by: 'Ana',
        outcome: 'COMPLETED, OP-TX-110',
      });
    expect(await approveLast('PAYMENT_END')).toMatchObject({ type: 'DONE' });
    expect(await select(gateway, "select 1 from approvals where kind = 'PAYMENT_END'")).toHaveLength(1);
  });
});

describe('One deposit that is taken back under two names', () => {
  test('is owed and held once; the second name opens a case that moves nothing', async () => {
    const key = await shop.deposit(1_000);
    await shop.deposit(1_500);
    await shop.tell(key, failed('REV-1'));
    const once = await shop.funds();
    const transfers = await shop.transfers(key);
    for (const name of ['REV-2', 'REV-2', 'rev-1', undefined]) await shop.tell(key, failed(name));
    expect(await casesOf(key)).toEqual(['LATE_FAILURE REV-1', 'DISCREPANCY REV-2']);
    expect(await shop.funds()).toEqual(once);
    expect(await shop.transfers(key)).toEqual(transfers);
    await shop.resolve(key, 'WRITE_OFF', 0);
    await shop.resolve(key, 'REVERSE_EVIDENCE');
    // What the operator withdrew and says again is new.
    await shop.tell(key, failed('REV-3'));
    expect(await casesOf(key)).toContain('LATE_FAILURE REV-3');
    expect(await shop.funds()).toEqual(once);
  });
});

async function pendingOf(kind: string): Promise<string> {
  const [row] = await select(
    gateway,
    `select approval_id as id from approvals where kind = $1 and status = 'PENDING'`,
    [kind],
  );
  return row?.['id'] ?? '00000000-0000-4000-8000-000000000000';
}
