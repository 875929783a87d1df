// What happens to requests of each kind when their merchant moves to another cell: core/approvals/README.md says why.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requestApproval, type NewRequest } from '../../src/core/approvals/request.ts';
import type { Engine } from '../../src/core/engine.ts';
import { requestMoney } from '../../src/core/ledger/request-money-movement.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { changeLimit } from '../../src/core/payout-batches/payout-limits.ts';
import { preparePayouts } from '../../src/core/payout-batches/prepare-payouts.ts';
import { readCases, requestResolution } from '../../src/core/reconciliation/resolve-cases.ts';
import { APPROVAL_KINDS, type ApprovalKind } from '../../src/domain/approval.ts';
import { findApproval } from '../../src/store/approvals/approvals.ts';
import { inTransaction } from '../../src/store/database.ts';
import { addPeople, ANA, approveAs, BEN, OF_THE_CELL, REQUESTS } from '../approval-requests.ts';
import { moveBetween, openTwoCells, type TwoCells } from '../two-cells.ts';

let cells: TwoCells;
let merchantId: string;
/** Identifiers of requests, by kind, and of a command's that one person confirmed. */
const ids = new Map<ApprovalKind | 'CONFIRMED' | 'APPROVED', string>();

async function lastId({ store }: Engine): Promise<string> {
  const { rows } = await store.database.query<{ id: string }>(
    'select approval_id as id from approvals order by requested_at desc limit 1',
  );
  return rows[0]!.id;
}

async function statusOf({ store }: Engine, id: string): Promise<string> {
  return (await findApproval(store.database, id))?.status ?? 'none';
}

const money = (actor: NewRequest<'MONEY'>['actor'], amount: bigint) =>
  requestMoney(cells.one.engine, {
    actor,
    merchantId,
    type: 'TOP_UP',
    country: 'RWA',
    currency: 'RWF',
    walletProvider: '',
    amount,
    reference: null,
    reason: 'a slip',
  });

async function addCase(): Promise<string> {
  const { engine } = cells.one;
  const key = { merchantId, kind: 'PAYOUT', paymentId: randomUUID() } as const;
  await initiate(engine, [
    {
      paymentNo: randomUUID(),
      merchant: (await engine.directory.merchant(merchantId))!,
      apiVersion: 'v2',
      writtenId: key.paymentId,
      kind: 'PAYOUT',
      amount: 1_000_000n,
      amountText: '100',
      currency: 'RWF',
      provider: 'MTN_MOMO_RWA',
      details: { phoneNumber: '250783456789' },
    },
  ]);
  await advance(engine, [{ key, event: { type: 'SUBMIT_CLAIMED' } }]);
  const completed = { type: 'COMPLETED', providerTransactionId: randomUUID() } as const;
  await advance(engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome: completed } }]);
  const failed = { type: 'FAILED', code: 'UNSPECIFIED_FAILURE' } as const;
  await advance(engine, [{ key, event: { type: 'OPERATOR_ANSWERED', outcome: failed } }]);
  const [found] = await readCases(engine, { onlyOpen: true });
  return found!.caseId;
}

async function prepareBatch(amountText: string): Promise<void> {
  const { engine } = cells.one;
  const payout = { phoneNumber: '250783456789', amountText, currency: 'RWF', provider: null };
  await preparePayouts(engine, {
    merchant: (await engine.directory.merchant(merchantId))!,
    actor: ANA,
    source: 'FORM',
    apiVersion: 'v2',
    title: 'Wages',
    payouts: [{ rowNo: 1, payout }],
    faults: [],
    repeatsAreMeant: false,
    hostLimits: new Map(),
  });
}

const MOVING: readonly ApprovalKind[] = ['MONEY', 'CASE', 'PAYOUT_BATCH', 'PAYOUT_LIMIT'];

beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  ({ merchantId } = cells.merchant);
  const { engine } = cells.one;
  await addPeople(engine);
  await addPeople(cells.two.engine);
  await changeLimit(engine, { merchantId, currency: 'RWF', actor: ANA, amount: 50_000n });
  ids.set('APPROVED', await lastId(engine));
  expect(await approveAs(engine, BEN, ids.get('APPROVED')!)).toBe('DONE');
  await prepareBatch('50');
  expect(await approveAs(engine, BEN, await lastId(engine))).toBe('DONE');
  // Of those that move, real ones are made below: another person approves them in the new cell.
  for (const kind of APPROVAL_KINDS.filter((one) => !MOVING.includes(one))) {
    const whose = OF_THE_CELL.includes(kind) ? null : merchantId;
    const wanted = { actor: ANA, merchantId: whose, kind, subject: 'subject', request: REQUESTS[kind] };
    await inTransaction(engine.store.database, (tx) => requestApproval(engine, tx, wanted));
    ids.set(kind, await lastId(engine));
  }
  await money({ personId: null, by: 'a command' }, 10_000n);
  ids.set('CONFIRMED', await lastId(engine));
  expect(await approveAs(engine, ANA, ids.get('CONFIRMED')!)).toBe('CONFIRMED');
  await money(ANA, 20_000n);
  ids.set('MONEY', await lastId(engine));
  const caseId = await addCase();
  const resolution = { caseId, resolution: 'CREDIT_MERCHANT', reason: 'a letter', amount: null } as const;
  await requestResolution(engine, { ...resolution, actor: ANA });
  ids.set('CASE', await lastId(engine));
  await prepareBatch('100');
  ids.set('PAYOUT_BATCH', await lastId(engine));
  await changeLimit(engine, { merchantId, currency: 'RWF', actor: ANA, amount: 90_000n });
  ids.set('PAYOUT_LIMIT', await lastId(engine));
  expect((await moveBetween(cells, cells.one, cells.two)).type).toBe('MOVED');
});
afterAll(() => cells.stop());

describe('when a merchant moves to another cell', () => {
  test('A request of every kind was pending.', () => {
    expect(APPROVAL_KINDS.filter((kind) => !ids.has(kind))).toEqual([]);
    expect(new Set(ids.values()).size).toBe(APPROVAL_KINDS.length + 2);
  });

  test.each(APPROVAL_KINDS.filter((kind) => !MOVING.includes(kind) && !OF_THE_CELL.includes(kind)))(
    'A pending request of kind %s is withdrawn, because its requester stays behind.',
    async (kind) => {
      const found = await findApproval(cells.two.engine.store.database, ids.get(kind)!);
      expect(found).toMatchObject({ status: 'WITHDRAWN', decision: { by: 'moved to another cell' } });
      expect(await statusOf(cells.one.engine, ids.get(kind)!)).toBe('none');
    },
  );

  test.each(OF_THE_CELL)('A pending request of kind %s stays in its cell.', async (kind) => {
    expect(await statusOf(cells.one.engine, ids.get(kind)!)).toBe('PENDING');
    expect(await statusOf(cells.two.engine, ids.get(kind)!)).toBe('none');
  });

  test('A command’s request that one person confirmed is withdrawn.', async () => {
    expect(await statusOf(cells.two.engine, ids.get('CONFIRMED')!)).toBe('WITHDRAWN');
  });

  test('What was approved stays approved, and its effect counts.', async () => {
    expect(await statusOf(cells.two.engine, ids.get('APPROVED')!)).toBe('APPROVED');
    const { rows } = await cells.two.engine.store.database.query('select amount from payout_limits');
    expect(rows).toEqual([{ amount: '5.0000' }]);
  });

  test.each(MOVING)(
    'A pending request of kind %s moves along, and another person approves it.',
    async (kind) => {
      const { engine } = cells.two;
      expect(await statusOf(cells.one.engine, ids.get(kind)!)).toBe('none');
      expect(await statusOf(engine, ids.get(kind)!)).toBe('PENDING');
      const renamed = { personId: 'another', by: ' ANA@example.com' };
      expect(await approveAs(engine, renamed, ids.get(kind)!)).toBe('SAME_PERSON');
      expect(await approveAs(engine, BEN, ids.get(kind)!)).toBe('DONE');
      expect(await statusOf(engine, ids.get(kind)!)).toBe('APPROVED');
    },
  );

  test('The approvals in the new cell took effect there.', async () => {
    const { database } = cells.two.engine.store;
    const one = async (text: string) => (await database.query(text)).rows[0];
    expect(await one('select amount from payout_limits')).toEqual({ amount: '9.0000' });
    const { rows } = await database.query('select status from payout_batches');
    expect(rows).toEqual([{ status: 'SENDING' }, { status: 'SENDING' }]);
    expect(await one('select resolution from cases')).toEqual({ resolution: 'CREDIT_MERCHANT' });
    const id = ids.get('MONEY');
    expect(await one(`select amount from transfers where subject_id = '${id}'`)).toEqual({
      amount: '2.0000',
    });
  });
});
