// A signed day keeps up to which line it counted. Lines that come later, also for times before its end, belong to the
// next day, and nothing is written to the lines themselves.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { startOfDay } from '../../src/domain/time-zone.ts';
import type { AccountName } from '../../src/store/daily-close/report-lines.ts';
import { encryptLine, findLineText } from '../../src/store/reconciliation/operator-reports.ts';
import { inTransaction } from '../../src/store/database.ts';
import { decideAs } from '../approvals.ts';
import { openTestGateway, select, waitUntil, type TestGateway } from '../gateway.ts';
import { francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await openTestGateway({ role: 'api' });
});
afterAll(() => gateway.stop());

/** An account that no other test has, at the beginning of its first day. */
async function openLineWorld(account: AccountName) {
  const world = await openCloseWorld(gateway, account);
  const { engine } = gateway;
  const at = (day: string, hour: number) =>
    new Date(startOfDay(day, world.timeZone).getTime() + hour * 3_600_000);
  return {
    ...world,
    day: world.today(),
    /** Money that the operator reports and our books do not have. */
    line: (day: string, reference: string, amount = 100): OperatorReportLine => ({
      occurredAt: at(day, 10),
      direction: 'IN',
      status: 'COMPLETED',
      amount: francs(amount),
      currency: account.currency,
      reference,
    }),
    /** The night passes, the lines come as the report of the day, and two people sign it. */
    signWith: async (day: string, lines: readonly OperatorReportLine[]) => {
      await world.sleep();
      await world.report(day, lines);
      expect(await world.sign(day, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    },
    /** A line that takes another one back: what it says is the same, and its amount is below zero. */
    takeBack: async (reference: string) => {
      const { keyring } = engine.store;
      const rows = await select(
        gateway,
        'select line_hash from operator_report_lines where provider = $1 and currency = $2 order by entry_no',
        [account.provider, account.currency],
      );
      for (const { line_hash: hash } of rows) {
        const { provider } = account;
        const text = await findLineText(engine.store.database, keyring, { provider, hash });
        if (text?.includes(`"${reference}"`) !== true) continue;
        const inverse = randomBytes(32);
        await select(
          gateway,
          `insert into operator_report_lines (provider, line_hash, report_id, line_no, finding, merchant_id, kind,
             payment_id, encrypted_line, occurred_at, currency, moved, times)
           select provider, $3, report_id, line_no, finding, merchant_id, kind, payment_id, $4, occurred_at, currency,
             -moved, times from operator_report_lines where provider = $1 and line_hash = $2`,
          [provider, hash, inverse, encryptLine(keyring, { provider, hash: inverse }, text)],
        );
      }
    },
    /** Voids lines that no signed day counted. */
    void: (reference: string) => setCounts(account, reference),
  };
}

async function setCounts({ provider, currency }: AccountName, reference: string): Promise<number> {
  const { database, keyring } = gateway.engine.store;
  const rows = await select(
    gateway,
    'select line_hash from operator_report_lines where provider = $1 and currency = $2',
    [provider, currency],
  );
  let count = 0;
  for (const { line_hash: hash } of rows) {
    const text = await findLineText(database, keyring, { provider, hash });
    if (text?.includes(`"${reference}"`) !== true) continue;
    const text2 = 'update operator_report_lines set counts = false where provider = $1 and line_hash = $2';
    count += (await database.query(text2, [provider, hash])).rowCount ?? 0;
  }
  return count;
}

/** What each row of both tables is at this moment: PostgreSQL writes a new version of a row that is updated. */
const versions = async () =>
  select(
    gateway,
    `select xmin::text, ctid::text from operator_report_lines
     union all select xmin::text, ctid::text from bank_lines order by 1, 2`,
  );

const referencesOf = (items: readonly { readonly reference: string | null }[]) =>
  items.map(({ reference }) => reference ?? '').toSorted();

describe('M9: days with very many lines', () => {
  test('are signed by one row, and no line is written', async () => {
    const world = await openLineWorld({ provider: 'MTN_MOMO_RWA', currency: 'RWF' });
    await world.sleep();
    const lines = Array.from({ length: 3_000 }, (_, number) => world.line(world.day, `R${number}`));
    await world.report(world.day, lines);
    const before = await versions();
    expect(before).toHaveLength(3_000);
    expect(await world.sign(world.day, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    expect(await versions()).toEqual(before);
    const [row] = await select(gateway, `select lines_through from day_closes where status = 'CLOSED'`);
    const [last] = await select(gateway, 'select max(entry_no) as number from operator_report_lines');
    expect(row?.['lines_through']).toBe(last?.['number']);
  });
});

describe('a signed day', () => {
  test('leaves what comes later for its time, or came early for the next day, to the next day', async () => {
    const world = await openLineWorld({ provider: 'AIRTEL_RWA', currency: 'RWF' });
    const { day } = world;
    await world.sleep();
    const next = world.today();
    // Of the next day, and with a lower number than the last line of the first day.
    await world.report(next, [world.line(next, 'early')]);
    await world.report(day, [world.line(day, 'first')]);
    expect(referencesOf((await world.read(day)).items)).toEqual(['first']);
    expect(await world.sign(day, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    await world.report(day, [world.line(day, 'first'), world.line(day, 'late')]);
    const signed = await world.read(day);
    expect(signed.figures).toMatchObject({ lineCount: 1, reportReceived: francs(100) });
    await world.sleep();
    await world.report(next, [world.line(next, 'early'), world.line(next, 'in time')]);
    const open = await world.read(next);
    expect(open).toMatchObject({ obstacles: [], figures: { lineCount: 3, broughtForward: francs(100) } });
    expect(referencesOf(open.items)).toEqual(['early', 'first', 'in time', 'late']);
    expect(await world.sign(next, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    const last = world.today();
    await world.signWith(last, []);
    expect((await world.read(last)).figures).toMatchObject({ lineCount: 0, carriedForward: francs(400) });
  });

  test('is taken back by lines below zero in the next day, beside the right ones', async () => {
    const world = await openLineWorld({ provider: 'MTN_MOMO_UGA', currency: 'UGX' });
    const { day } = world;
    await world.signWith(day, [world.line(day, 'wrong', 7), world.line(day, 'stays')]);
    const next = world.today();
    await world.takeBack('wrong');
    await world.sleep();
    await world.report(next, [world.line(day, 'right')]);
    const open = await world.read(next);
    expect(open.items).toMatchObject([
      { kind: 'NOT_IN_BOOKS', reference: 'right', amount: francs(100), change: francs(100) },
      { kind: 'NOT_IN_BOOKS', reference: 'stays', amount: francs(100), change: 0n },
      { kind: 'LATE', reference: 'wrong', amount: 0n, change: francs(-7), sinceDay: day, otherDay: day },
    ]);
    expect(open.figures).toMatchObject({ reportReceived: francs(100), reportSent: francs(7), lineCount: 2 });
    expect(await world.sign(next, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    const last = world.today();
    await world.signWith(last, []);
    expect(referencesOf((await world.read(last)).items)).toEqual(['right', 'stays']);
  });

  test('never adds up what does not count, and its own lines go on counting', async () => {
    const world = await openLineWorld({ provider: 'AIRTEL_OAPI_UGA', currency: 'UGX' });
    const { day } = world;
    await world.sleep();
    await world.report(day, [world.line(day, 'void'), world.line(day, 'kept', 5)]);
    expect(await world.void('void')).toBe(1);
    const open = await world.read(day);
    expect(open.figures).toMatchObject({ lineCount: 1, reportReceived: francs(5) });
    expect(referencesOf(open.items)).toEqual(['kept']);
    expect(await world.sign(day, 'the operator was asked')).toMatchObject({ type: 'DONE' });
    await expect(world.void('kept')).rejects.toThrow('a signed day counted this line');
    const next = world.today();
    await world.signWith(next, []);
    expect((await world.read(next)).figures).toMatchObject({ lineCount: 0, broughtForward: francs(5) });
  });

  test('is refused where a line no longer counts since it was requested', async () => {
    const world = await openLineWorld({ provider: 'MTN_MOMO_ZMB', currency: 'ZMW' });
    const { day } = world;
    await world.sleep();
    await world.report(day, [world.line(day, 'first'), world.line(day, 'second')]);
    const request = async () => {
      const answer = await world.request(day, 'Ana', 'the operator was asked');
      return answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
    };
    const approvalId = await request();
    await world.void('second');
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
    await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    expect((await world.read(day)).figures.lineCount).toBe(1);
    expect(await decideAs(gateway.engine, 'Ben', await request())).toMatchObject({ type: 'DONE' });
  });

  test('waits for an import that inserts lines meanwhile, and is signed without them', async () => {
    const world = await openLineWorld({ provider: 'AIRTEL_OAPI_ZMB', currency: 'ZMW' });
    const { day } = world;
    await world.sleep();
    await world.report(day, [world.line(day, 'first')]);
    const answer = await world.request(day, 'Ana', 'the operator was asked');
    const approvalId = answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
    const { database } = gateway.engine.store;
    const [report] = await select(gateway, `select report_id from operator_reports where provider = $1`, [
      'AIRTEL_OAPI_ZMB',
    ]);
    const decided = await inTransaction(database, async (tx) => {
      await tx.query(
        `insert into operator_report_lines (provider, line_hash, report_id, line_no, finding, occurred_at, currency,
           moved) values ('AIRTEL_OAPI_ZMB', $1, $2, 9, 'UNKNOWN', $3, 'ZMW', 3)`,
        [randomBytes(32), report?.['report_id'], world.line(day, '').occurredAt],
      );
      const deciding = decideAs(gateway.engine, 'Ben', approvalId);
      await waitUntil(async () => {
        const waiting = `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        return (await select(gateway, waiting)).length > 0;
      });
      return { deciding };
    });
    expect(await decided.deciding).toMatchObject({ type: 'DONE' });
    expect((await world.read(day)).figures).toMatchObject({ lineCount: 1, reportReceived: francs(100) });
    const next = world.today();
    await world.sleep();
    await world.report(next, []);
    expect((await world.read(next)).figures).toMatchObject({ lineCount: 1, reportReceived: francs(3) });
  });
});
