// Both sides of a day are compared once for everyone who looks at it, requests its signature and approves it. What was
// kept of that is used only for exactly what was compared.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BeingCompared, withPatience } from '../../src/core/daily-close/compare-once.ts';
import { readClose } from '../../src/core/daily-close/read-close.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { startOfDay } from '../../src/domain/time-zone.ts';
import { takeComparing } from '../../src/store/daily-close/comparisons.ts';
import { inTransaction } from '../../src/store/database.ts';
import { decideAs } from '../approvals.ts';
import { openTestGateway, select, type TestGateway } from '../gateway.ts';
import { ACCOUNT, francs, openCloseWorld } from './close-world.ts';

let gateway: TestGateway;
let world: Awaited<ReturnType<typeof openCloseWorld>>;
let day: string;
let lines: readonly OperatorReportLine[];
const unknown = (): OperatorReportLine => ({
  ...lines[0]!,
  reference: 'of nobody',
  providerTransactionId: 'NOBODY-1',
});

beforeAll(async () => {
  gateway = await openTestGateway();
  world = await openCloseWorld(gateway);
  day = world.today();
  await world.pay(8);
  await world.sleep();
  lines = world.takeLines();
  await world.report(day, [...lines.slice(1), unknown()]);
});
afterAll(() => gateway.stop());

const WHY = 'the operator was asked';

async function request(): Promise<string> {
  const answer = await world.request(day, 'Ana', WHY);
  return answer.type === 'REQUESTED' ? answer.approvalId : expect.unreachable(answer.type);
}

/** The kept comparison, and which version of its row it is. */
const kept = () =>
  select(
    gateway,
    'select day, basis, compared_at, xmin::text as version from day_comparisons where day = $1',
    [day],
  );

const forget = () => select(gateway, 'delete from day_comparisons');

/** What comparing it anew gives. */
async function readAnew() {
  await forget();
  return world.read(day);
}

const changes: Readonly<Record<string, () => Promise<unknown>>> = {
  'a posting comes into the day': () =>
    select(
      gateway,
      `insert into transfers (merchant_id, subject_kind, subject_id, leg_no, template, debit_account_id,
         credit_account_id, amount, state, created_at)
       select t.merchant_id, 'ADJUSTMENT', gen_random_uuid(), 0, t.template, t.debit_account_id, t.credit_account_id,
         777, 'POSTED', $1 from transfers t join accounts a on a.account_id = t.debit_account_id
       where a.type = 'FLOAT' and t.state = 'POSTED' limit 1`,
      [new Date(startOfDay(day, world.timeZone).getTime() + 12 * 3_600_000)],
    ),
  'a line comes as often as the operator moved it': () =>
    select(
      gateway,
      `update operator_report_lines set times = 2 where line_hash = (
         select line_hash from operator_report_lines where payment_id is not null order by entry_no limit 1)`,
    ),
  'lines of a file no longer count': () =>
    select(
      gateway,
      `update operator_report_lines set counts = false where line_hash = (
         select line_hash from operator_report_lines where payment_id is not null and times = 1
         order by entry_no limit 1)`,
    ),
  'a line is found to be about another payment': () =>
    select(
      gateway,
      `update operator_report_lines set payment_id = (
           select payment_id from operator_report_lines where payment_id is not null order by entry_no desc limit 1)
       where line_hash = (select line_hash from operator_report_lines where payment_id is not null and times = 1
         and counts order by entry_no limit 1)`,
    ),
  'what a line says is erased': () =>
    select(
      gateway,
      `update operator_report_lines set encrypted_line = null where line_hash = (
         select line_hash from operator_report_lines where payment_id is null order by entry_no limit 1)`,
    ),
};

describe('M9: a day', () => {
  test('is compared once for a look, a request and an approval, and not kept when it is signed', async () => {
    const seen = await world.read(day);
    const [first] = await kept();
    const approvalId = await request();
    expect((await world.read(day)).contentHash).toBe(seen.contentHash);
    expect(await kept()).toEqual([first]);
    // What is read is what was kept: nothing was compared again.
    await select(
      gateway,
      `update day_comparisons set result = jsonb_set(result, '{sums,received}', '"12345"') where day = $1`,
      [day],
    );
    // What was requested stays, whatever is kept.
    expect((await world.read(day)).figures).toEqual(seen.figures);
    await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
    expect((await world.read(day)).figures.received).toBe(francs(12_345));
    expect(await readAnew()).toMatchObject({ figures: seen.figures, contentHash: seen.contentHash });
  });

  test.for(Object.entries(changes))(
    'is not signed where %s between the comparison and the approval',
    async ([, change]) => {
      const before = await world.read(day);
      const approvalId = await request();
      await change();
      expect(await decideAs(gateway.engine, 'Ben', approvalId)).toMatchObject({ type: 'NOT_EXECUTED' });
      const { contentHash: requestedHash } = before;
      expect(await world.read(day)).toMatchObject({
        status: 'REQUESTED',
        isChanged: true,
        contentHash: requestedHash,
      });
      await decideAs(gateway.engine, 'Ben', approvalId, 'reject');
      const now = await world.read(day);
      expect(now.contentHash).not.toBe(requestedHash);
      const { items, figures, contentHash } = await readAnew();
      expect(now).toMatchObject({ items, figures, contentHash });
    },
  );

  test('is compared by one at a time: who cannot wait is told, and who can finds it compared', async () => {
    const { engine } = gateway;
    await forget();
    const name = { ...ACCOUNT, day };
    const { patient } = await inTransaction(engine.store.database, async (tx) => {
      expect(await takeComparing(tx, ACCOUNT)).toBe(true);
      const impatient = withPatience(50, (comparing) => readClose(engine, name, comparing));
      await expect(impatient).rejects.toThrow(BeingCompared);
      // In an object, so that this transaction does not wait for it.
      return { patient: readClose(engine, name) };
    });
    expect(await patient).toMatchObject({ day, status: 'OPEN' });
    expect(await kept()).toHaveLength(1);
  });

  test('goes on being compared where its asker has given up, and is there for the next one', async () => {
    const { engine } = gateway;
    await forget();
    const name = { ...ACCOUNT, day };
    let finished: Promise<unknown> = Promise.resolve();
    const asked = withPatience(0, (comparing) => {
      const begun = { ...comparing.impatience!, onBegin: () => comparing.impatience?.onBegin() };
      finished = readClose(engine, name, { impatience: begun });
      // Longer than any patience, and only once it has begun.
      return finished.then(() => new Promise<never>(() => undefined));
    });
    await expect(asked).rejects.toThrow(BeingCompared);
    await finished;
    const [row] = await kept();
    await world.read(day);
    expect(await kept()).toEqual([row]);
  });

  test('is signed with what was kept, and forgotten then', async () => {
    expect(await decideAs(gateway.engine, 'Ben', await request())).toMatchObject({ type: 'DONE' });
    expect(await kept()).toEqual([]);
  });
});
