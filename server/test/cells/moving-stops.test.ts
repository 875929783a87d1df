// What is frozen, and which numbers are blocked, where a merchant moves into a cell that was not told.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { moveMerchant } from '../../src/core/cells/moving/move-merchant.ts';
import type { Engine } from '../../src/core/engine.ts';
import { freeze, requestLift } from '../../src/core/limits/freeze.ts';
import { listNumbers, unlistNumbers } from '../../src/core/limits/listed-numbers.ts';
import { release as releaseAll } from '../../src/core/payments/process/release.ts';
import { releaseDueFunds } from '../../src/core/limits/wallet-holds.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { select } from '../gateway.ts';
import { claimedNow } from '../limits/reviewed-merchants.ts';
import { approvalOfReport, importFile, lineAbout } from '../report-files.ts';
import { alone, moveBetween, openTwoCells, pairOf, type TestCell, type TwoCells } from '../two-cells.ts';
import { addPayout, endPayout } from './moving-payouts.ts';

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

const frozenIn = (cell: TestCell) =>
  select(cell, 'select freeze_id, expires_at from freezes where lifted_at is null');
const blockedIn = (cell: TestCell) => select(cell, 'select entry_id from listed_numbers');
const onError = (error: unknown) => expect(error).toBe(null);

test('A merchant that moves into a cell without its freeze and the blocked number stays stopped there.', async () => {
  const { one: from, two: to, merchant } = cells;
  const { merchantId } = merchant;
  const keys = [await addPayout(from, merchantId), await addPayout(from, merchantId)];
  const entries = [{ phoneNumber: '250783456789', reason: 'fraud', expiresAt: null }];
  await listNumbers(alone(from), { by: 'Ana', merchantId: null, list: 'BLOCKED', entries });
  expect(await claimedNow(from.engine)).toEqual([]);
  const target = { scope: 'MERCHANT', subject: merchantId } as const;
  const order = { by: 'Ana', target, reason: 'fraud', expiresAt: null };
  await freeze(alone(from), order);
  expect(await moveBetween(cells, from, to)).toEqual({ type: 'MOVED' });
  expect(await frozenIn(to)).toEqual(await frozenIn(from));
  expect(await blockedIn(to)).toEqual(await blockedIn(from));
  const release = () => releaseAll(to.engine, { countMax: 100, onError });
  await release();
  expect(await claimedNow(to.engine)).toEqual([]);

  // Lifted where the merchant is now, and not in the cell that it is to go back to.
  const lifting = { target, reason: 'over', actor: actorNamed('Ana'), secondApprover: 'OPTIONAL' } as const;
  await requestLift(alone(from), lifting);
  expect(await moveBetween(cells, to, from)).toEqual({ type: 'LIFTED_THERE', scope: 'MERCHANT' });
  await requestLift(to.engine, lifting);
  await release();
  expect(await claimedNow(to.engine)).toEqual([]);
  const unlisted = { by: 'Ana', merchantId: null, list: 'BLOCKED', phoneNumbers: ['250783456789'] } as const;
  await unlistNumbers(to.engine, unlisted);
  await release();
  expect((await claimedNow(to.engine)).toSorted()).toEqual(keys.map(({ paymentId }) => paymentId).toSorted());
  for (const key of keys) await endPayout(to, key);
});

test('What is frozen while a merchant is locked for its move is frozen in the other cell before it arrives.', async () => {
  const { two: from, one: to } = cells;
  const target = { scope: 'PROVIDER', subject: 'TIGO_RWA' } as const;
  const expiresAt = new Date(Date.now() + 3_600_000);
  const order = { by: 'Ana', target, reason: 'break-in', expiresAt };
  await freeze(alone(to), { ...order, expiresAt: new Date(Date.now() + 60_000) });
  let frozen: Promise<unknown> | undefined;
  const answer = await moveBetween(cells, from, to, (text) => {
    if (text === 'is leaving') frozen ??= freeze(alone(from), order);
  });
  expect(answer).toEqual({ type: 'MOVED' });
  await frozen;
  const text = `select freeze_id, expires_at, frozen_at from freezes where subject = 'TIGO_RWA'
    order by frozen_at desc`;
  const [added] = await select(from, text);
  expect(added).toMatchObject({ expires_at: expiresAt });
  expect((await select(to, text))[0]).toEqual(added);
});

test('M3: A merchant does not move while a report of its cell says that its deposit was taken back, and nobody has decided on it.', async () => {
  const { one: from, two: to, merchant } = cells;
  const { merchantId } = merchant;
  const deposit = await addPayout(from, merchantId, 'DEPOSIT');
  await endPayout(from, deposit);
  const line = await lineAbout(from, deposit.paymentId, { status: 'FAILED' });
  const { reportId } = await importFile(from, [line]);
  expect(await moveBetween(cells, from, to)).toEqual({ type: 'REPORT_UNDECIDED' });
  await decideAs(from.engine, 'Ben', await approvalOfReport(from, reportId), 'reject');
  await releaseDueFunds(from.engine, { countMax: 10, onError });
  expect(await moveBetween(cells, from, to)).toEqual({ type: 'MOVED' });
});

test('O11: A report that is imported between the question and the lock keeps its merchant, too.', async () => {
  const { one: from, two: to } = cells;
  const { merchantId } = await createDemoMerchant(from.engine, null);
  const deposit = await addPayout(from, merchantId, 'DEPOSIT');
  await endPayout(from, deposit);
  const line = await lineAbout(from, deposit.paymentId, { status: 'FAILED' });
  const pair = await pairOf(from, to);
  let isImported = false;
  const cell: Engine = Object.create(from.engine, {
    store: {
      value: Object.create(from.engine.store, {
        database: {
          value: new Proxy(from.engine.store.database, {
            get: (target, name) => {
              const value: unknown = Reflect.get(target, name);
              if (typeof value !== 'function') return value;
              return async (...given: readonly unknown[]) => {
                const answer: unknown = await Reflect.apply(value, target, given);
                if (String(given[0]).includes("'REPORTED_REVERSAL'") && !isImported) {
                  isImported = true;
                  await importFile(from, [line]);
                }
                return answer;
              };
            },
          }),
        },
      }),
    },
  });
  const order = { merchantId, home: '0001', by: 'test', onProgress: () => undefined };
  expect(await moveMerchant({ ...pair, from: cell }, order)).toEqual({ type: 'REPORT_UNDECIDED' });
  expect(isImported).toBe(true);
  expect(await select(from, 'select 1 from migration_locks where merchant_id = $1', [merchantId])).toEqual(
    [],
  );
});
