// A report that was uploaded with wrong columns: it is refused, shown beside our payments, and imported all the same
// only by two people of whom neither approves their own columns.
import { afterAll, beforeAll, expect, test } from 'vitest';
import { renderAmount } from '../../src/domain/money.ts';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { ACCOUNT, openCloseWorld } from '../daily-close/close-world.ts';
import { select, type TestGateway } from '../gateway.ts';
import { approvalIn, decideAtHost } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let cleo: TestPerson;
let day: string;
let lines: readonly OperatorReportLine[];

beforeAll(async () => {
  gateway = await openTestConsole();
  const admin = async () => confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  [ana, ben, cleo] = [await admin(), await admin(), await admin()];
  const world = await openCloseWorld(gateway);
  day = world.today();
  await world.pay(24);
  await world.sleep();
  lines = world.takeLines();
});
afterAll(() => gateway.stop());

const OF_ACCOUNT = `api/host/daily-closes/${ACCOUNT.provider}/${ACCOUNT.currency}`;
const reasonOf = ({ body }: Awaited<ReturnType<TestPerson['call']>>) => body.failureReason.reason?.code;

const MAPPING = {
  columns: {
    time: 'time',
    direction: 'way',
    status: 'state',
    amount: 'value',
    reference: 'ref',
    transactionId: 'id',
  },
  timeForm: 'ISO',
  decimalMark: 'COMMA',
  words: [],
};

/** The operator writes "100,000" for a hundred. */
const file = () =>
  [
    'time;way;state;value;ref;id',
    ...lines.map((line) =>
      [
        line.occurredAt.toISOString(),
        line.direction,
        line.status,
        `${renderAmount(line.amount)},000`,
        line.reference,
        line.providerTransactionId,
      ].join(';'),
    ),
  ].join('\n');

const upload = (person: TestPerson) =>
  person.call('POST', `${OF_ACCOUNT}/uploads`, {
    source: 'OPERATOR',
    fileName: 'report.csv',
    file: Buffer.from(file()).toString('base64'),
    from: day,
    to: day,
  });
const setMapping = (mapping: unknown) => cleo.call('PUT', `${OF_ACCOUNT}/mappings/OPERATOR`, { mapping });

const ourLines = () => select(gateway, 'select 1 from operator_report_lines');

test('an upload that was read wrongly has no effect, and shows lines beside our payments', async () => {
  expect((await setMapping({ ...MAPPING, decimalMark: 'POINT' })).status).toBe(200);
  const { body } = await upload(ana);
  expect(body).toMatchObject({ status: 'REFUSED', linesDone: 0, faultCount: 0 });
  expect(await ourLines()).toEqual([]);
  const path = `api/host/operator-reports/${body.fileId}/reading`;
  const shown = (await ben.call('GET', path)).body;
  expect(shown).toMatchObject({ status: 'REFUSED', knownCount: 24, differingCount: 24 });
  expect(shown.rows).toHaveLength(3);
  for (const { line, payment } of shown.rows) expect(line.amount).toBe(`${payment.amount}000`);

  expect((await ana.call('POST', path, { reason: 'It is right.' })).status).toBe(200);
  expect(reasonOf(await ana.call('POST', path, { reason: 'It is right.' }))).toBe('REPORT_READING_REQUESTED');
  const approvalId = await approvalIn(gateway, ana, 'REPORT_READING');
  expect((await decideAtHost(gateway, ana, approvalId, 'approve')).status).toBe(409);
  expect(reasonOf(await decideAtHost(gateway, cleo, approvalId, 'approve'))).toBe('APPROVAL_COLUMNS_OWN');
  expect((await decideAtHost(gateway, ben, approvalId, 'approve')).status).toBe(200);
  expect((await ben.call('GET', path)).body).toMatchObject({ status: 'ACCEPTED' });
  expect(reasonOf(await ana.call('POST', path, { reason: 'It is right.' }))).toBe('REPORT_NOT_REFUSED');
  expect(await ourLines()).toEqual([]);
});

test('with the right columns the same file is imported, agrees, and nothing of the refusal is left', async () => {
  expect((await setMapping(MAPPING)).status).toBe(200);
  const { body } = await upload(ana);
  expect(body).toMatchObject({ status: 'DONE', linesDone: lines.length });
  const findings = await select(gateway, 'select distinct finding from operator_report_lines');
  expect(findings).toEqual([{ finding: 'AGREES' }]);
  expect((await ben.call('GET', `api/host/operator-reports/${body.fileId}/reading`)).status).toBe(404);
});
