// Every obstacle that keeps a day from being signed, and the way out of it that two people take in the console. The
// list of obstacles is the code's: a new one without a way out does not compile.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { CLOSE_OBSTACLES, type CloseObstacle } from '../../src/domain/reconciliation/close-obstacles.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import { addDays, startOfDay } from '../../src/domain/time-zone.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { inTransaction } from '../../src/store/database.ts';
import { ensureAccounts, post } from '../../src/store/ledger/ledger.ts';
import { nowOf } from '../clocks.ts';
import { francs, openCloseWorld } from '../daily-close/close-world.ts';
import { waitUntil, type TestGateway } from '../gateway.ts';
import { openTwoCells, type TwoCells } from '../two-cells.ts';
import { approvalIn, decideAtHost } from './asked.ts';
import { confirmed, CONSOLE, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let people: readonly [TestPerson, TestPerson];
beforeAll(async () => {
  gateway = await openTestConsole();
  people = [await admin(gateway), await admin(gateway)];
});
afterAll(() => gateway.stop());

const admin = async (at: TestGateway) => confirmed(await signedIn(at, 'OPERATOR_ADMIN'));

/** An account of its own for each obstacle, as two people see it in the console. */
async function openAccount(account: AccountName) {
  const world = await openCloseWorld(gateway, account);
  return { world, ...consoleOf(gateway, people, account) };
}

function consoleOf(at: TestGateway, [ana, ben]: typeof people, account: AccountName) {
  const url = `api/host/daily-closes/${account.provider}/${account.currency}`;
  /** One person asks, another approves. */
  const both = async (path: string, kind: string, body: unknown) => {
    const asked = await ana.call('POST', `${url}/${path}`, body);
    expect([path, asked.status, asked.body]).toEqual([path, 200, { approvalId: expect.any(String) }]);
    const decided = await decideAtHost(at, ben, await approvalIn(at, ana, kind));
    expect([path, decided.status, decided.body]).toMatchObject([path, 200, { outcome: 'DONE' }]);
  };
  const read = async (day: string) => (await ana.call('GET', `${url}/days/${day}`)).body;
  return {
    read,
    upload: async (from: string, rows: readonly string[] = [], to = from) => {
      const file = [['time,direction,status,amount,currency,reference'], rows].flat().join('\n');
      const { status, body } = await ana.call('POST', `${url}/uploads`, {
        source: 'OPERATOR',
        fileName: `report of ${from}.csv`,
        // An empty report of another day would have the same bytes.
        file: Buffer.from(`${file}\n${' '.repeat(Number(from.slice(-2)))}`).toString('base64'),
        from,
        to,
      });
      expect([status, body.status]).toEqual([200, 'DONE']);
    },
    sign: async (day: string, despite: readonly CloseObstacle[] = []) => {
      const { contentHash } = await read(day);
      await both(`days/${day}/sign`, 'DAY_CLOSE', { contentHash, despite, note: 'the operator was asked' });
      expect((await read(day)).status).toBe('CLOSED');
    },
    reopen: (day: string) => both(`days/${day}/reopen`, 'DAY_REOPEN', { reason: 'its books have changed' }),
    beginWith: (firstDay: string) => both('first-day', 'FIRST_DAY', { firstDay }),
  };
}

/** Cell 0002 answers no one until `back` is called. */
async function silence({ two }: TwoCells) {
  const name = new URL(two.config.cell.databaseUrl).pathname.slice(1);
  const url = new URL(inject('templateUrl'));
  url.pathname = '/postgres';
  const maintenance = new Client({ connectionString: url.href });
  await maintenance.connect();
  await maintenance.query(`alter database ${name} with allow_connections false`);
  await maintenance.query(
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = $1 and pid <> pg_backend_pid()',
    [name],
  );
  return {
    back: async () => {
      await maintenance.query(`alter database ${name} with allow_connections true`);
      await maintenance.end();
    },
  };
}

/** Each meets the obstacle, sees what the console says of it, and ends with a signed day. */
const WAYS_OUT: Readonly<Record<CloseObstacle, () => Promise<void>>> = {
  DAY_NOT_OVER: async () => {
    const { world, read, upload, sign } = await openAccount({ provider: 'MTN_MOMO_RWA', currency: 'RWF' });
    const day = world.today();
    await upload(day);
    const open = await read(day);
    expect(open).toMatchObject({ obstacles: ['DAY_NOT_OVER'] });
    const end = startOfDay(addDays(day, 1), world.timeZone).getTime();
    expect(Date.parse(open.comparableAt)).toBe(end + 600_000);
    await world.sleep();
    await sign(day);
  },

  BEFORE_FIRST_DAY: async () => {
    const { world, read, upload, sign, beginWith } = await openAccount({
      provider: 'AIRTEL_RWA',
      currency: 'RWF',
    });
    const firstDay = world.today();
    const day = addDays(firstDay, -1);
    await upload(day);
    expect(await read(day)).toMatchObject({ obstacles: ['BEFORE_FIRST_DAY'], firstDay });
    const [ana] = people;
    const path = 'api/host/daily-closes/AIRTEL_RWA/RWF/first-day';
    // A first day that has not begun would leave nothing to sign.
    for (const later of [addDays(firstDay, 1), '2099-01-01']) {
      const refused = await ana.call('POST', path, { firstDay: later });
      const { code, parameters } = refused.body.failureReason.reason;
      expect([code, parameters]).toEqual(['CLOSE_FIRST_DAY_NOT_BEGUN', { today: firstDay }]);
    }
    await beginWith(day);
    await sign(day);
    // Once a day is signed, the first one stays.
    const { status, body } = await ana.call('POST', path, { firstDay: addDays(day, -1) });
    expect([status, body.failureReason.reason.code]).toEqual([409, 'CLOSE_FIRST_DAY_SIGNED']);
  },

  PREVIOUS_DAY_OPEN: async () => {
    const { world, read, upload, sign } = await openAccount({ provider: 'MTN_MOMO_UGA', currency: 'UGX' });
    const first = world.today();
    for (let count = 0; count < 3; count += 1) await world.sleep();
    const last = addDays(first, 2);
    await upload(first, [], last);
    expect(await read(last)).toMatchObject({ obstacles: ['PREVIOUS_DAY_OPEN'], firstOpenDay: first });
    await sign(first);
    expect(await read(last)).toMatchObject({ firstOpenDay: addDays(first, 1) });
    await sign(addDays(first, 1));
    await sign(last);
  },

  CELL_SILENT: async () => {
    const cells = await openTwoCells({ role: 'api', console: CONSOLE });
    try {
      const account = { provider: 'MTN_MOMO_RWA', currency: 'RWF' };
      const { one, merchant } = cells;
      const cell = { ...one, ...merchant } as unknown as TestGateway;
      const { read, upload, sign } = consoleOf(cell, [await admin(cell), await admin(cell)], account);
      const day = addDays(nowOf(one.engine).toISOString().slice(0, 10), -3);
      await startCloses(one.engine, { by: 'Ana', ...account, firstDay: day, timeZone: null, dueHours: 36 });
      await upload(day);
      const silent = await silence(cells);
      expect(await read(day)).toMatchObject({ obstacles: ['CELL_SILENT'], missingCells: ['0002'] });
      await silent.back();
      await waitUntil(async () => (await read(day)).obstacles.length === 0);
      await sign(day);
    } finally {
      await cells.stop();
    }
  },

  REPORT_MISSING: async () => {
    const { world, read, upload, sign } = await openAccount({
      provider: 'AIRTEL_OAPI_UGA',
      currency: 'UGX',
    });
    const day = world.today();
    await world.sleep();
    const [from, to] = [day, addDays(day, 1)].map((one) => startOfDay(one, world.timeZone).toISOString());
    expect(await read(day)).toMatchObject({ obstacles: ['REPORT_MISSING'], gaps: [{ from, to }] });
    await upload(day);
    expect(await read(day)).toMatchObject({ obstacles: [], gaps: [] });
    await sign(day);
  },

  OPENING_DIFFERS: async () => {
    const account = { provider: 'MTN_MOMO_ZMB', currency: 'ZMW' };
    const { world, read, upload, sign, reopen } = await openAccount(account);
    const first = world.today();
    await world.sleep();
    await upload(first);
    await sign(first);
    const next = world.today();
    await world.sleep();
    await upload(next);
    await postBehind(account, startOfDay(first, world.timeZone));
    expect(await read(next)).toMatchObject({
      obstacles: ['OPENING_DIFFERS'],
      passableObstacles: ['OPENING_DIFFERS'],
      openingChange: '5',
      lastDay: first,
    });
    await sign(next, ['OPENING_DIFFERS']);
    // The other way: both days are signed as their books are now.
    await reopen(next);
    await reopen(first);
    await sign(first);
    await sign(next);
    expect((await read(next)).differences).toMatchObject([
      { kind: 'MISSING_LINE', amount: '-5', sinceDay: first },
    ]);
    expect((await read(first)).reopened).toMatchObject([{ reason: 'its books have changed' }]);
  },

  TOO_MANY_DIFFERENCES: async () => {
    const { world, read, upload, sign } = await openAccount({
      provider: 'AIRTEL_OAPI_ZMB',
      currency: 'ZMW',
    });
    const day = world.today();
    await world.sleep();
    const time = startOfDay(day, world.timeZone).toISOString();
    const rows = (name: string, count: number) =>
      Array.from({ length: count }, (_, number) => `${time},IN,COMPLETED,1,ZMW,${name}-${number}`);
    await upload(day, rows('other', 5_001));
    await upload(day, rows('right', 3));
    const wrong = await read(day);
    expect(wrong).toMatchObject({
      obstacles: ['TOO_MANY_DIFFERENCES'],
      passableObstacles: ['TOO_MANY_DIFFERENCES'],
      differenceCount: 5_004,
    });
    expect(wrong.differencesByFile).toMatchObject([
      { source: 'OPERATOR', fileName: `report of ${day}.csv`, differenceCount: 5_001 },
      { differenceCount: 3 },
    ]);
    await sign(day, ['TOO_MANY_DIFFERENCES']);
  },
};

/** A posting that appears in a day after it was signed. */
async function postBehind({ provider, currency }: AccountName, at: Date): Promise<void> {
  const { engine, merchantId } = gateway;
  const { country } = findProvider(provider)!;
  const [debit, credit] = (['FLOAT', 'CLEARING'] as const).map((type) => ({
    type,
    country,
    currency,
    provider,
  }));
  await inTransaction(engine.store.database, async (tx) => {
    await ensureAccounts(tx, [debit!, credit!]);
    const subject = { merchantId, kind: 'ADJUSTMENT', id: randomUUID() };
    const legs = [{ debit: debit!, credit: credit!, amount: francs(5) }];
    await post(tx, [{ subject, template: 'ADJUSTMENT', firstLegNo: 0, legs }], at);
  });
}

describe('two people have a way out of', () => {
  test.each(CLOSE_OBSTACLES)('%s', async (obstacle) => {
    await WAYS_OUT[obstacle]();
  });
});
