// Attempts of a checkout while its merchant is copied: of all but the failed ones a cell has at most one.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { attemptDepositId } from '../../src/core/checkouts/page-code.ts';
import { advance } from '../../src/core/payments/process/advance.ts';
import { inTransaction } from '../../src/store/database.ts';
import { attempt, checkoutRequest } from '../checkouts.ts';
import { call } from '../gateway.ts';
import { moveBetween, openTwoCells, type TwoCells } from '../two-cells.ts';
import { endPayout, stateOf } from './moving-payouts.ts';

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
  for (const { engine } of [cells.one, cells.two])
    await engine.store.database.query(
      `insert into operator_accounts (connector, account_hash, noted_at) values ('simulator', 'same', $1)`,
      [new Date()],
    );
});
afterAll(() => cells.stop());

const CHECKOUTS = 3;

test('Checkouts whose first attempts fail after they were copied, and whose second ones are completed, move with both.', async () => {
  const { one: from, two: to, merchant } = cells;
  const { merchantId } = merchant;
  const { engine } = from;
  const keyOf = (checkoutId: string, attemptNo: number) => {
    const paymentId = attemptDepositId(engine.referenceKey, { merchantId, checkoutId }, attemptNo);
    return { merchantId, kind: 'DEPOSIT', paymentId } as const;
  };
  const checkoutIds = Array.from({ length: CHECKOUTS }, () => randomUUID());
  for (const checkoutId of checkoutIds) {
    await call({ ...from, ...merchant }, 'POST', '/v2/checkouts', checkoutRequest({ checkoutId }));
    await attempt({ engine, merchantId }, { checkoutId, attemptNo: 1 });
    await advance(engine, [{ key: keyOf(checkoutId, 1), event: { type: 'SUBMIT_CLAIMED' } }]);
  }
  const controller = new AbortController();
  const stop = (text: string) => {
    if (text.startsWith('compared')) controller.abort(new Error('stop'));
  };
  expect(await moveBetween(cells, from, to, stop, controller.signal)).toEqual({ type: 'STOPPED' });
  const outcome = { type: 'FAILED', code: 'PAYMENT_NOT_APPROVED' } as const;
  for (const checkoutId of checkoutIds) {
    const first = keyOf(checkoutId, 1);
    expect(await stateOf(to, first)).toBe('PROCESSING');
    await advance(engine, [{ key: first, event: { type: 'OPERATOR_ANSWERED', outcome } }]);
    await attempt({ engine, merchantId }, { checkoutId, attemptNo: 2 });
    await endPayout(from, keyOf(checkoutId, 2));
  }
  // From now on they lie behind the second ones.
  await inTransaction(engine.store.database, async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`update payments set next_action_at = next_action_at where state = 'FAILED'`);
  });
  expect(await moveBetween(cells, from, to)).toEqual({ type: 'MOVED' });
  for (const checkoutId of checkoutIds) {
    const states = [stateOf(to, keyOf(checkoutId, 1)), stateOf(to, keyOf(checkoutId, 2))];
    expect(await Promise.all(states)).toEqual(['FAILED', 'COMPLETED']);
  }
});
