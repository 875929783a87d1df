// A day that was signed wrongly, or whose books changed afterwards: two people take the signature back, or sign the
// next day with the change as a part of it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { exportClose, type ExportRow } from '../../src/core/daily-close/export-close.ts';
import { requestReopening } from '../../src/core/daily-close/reopen-day.ts';
import { requestClose } from '../../src/core/daily-close/sign-close.ts';
import type { PassableObstacle } from '../../src/domain/reconciliation/close-obstacles.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { startOfDay } from '../../src/domain/time-zone.ts';
import { actorNamed, decideAs } from '../approvals.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { ACCOUNT, francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
let world: Awaited<ReturnType<typeof openCloseWorld>>;
beforeEach(async () => {
  gateway = await openTestGateway();
  world = await openCloseWorld(gateway);
});
afterEach(() => gateway.stop());

const WHY = 'the operator was asked';

/** A day of payments, with the report of the whole day. */
async function payAndReport(): Promise<{
  readonly day: string;
  readonly lines: readonly OperatorReportLine[];
}> {
  const day = world.today();
  await world.pay(4);
  await world.sleep();
  const lines = world.takeLines();
  await world.report(day, lines);
  return { day, lines };
}

async function signedDay() {
  const reported = await payAndReport();
  expect(await world.sign(reported.day)).toMatchObject({ type: 'DONE' });
  return reported;
}

/** A posting appears in a day that is signed. Nothing does that, but if it happened people must have a way out. */
async function postBehind(day: string): Promise<void> {
  const at = new Date(startOfDay(day, world.timeZone).getTime() + 12 * 3_600_000);
  await select(
    gateway,
    `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
       credit_account_id, amount, state, created_at)
     select t.merchant_id, 'ADJUSTMENT', gen_random_uuid(), 0, t.template, t.debit_account_id, t.credit_account_id, 777,
       'POSTED', $1 from transfers t join accounts a on a.account_id = t.debit_account_id
     where a.type = 'FLOAT' and t.state = 'POSTED' limit 1`,
    [at],
  );
}

async function signDespite(day: string, despite: readonly PassableObstacle[]) {
  const order = { ...ACCOUNT, day, actor: actorNamed('Ana'), note: WHY, contentHash: null, despite };
  const requested = await requestClose(gateway.engine, order);
  if (requested.type !== 'REQUESTED') return requested;
  return decideAs(gateway.engine, 'Ben', requested.approvalId);
}

const request = (day: string, reason = 'a file was wrong') =>
  requestReopening(gateway.engine, { ...ACCOUNT, day, reason, actor: actorNamed('Ana') });

async function reopen(day: string, reason?: string) {
  const requested = await request(day, reason);
  const approvalId =
    requested.type === 'REQUESTED' ? requested.approvalId : expect.unreachable(requested.type);
  return decideAs(gateway.engine, 'Ben', approvalId);
}

const statuses = async () =>
  select(gateway, 'select day, status from day_closes order by made_at, day').then((rows) =>
    rows.map(({ day, status }) => `${day} ${status}`),
  );

describe('a signed day', () => {
  test('is reopened by two people, the last one first, and signed again with lines that came since', async () => {
    const { day: first } = await signedDay();
    const { day: second, lines } = await signedDay();
    const signed = await world.read(second);
    expect(await request(first)).toEqual({ type: 'NOT_LAST', lastDay: second });
    expect(await request(world.today())).toEqual({ type: 'NOT_SIGNED' });
    const requested = await request(second, 'the last hour was missing');
    const approvalId = requested.type === 'REQUESTED' ? requested.approvalId : expect.unreachable();
    expect(await request(second)).toEqual({ type: 'REQUESTED_BEFORE' });
    expect(await decideAs(gateway.engine, 'Ana', approvalId)).toEqual({ type: 'SAME_PERSON' });
    expect((await world.read(second)).status).toBe('CLOSED');
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DONE' });

    const open = await world.read(second);
    expect(open).toMatchObject({ status: 'OPEN', items: [], obstacles: [], contentHash: signed.contentHash });
    expect(open.reopened).toMatchObject([
      { contentHash: signed.contentHash, reason: 'the last hour was missing', approvalId },
    ]);
    // The day before is the last one now, and can be reopened too.
    expect(await reopen(first)).toMatchObject({ type: 'DONE' });
    const [line] = lines;
    const late = {
      ...line!,
      occurredAt: new Date(startOfDay(first, world.timeZone)),
      reference: 'of the last hour',
    };
    await world.report(first, [late]);
    expect((await world.read(first)).items).toMatchObject([
      { kind: 'NOT_IN_BOOKS', reference: 'of the last hour' },
    ]);
    expect(await world.sign(first, WHY)).toMatchObject({ type: 'DONE' });
    expect(await world.sign(second, WHY)).toMatchObject({ type: 'DONE' });
    expect(await statuses()).toEqual([
      `${first} REOPENED`,
      `${second} REOPENED`,
      `${first} CLOSED`,
      `${second} CLOSED`,
    ]);
    const third = world.today();
    await world.sleep();
    await world.report(third, []);
    expect((await world.read(third)).figures).toMatchObject({ lineCount: 0, broughtForward: late.amount });
  });

  test('says in its export and in the audit log by whom it was reopened, and why', async () => {
    const { day } = await signedDay();
    const { contentHash } = await world.read(day);
    await reopen(day, 'a file was wrong');
    const rows: ExportRow[] = [];
    const write = (some: readonly ExportRow[]) => void rows.push(...some);
    expect(await exportClose(gateway.engine, { ...ACCOUNT, day, by: 'Ana', write })).toBe(true);
    expect(rows.filter(({ record }) => record === 'REOPENED')).toMatchObject([
      { name: 'contentHash', value: contentHash },
      { name: 'reason', value: 'a file was wrong' },
      { name: 'requestedBy', value: 'Ana' },
      { name: 'approvedBy', value: 'Ben' },
    ]);
    const log = await readAuditLog(gateway.engine, { merchantId: null, countMax: 50 });
    expect(log.find(({ act }) => act === 'DAY_REOPENED')).toMatchObject({
      actor: 'Ben',
      subject: ACCOUNT.provider,
      detail: { day, contentHash },
    });
  });

  test('takes the request for the day after with it when it is reopened', async () => {
    const { day: first } = await signedDay();
    const { day: second } = await payAndReport();
    const asked = await world.request(second, 'Cleo');
    const approvalId = asked.type === 'REQUESTED' ? asked.approvalId : expect.unreachable(asked.type);
    expect(await reopen(first)).toMatchObject({ type: 'DONE' });
    expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'DECIDED_BEFORE' });
    expect((await world.read(second)).obstacles).toEqual(['PREVIOUS_DAY_OPEN']);
    expect((await world.read(second)).facts?.firstOpenDay).toBe(first);
    expect(await world.sign(first)).toMatchObject({ type: 'DONE' });
    expect(await world.sign(second)).toMatchObject({ type: 'DONE' });
  });

  test('is not reopened by SQL without an approval, and its record never changes', async () => {
    const { day } = await signedDay();
    const reopened = `set status = 'REOPENED', reopened_at = now(), reopened_by = gen_random_uuid(),
      reopen_reason = 'x'`;
    await expect(select(gateway, `update day_closes ${reopened}`)).rejects.toThrow('reopened by two people');
    await reopen(day);
    for (const change of [`status = 'CLOSED'`, `reopen_reason = 'y'`, `lines_through = 0`])
      await expect(select(gateway, `update day_closes set ${change}`)).rejects.toThrow();
    await expect(select(gateway, 'delete from day_closes')).rejects.toThrow();
  });
});

describe('M4: a signed day whose books changed afterwards', () => {
  test('is signed again as it is now', async () => {
    const { day: first } = await signedDay();
    const { day: second } = await payAndReport();
    await postBehind(first);
    const stuck = await world.read(second);
    expect(stuck.obstacles).toEqual(['OPENING_DIFFERS']);
    expect(stuck.facts?.openingChange).toBe(francs(777));
    expect(await world.sign(second, WHY)).toMatchObject({ type: 'NOT_POSSIBLE' });
    expect(await reopen(first)).toMatchObject({ type: 'DONE' });
    const again = await world.read(first);
    expect(again.items).toMatchObject([{ kind: 'MISSING_LINE', amount: francs(-777) }]);
    expect(await world.sign(first, WHY)).toMatchObject({ type: 'DONE' });
    expect(await world.read(second)).toMatchObject({
      obstacles: [],
      figures: { broughtForward: francs(-777) },
    });
    expect(await world.sign(second, WHY)).toMatchObject({ type: 'DONE' });
  });

  test('stays as it was signed where the next day is signed with the change', async () => {
    const { day: first } = await signedDay();
    const closing = (await world.read(first)).figures.closing;
    const { day: second } = await payAndReport();
    await postBehind(first);
    expect(await signDespite(second, [])).toMatchObject({
      type: 'NOT_POSSIBLE',
      obstacles: ['OPENING_DIFFERS'],
    });
    expect(await signDespite(second, ['TOO_MANY_DIFFERENCES'])).toMatchObject({ type: 'NOT_POSSIBLE' });
    const without = { ...ACCOUNT, day: second, actor: actorNamed('Ana'), contentHash: null, note: null };
    expect(await requestClose(gateway.engine, { ...without, despite: ['OPENING_DIFFERS'] })).toEqual({
      type: 'NOTE_MISSING',
    });
    expect(await signDespite(second, ['OPENING_DIFFERS'])).toMatchObject({ type: 'DONE' });
    const signed = await world.read(second);
    expect(signed.items).toMatchObject([
      { kind: 'OPENING', amount: 0n, change: francs(777), sinceDay: second, otherDay: first },
    ]);
    expect((await world.read(first)).figures.closing).toBe(closing);
    expect(signed.figures.opening).toBe(closing + francs(777));
    const [approval] = await select(
      gateway,
      `select request from approvals where kind = 'DAY_CLOSE' order by requested_at desc limit 1`,
    );
    expect(approval?.['request']).toMatchObject({
      despite: ['OPENING_DIFFERS'],
      openingChange: '777',
      note: WHY,
    });
    // The day after opens with what was signed, and is zero.
    const third = world.today();
    await world.sleep();
    await world.report(third, []);
    expect(await world.read(third)).toMatchObject({ obstacles: [], items: [] });
    expect(await world.sign(third)).toMatchObject({ type: 'DONE' });
  });
});

const wrongFile = (day: string, like: OperatorReportLine, count: number): readonly OperatorReportLine[] =>
  Array.from({ length: count }, (_, number) => ({
    ...like,
    occurredAt: new Date(startOfDay(day, world.timeZone).getTime() + 3_600_000),
    direction: 'IN' as const,
    reference: `other-${number}`,
    providerTransactionId: `OTHER${number}`,
  }));

describe('M2: the file of another account', () => {
  test('leaves no day open for ever: two people sign in spite of its differences, and the next day too', async () => {
    const { day, lines } = await payAndReport();
    await world.report(day, wrongFile(day, lines[0]!, 5_001));
    const stuck = await world.read(day);
    expect(stuck.obstacles).toEqual(['TOO_MANY_DIFFERENCES']);
    const [wrong, ...others] = stuck.differencesByFile;
    expect(others).toEqual([]);
    expect(wrong).toMatchObject({ source: 'OPERATOR', differenceCount: 5_001, fileName: null });
    expect(await signDespite(day, ['TOO_MANY_DIFFERENCES'])).toMatchObject({ type: 'DONE' });
    const next = world.today();
    await world.sleep();
    await world.report(next, []);
    const carried = await world.read(next);
    expect(carried).toMatchObject({ obstacles: ['TOO_MANY_DIFFERENCES'], differencesByFile: [] });
    expect(await signDespite(next, ['TOO_MANY_DIFFERENCES'])).toMatchObject({ type: 'DONE' });
    // Without it both would have been zero: they are reopened once the file is taken back.
    expect(await reopen(next)).toMatchObject({ type: 'DONE' });
    expect(await reopen(day)).toMatchObject({ type: 'DONE' });
  });
});
