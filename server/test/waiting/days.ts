// Days of operator accounts that are not signed: each obstacle and each difference.
import { randomUUID } from 'node:crypto';
import { startCloses } from '../../src/core/daily-close/accounts.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import type { CloseObstacle } from '../../src/domain/reconciliation/close-obstacles.ts';
import type { DifferenceKind } from '../../src/domain/reconciliation/daily-close.ts';
import { addDays } from '../../src/domain/time-zone.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { inTransaction } from '../../src/store/database.ts';
import { ensureAccounts, post } from '../../src/store/ledger/ledger.ts';
import { nowOf } from '../clocks.ts';
import { approvalIn } from '../console/asked.ts';
import { ACCOUNT, base64Of, rowAbout, today, type ReportRow } from './report-files.ts';
import type { Way, Ways } from './ways.ts';
import { acceptPayment, act, completed, decideForPlatform, happen, type World } from './world.ts';

const DAY_MS = 86_400_000;

/** Six in the morning of the next day: a day can be signed ten minutes after its end. */
const nextMorning = ({ gateway }: World) => {
  const now = nowOf(gateway.engine).getTime();
  return gateway.gateway.movableClock!.move((Math.floor(now / DAY_MS) + 1.25) * DAY_MS - now);
};

/** An account of the operator whose days are followed from today on, and what two people do with them. */
function accountOf(world: World, account: AccountName) {
  const { gateway, ana, ben } = world;
  const url = `api/host/daily-closes/${account.provider}/${account.currency}`;
  const both = async (path: string, kind: string, body: unknown) => {
    await act(ana, 'POST', `${url}/${path}`, body);
    await decideForPlatform(world, ben, await approvalIn(gateway, ana, kind));
  };
  const read = (day: string) => act(ana, 'GET', `${url}/days/${day}`);
  return {
    read,
    start: () =>
      startCloses(gateway.engine, {
        by: 'Ana',
        ...account,
        firstDay: today(gateway),
        timeZone: 'UTC',
        dueHours: 36,
      }),
    /** A report of these days; each has bytes of its own. */
    upload: (from: string, rows: readonly string[] = [], to = from) =>
      act(ana, 'POST', `${url}/uploads`, {
        source: 'OPERATOR',
        fileName: `${from}.csv`,
        file: base64Of([
          'time,direction,status,amount,currency,reference,transactionId,movement',
          ...rows,
          ' '.repeat(Number(from.slice(-2))),
        ]),
        from,
        to,
      }),
    uploadBank: (rows: readonly string[]) =>
      act(ana, 'POST', `${url}/uploads`, {
        source: 'BANK',
        fileName: 'bank.csv',
        file: base64Of(['time,direction,amount,reference', ...rows]),
      }),
    sign: async (day: string, despite: readonly CloseObstacle[] = []) => {
      const { contentHash } = await read(day);
      await both(`days/${day}/sign`, 'DAY_CLOSE', { contentHash, despite, note: 'the operator was asked' });
    },
    beginWith: (firstDay: string) => both('first-day', 'FIRST_DAY', { firstDay }),
    /** Whether the day stays open because of this. */
    count: (day: string, obstacle: CloseObstacle) => async () =>
      (await read(day)).obstacles.filter((one: string) => one === obstacle).length,
  };
}

type Account = ReturnType<typeof accountOf>;
type Obstructed = { readonly day: string; readonly end: () => Promise<unknown> };

/** An account of its own whose day meets the obstacle. */
const obstructed = (
  obstacle: CloseObstacle,
  account: AccountName,
  meet: (world: World, days: Account, first: string) => Promise<Obstructed>,
): Way<World> => ({
  make: async (world) => {
    const days = accountOf(world, account);
    await days.start();
    const { day, end } = await meet(world, days, today(world.gateway));
    return { end, count: days.count(day, obstacle) };
  },
});

/** As operators write it: at noon of a day. */
function lineOf(
  day: string,
  { direction, amount, reference = '', transactionId = '', movement = '' }: ReportRow,
) {
  return [`${day}T12:00:00Z`, direction, 'COMPLETED', amount, 'RWF', reference, transactionId, movement].join(
    ',',
  );
}

type Differing = (world: World, days: Account, day: string) => Promise<readonly string[]>;

/** A day that differs so: `meet` answers the lines of its report. Two people sign it, with a note. */
const differing = (kind: DifferenceKind, meet: Differing): Way<World> => ({
  make: async (world) => {
    const days = accountOf(world, ACCOUNT);
    await days.start();
    const day = today(world.gateway);
    const lines = await meet(world, days, day);
    await nextMorning(world);
    await days.upload(day, lines);
    return {
      end: () => days.sign(day),
      count: async () => {
        const { status, differences } = await days.read(day);
        return status === 'OPEN' && differences.some((one: { kind: string }) => one.kind === kind) ? 1 : 0;
      },
    };
  },
});

async function paid(world: World): Promise<ReportRow> {
  const key = await acceptPayment(world, { kind: 'DEPOSIT' });
  await happen(world, key, { type: 'SUBMIT_CLAIMED' }, completed());
  return rowAbout(world, key);
}

/** A posting that appears in a day after it was signed. */
async function postBehind({ gateway }: World, { provider, currency }: AccountName, at: Date): Promise<void> {
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
    const legs = [{ debit: debit!, credit: credit!, amount: 50_000n }];
    await post(tx, [{ subject, template: 'ADJUSTMENT', firstLegNo: 0, legs }], at);
  });
}

const MANY = { provider: 'AIRTEL_OAPI_ZMB', currency: 'ZMW' };
const CHANGED = { provider: 'MTN_MOMO_ZMB', currency: 'ZMW' };

export const DAY_WAYS: Ways<World> = {
  'daily close DAY_NOT_OVER': obstructed(
    'DAY_NOT_OVER',
    { provider: 'AIRTEL_OAPI_UGA', currency: 'UGX' },
    async (world, days, day) => {
      await days.upload(day);
      return {
        day,
        end: async () => {
          await nextMorning(world);
          await days.sign(day);
        },
      };
    },
  ),
  'daily close BEFORE_FIRST_DAY': obstructed(
    'BEFORE_FIRST_DAY',
    { provider: 'AIRTEL_RWA', currency: 'RWF' },
    async (_, days, first) => {
      const day = addDays(first, -1);
      return { day, end: () => days.beginWith(day) };
    },
  ),
  'daily close PREVIOUS_DAY_OPEN': obstructed(
    'PREVIOUS_DAY_OPEN',
    { provider: 'MTN_MOMO_UGA', currency: 'UGX' },
    async (world, days, first) => {
      const day = addDays(first, 1);
      for (const _ of [1, 2]) await nextMorning(world);
      await days.upload(first, [], day);
      return { day, end: () => days.sign(first) };
    },
  ),
  'daily close REPORT_MISSING': obstructed(
    'REPORT_MISSING',
    { provider: 'VODACOM_MPESA_COD', currency: 'CDF' },
    async (world, days, day) => {
      await nextMorning(world);
      return { day, end: () => days.upload(day) };
    },
  ),
  'daily close OPENING_DIFFERS': obstructed('OPENING_DIFFERS', CHANGED, async (world, days, first) => {
    await nextMorning(world);
    await days.upload(first);
    await days.sign(first);
    const day = addDays(first, 1);
    await nextMorning(world);
    await days.upload(day);
    await postBehind(world, CHANGED, new Date(`${first}T12:00:00Z`));
    return { day, end: () => days.sign(day, ['OPENING_DIFFERS']) };
  }),
  'daily close TOO_MANY_DIFFERENCES': obstructed('TOO_MANY_DIFFERENCES', MANY, async (world, days, day) => {
    await nextMorning(world);
    const rows = Array.from(
      { length: 5_001 },
      (_, number) => `${day}T12:00:00Z,IN,COMPLETED,1,ZMW,other-${number},,`,
    );
    await days.upload(day, rows);
    return { day, end: () => days.sign(day, ['TOO_MANY_DIFFERENCES']) };
  }),
  'daily close MISSING_LINE': differing('MISSING_LINE', async (world) => {
    await paid(world);
    return [];
  }),
  'daily close NOT_IN_BOOKS': differing('NOT_IN_BOOKS', async (_world, _days, day) => [
    lineOf(day, { direction: 'IN', amount: '7', reference: 'nobody-knows-it' }),
  ]),
  'daily close DOUBLED_LINE': differing('DOUBLED_LINE', async (world, _days, day) => {
    const line = lineOf(day, await paid(world));
    return [line, line];
  }),
  'daily close OTHER_AMOUNT': differing('OTHER_AMOUNT', async (world, _days, day) => [
    lineOf(day, { ...(await paid(world)), amount: '90' }),
  ]),
  'daily close CHARGE': differing('CHARGE', async (world, _days, day) => {
    const row = await paid(world);
    const charge = {
      ...row,
      direction: 'OUT',
      amount: '5',
      movement: 'OPERATOR_CHARGE',
      transactionId: 'CHARGE-1',
    } as const;
    return [lineOf(day, row), lineOf(day, charge)];
  }),
  'daily close BANK_NOT_IN_BOOKS': differing('BANK_NOT_IN_BOOKS', async (_world, days, day) => {
    await days.uploadBank([`${day},OUT,5000,BANK-1`]);
    return [];
  }),
  'daily close BANK_MISSING_LINE': differing('BANK_MISSING_LINE', async (world, _days, day) => {
    const { gateway, ana, ben } = world;
    const reference = `TOP-UP-${nowOf(gateway.engine).getTime()}`;
    const topUp = { type: 'FLOAT_TOP_UP', ...ACCOUNT, amount: '300', reference };
    await act(ana, 'POST', 'api/host/float-movements', topUp);
    await decideForPlatform(world, ben, await approvalIn(gateway, ana, 'FLOAT'));
    return [
      lineOf(day, { direction: 'IN', amount: '300', movement: 'FLOAT_TOP_UP', transactionId: reference }),
    ];
  }),
};
