// Two cells at one operator account: a person ends a payment with a transaction of the operator that no payment of
// either cell has.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { approve, type ApprovalAnswer } from '../../src/core/approvals/decide.ts';
import type { Engine } from '../../src/core/engine.ts';
import { endPayment, type EndAnswer } from '../../src/core/payments/act/end-payment.ts';
import { orderFloat } from '../../src/core/ledger/move-float.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import type { PaymentKey } from '../../src/domain/payments/payment.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import { addAdministrators, ANA, BEN } from '../approval-requests.ts';
import { select } from '../gateway.ts';
import { orderOf } from '../limits/limited-merchants.ts';
import { noteAccounts, openTwoCells, unawareOfOthers, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
let merchantOfOne: string;
let merchantOfTwo: string;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two]) await addAdministrators(engine);
  merchantOfOne = cells.merchant.merchantId;
  merchantOfTwo = (await createDemoMerchant(cells.two.engine, null)).merchantId;
});
afterAll(() => cells.stop());
beforeEach(() => noteAccounts(cells, 'same', 'same'));

/** A deposit whose operator has given no clear answer. */
async function unclearDeposit(engine: Engine, merchantId: string): Promise<PaymentKey> {
  const order = await orderOf(engine, merchantId, { kind: 'DEPOSIT' });
  await initiate(engine, [order]);
  const key = { merchantId, kind: 'DEPOSIT', paymentId: order.writtenId } as const;
  await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  await advance(engine, [{ key, event: { type: 'HORIZON_PASSED' } }]);
  return key;
}

function endAs(engine: Engine, key: PaymentKey, providerTransactionId: string): Promise<EndAnswer> {
  const outcome = { type: 'COMPLETED', providerTransactionId } as const;
  const reason = 'letter of the operator';
  return endPayment(engine, { actor: ANA, secondApprover: 'REQUIRED', key, outcome, reason });
}

async function approveEnd(engine: Engine, { paymentId }: PaymentKey): Promise<ApprovalAnswer> {
  const { rows } = await engine.store.database.query<{ id: string }>(
    `select approval_id as id from approvals where kind = 'PAYMENT_END' and status = 'PENDING' and subject = $1`,
    [`DEPOSIT ${paymentId}`],
  );
  const approvalId = rows[0]!.id;
  const found = await findApproval(engine.store.database, approvalId);
  return approve(engine, { decider: BEN, approvalId, whose: 'ALL', hash: found!.shownHash });
}

async function stateOf(engine: Engine, { paymentId }: PaymentKey): Promise<string> {
  const [row] = await select({ engine }, 'select state from payments where payment_id = $1', [paymentId]);
  return String(row?.['state']);
}

describe("M6: an operator's transaction, and people who end payments with it in two cells", () => {
  test('is refused when it is requested, and when it is approved, where another cell has it', async () => {
    const [one, two] = [cells.one.engine, cells.two.engine];
    const transaction = randomUUID();
    const first = await unclearDeposit(one, merchantOfOne);
    const second = await unclearDeposit(two, merchantOfTwo);
    expect(await endAs(two, second, transaction)).toMatchObject({ type: 'REQUESTED' });
    expect(await endAs(one, first, transaction)).toMatchObject({ type: 'REQUESTED' });
    expect(await approveEnd(one, first)).toMatchObject({ type: 'DONE' });
    expect(await approveEnd(two, second)).toMatchObject({
      type: 'NOT_EXECUTED',
      because: {
        code: 'TRANSACTION_TAKEN',
        parameters: { cell: '0001', kind: 'DEPOSIT', paymentId: first.paymentId },
      },
      message: expect.stringMatching(/belongs to another payment, DEPOSIT .* in cell 0001/),
    });
    expect(await stateOf(two, second)).toBe('IN_RECONCILIATION');
    const third = await unclearDeposit(two, merchantOfTwo);
    expect(await endAs(two, third, transaction)).toMatchObject({ type: 'TRANSACTION_TAKEN', cell: '0001' });
  });

  test('however it is typed, and where the other cell has it by a case or as a float movement', async () => {
    const [one, two] = [cells.one.engine, cells.two.engine];
    const [ofEnd, ofCase, ofTopUp] = ['END', 'CASE', 'TOP'].map((name) =>
      `${name}-${randomUUID()}`.toUpperCase(),
    );
    const ended = await unclearDeposit(one, merchantOfOne);
    expect(await endAs(one, ended, ofEnd!)).toMatchObject({ type: 'REQUESTED' });
    expect(await approveEnd(one, ended)).toMatchObject({ type: 'DONE' });
    const differs = await unclearDeposit(one, merchantOfOne);
    const moved = { amount: 10_000n, currency: 'RWF' };
    const outcome = { type: 'COMPLETED', providerTransactionId: ofCase!, moved } as const;
    await advance(one, [{ key: differs, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    const place = { provider: 'MTN_MOMO_RWA', country: 'RWA', currency: 'RWF', amount: 10_000n };
    const movement = { type: 'FLOAT_TOP_UP', ...place, reference: ofTopUp! } as const;
    const topUp = { actor: ANA, secondApprover: 'OPTIONAL', movement } as const;
    expect(await orderFloat(one, topUp)).toEqual({ type: 'DONE' });
    const other = await unclearDeposit(two, merchantOfTwo);
    for (const [transaction, owner] of [
      [ofEnd!, { kind: 'DEPOSIT', paymentId: ended.paymentId }],
      [ofCase!, { kind: 'DEPOSIT', paymentId: differs.paymentId }],
      [ofTopUp!, { kind: 'FLOAT_TOP_UP', paymentId: ofTopUp }],
    ] as const)
      for (const typed of [transaction, transaction.toLowerCase()])
        expect(await endAs(two, other, typed)).toMatchObject({
          type: 'TRANSACTION_TAKEN',
          cell: '0001',
          owner,
        });
    const same = { ...movement, reference: ofEnd! };
    expect(await orderFloat(two, { ...topUp, movement: same })).toMatchObject({
      type: 'REFERENCE_TAKEN',
      cell: '0001',
      used: { type: 'DEPOSIT' },
    });
  });

  test('ends one payment by approvals of both cells at the same moment, twenty times', async () => {
    const [one, two] = [cells.one.engine, cells.two.engine];
    for (let round = 1; round <= 20; round += 1) {
      const transaction = randomUUID();
      const first = await unclearDeposit(one, merchantOfOne);
      const second = await unclearDeposit(two, merchantOfTwo);
      expect(await endAs(one, first, transaction)).toMatchObject({ type: 'REQUESTED' });
      expect(await endAs(two, second, transaction)).toMatchObject({ type: 'REQUESTED' });
      const answers = await Promise.all([approveEnd(one, first), approveEnd(two, second)]);
      expect(answers.map(({ type }) => type).toSorted()).toEqual(['DONE', 'NOT_EXECUTED']);
      const states = await Promise.all([stateOf(one, first), stateOf(two, second)]);
      expect(states.toSorted()).toEqual(['COMPLETED', 'IN_RECONCILIATION']);
    }
  });

  test('ends payments of both cells where each has an operator account of its own', async () => {
    await noteAccounts(cells, 'of one', 'of two');
    const [one, two] = [cells.one.engine, cells.two.engine];
    const transaction = randomUUID();
    const first = await unclearDeposit(one, merchantOfOne);
    const second = await unclearDeposit(two, merchantOfTwo);
    for (const [engine, key] of [
      [one, first],
      [two, second],
    ] as const) {
      expect(await endAs(engine, key, transaction)).toMatchObject({ type: 'REQUESTED' });
      expect(await approveEnd(engine, key)).toMatchObject({ type: 'DONE' });
    }
  });
});

describe('a cell that does not answer', () => {
  test('keeps people of the other one from ending a payment with a transaction', async () => {
    const { engine } = cells.one;
    const key = await unclearDeposit(engine, merchantOfOne);
    const transaction = randomUUID();
    cells.two.link.refuse();
    try {
      expect(await endAs(engine, key, transaction)).toEqual({ type: 'CELL_SILENT', cell: '0002' });
      expect(await endAs(unawareOfOthers(cells.one), key, transaction)).toMatchObject({ type: 'REQUESTED' });
      expect(await approveEnd(engine, key)).toMatchObject({
        type: 'NOT_EXECUTED',
        because: { code: 'CELL_SILENT', parameters: { cell: '0002' } },
      });
      expect(await stateOf(engine, key)).toBe('IN_RECONCILIATION');
    } finally {
      cells.two.link.restore();
    }
    expect(await approveEnd(engine, key)).toMatchObject({ type: 'DONE' });
    expect(await stateOf(engine, key)).toBe('COMPLETED');
  });

  test('keeps nobody from ending a payment as FAILED, which names no transaction', async () => {
    const { engine } = cells.one;
    const key = await unclearDeposit(engine, merchantOfOne);
    cells.two.link.refuse();
    try {
      const outcome = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
      const order = { actor: ANA, secondApprover: 'REQUIRED', key, outcome, reason: 'letter' } as const;
      expect(await endPayment(engine, order)).toMatchObject({ type: 'REQUESTED' });
      expect(await approveEnd(engine, key)).toMatchObject({ type: 'DONE' });
    } finally {
      cells.two.link.restore();
    }
    expect(await stateOf(engine, key)).toBe('FAILED');
  });
});
