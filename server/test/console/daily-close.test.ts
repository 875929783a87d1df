// The daily close through the console: files with a mapping of their columns, a day with its differences, and two
// people who sign it.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperatorReportLine } from '../../src/domain/reconciliation/operator-report.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { takeComparing } from '../../src/store/daily-close/comparisons.ts';
import { inTransaction } from '../../src/store/database.ts';
import { seeIdentity } from '../../src/store/merchants/identities.ts';
import { ACCOUNT, openCloseWorld } from '../daily-close/close-world.ts';
import { depositRequest, select, waitUntil, type TestGateway } from '../gateway.ts';
import { send } from '../payments.ts';
import { wallet } from '../requests.ts';
import { approvalIn, decideAtHost } from './asked.ts';
import { confirmed, openTestConsole, PASSWORD, signedIn, signIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let world: Awaited<ReturnType<typeof openCloseWorld>>;
let ana: TestPerson;
let ben: TestPerson;
let support: TestPerson;
/** The first day, and what the operator moved in it. */
let day: string;
let lines: readonly OperatorReportLine[];

beforeAll(async () => {
  gateway = await openTestConsole();
  [ana, ben] = [await admin(), await admin()];
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
  world = await openCloseWorld(gateway);
  day = world.today();
  await world.pay(8);
  await world.sleep();
  lines = world.takeLines();
});
afterAll(() => gateway.stop());

const admin = async () => confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));

const ALL = 'api/host/daily-closes';
const OF_ACCOUNT = `${ALL}/${ACCOUNT.provider}/${ACCOUNT.currency}`;
const ofDay = (rest = '') => `${OF_ACCOUNT}/days/${day}${rest}`;
const reasonOf = ({ body }: Awaited<ReturnType<TestPerson['call']>>) => body.failureReason.reason?.code;

const MAPPING = {
  columns: {
    time: 'Date',
    direction: 'Type',
    status: 'State',
    amount: 'Value',
    reference: 'Ref',
    transactionId: 'Id',
  },
  timeForm: 'DAY_FIRST',
  decimalMark: 'COMMA',
  words: [
    { column: 'direction', word: 'Cash in', means: 'IN' },
    { column: 'direction', word: 'Cash out', means: 'OUT' },
    { column: 'status', word: 'Success', means: 'COMPLETED' },
    { column: 'status', word: 'Pending', means: 'SKIP' },
  ],
};

/** As the operator writes it, in its own time: Kigali is two hours ahead of UTC. */
function theirLine({
  occurredAt,
  direction,
  amount,
  reference,
  providerTransactionId,
}: OperatorReportLine): string {
  const [date = '', time = ''] = new Date(occurredAt.getTime() + 7_200_000)
    .toISOString()
    .slice(0, 19)
    .split('T');
  const shown = `${date.split('-').toReversed().join('/')} ${time}`;
  const type = direction === 'IN' ? 'Cash in' : 'Cash out';
  return [shown, type, 'Success', `${renderAmount(amount)},00`, reference, providerTransactionId].join(';');
}

const HEADER = 'Date;Type;State;Value;Ref;Id';

const upload = (person: TestPerson, source: 'OPERATOR' | 'BANK', rows: readonly string[]) =>
  person.call('POST', `${OF_ACCOUNT}/uploads`, {
    source,
    fileName: 'report.csv',
    file: Buffer.from(rows.join('\n')).toString('base64'),
    ...(source === 'OPERATOR' && { from: day, to: day }),
  });

const setMapping = (person: TestPerson, mapping: unknown, source = 'OPERATOR') =>
  person.call('PUT', `${OF_ACCOUNT}/mappings/${source}`, { mapping });

const days = async (query: string) => (await support.call('GET', `${OF_ACCOUNT}${query}`)).body;
const readDay = async () => (await support.call('GET', ofDay())).body;
const sign = (person: TestPerson, contentHash: string, note?: string) =>
  person.call('POST', ofDay('/sign'), { contentHash, ...(note !== undefined && { note }) });

test('M9: a day that somebody else compares just now is not waited for', async () => {
  const { database } = gateway.engine.store;
  await inTransaction(database, async (tx) => {
    expect(await takeComparing(tx, ACCOUNT)).toBe(true);
    const [read, signed] = await Promise.all([
      support.call('GET', ofDay()),
      sign(ana, '0'.repeat(64), 'the operator was asked'),
    ]);
    for (const answer of [read, signed])
      expect([answer.status, reasonOf(answer)]).toEqual([409, 'CLOSE_BEING_COMPARED']);
  });
  expect((await support.call('GET', ofDay())).status).toBe(200);
});

test('support and break-glass people look and change nothing; people of a merchant see nothing of it', async () => {
  const { contentHash } = await readDay();
  for (const person of [support, await confirmed(await signedIn(gateway, 'BREAK_GLASS'))]) {
    expect((await person.call('GET', ALL)).body.rows).toMatchObject([
      { ...ACCOUNT, nextDay: day, isLate: false },
    ]);
    for (const path of [OF_ACCOUNT, ofDay(), `${OF_ACCOUNT}/mappings`, `${OF_ACCOUNT}/uploads`])
      expect([path, (await person.call('GET', path)).status]).toEqual([path, 200]);
    expect((await upload(person, 'OPERATOR', [HEADER])).status).toBe(403);
    expect((await setMapping(person, MAPPING)).status).toBe(403);
    expect((await sign(person, contentHash)).status).toBe(403);
  }
  const owner = await confirmed(await signedIn(gateway, 'OWNER'));
  for (const path of [ALL, OF_ACCOUNT, ofDay(), `${OF_ACCOUNT}/mappings`, `${OF_ACCOUNT}/uploads`])
    expect([path, (await owner.call('GET', path)).status]).toEqual([path, 404]);
  expect((await upload(owner, 'OPERATOR', [HEADER])).status).toBe(404);
  expect((await sign(owner, contentHash)).status).toBe(404);
  expect((await owner.call('POST', ofDay('/export'))).status).toBe(404);
});

test('a mapping is checked, kept for its account, and recorded', async () => {
  const withoutTime = { ...MAPPING, columns: { ...MAPPING.columns, time: undefined } };
  expect(reasonOf(await setMapping(ana, withoutTime))).toBe('REPORT_MAPPING_INVALID');
  expect(reasonOf(await setMapping(ana, MAPPING, 'BANK'))).toBe('INVALID_PARAMETER');
  const elsewhere = `${ALL}/AIRTEL_RWA/RWF/mappings/OPERATOR`;
  expect((await ana.call('PUT', elsewhere, { mapping: MAPPING })).status).toBe(404);
  expect((await setMapping(ana, MAPPING)).status).toBe(200);
  const { rows } = (await support.call('GET', `${OF_ACCOUNT}/mappings`)).body;
  expect(rows).toMatchObject([{ source: 'OPERATOR', mapping: MAPPING, setBy: ana.email }]);
  const acts = await select(gateway, `select actor, detail from audit_log where act = 'REPORT_MAPPING_SET'`);
  expect(acts).toMatchObject([{ actor: ana.email, detail: { source: 'OPERATOR', mapping: MAPPING } }]);
});

test('lines that cannot be read are named with what is wrong; the others count, and none counts twice', async () => {
  const rows = lines.map(theirLine);
  const [first = '', second = '', ...rest] = rows;
  const bad = [
    HEADER,
    first.replace(',00;', ',0x;'),
    `${second};`,
    ...rest,
    first.replace('Success', 'Pending'),
  ];
  const uploaded = (await upload(ana, 'OPERATOR', bad)).body;
  expect(uploaded).toMatchObject({
    status: 'DONE',
    linesDone: rest.length,
    faultCount: 2,
    uploadedBy: ana.email,
  });
  expect(uploaded.faults).toEqual([
    { line: 2, code: 'AMOUNT_INVALID', column: '' },
    { line: 3, code: 'CELL_COUNT', column: '' },
  ]);
  const open = await readDay();
  const missing = lines.slice(0, 2).map(({ reference }) => String(reference));
  expect(open.differences.map((one: { reference: string }) => one.reference).toSorted()).toEqual(
    missing.toSorted(),
  );
  const payments = await select(
    gateway,
    'select payment_id from payment_attempts where reference = any($1)',
    [missing],
  );
  expect(
    open.differences.map((one: { payment: { paymentId: string } }) => one.payment.paymentId).toSorted(),
  ).toEqual(payments.map((one) => String(one['payment_id'])).toSorted());
  expect(open).toMatchObject({
    needsNote: true,
    figures: { unreadableLineCount: 2 },
    files: [{ faultCount: 2 }],
  });

  const other = (await upload(ana, 'OPERATOR', ['Time;Type', 'x;y'])).body;
  expect(other).toMatchObject({
    status: 'FAILED',
    faults: [{ line: 1, code: 'COLUMN_MISSING', column: 'Date' }],
  });
  expect(
    reasonOf(
      await ana.call('POST', `${OF_ACCOUNT}/uploads`, { source: 'OPERATOR', fileName: 'x', file: '' }),
    ),
  ).toBe('INVALID_PARAMETER');

  expect((await upload(ben, 'OPERATOR', [HEADER, ...rows])).body).toMatchObject({
    status: 'DONE',
    faultCount: 0,
  });
  const whole = await readDay();
  expect(whole).toMatchObject({ differences: [], obstacles: [], needsNote: false, status: 'OPEN' });
  expect(whole.figures).toMatchObject({
    movementCount: 8,
    lineCount: 8,
    unexplained: '0',
    unreadableLineCount: 0,
  });
  const uploads = (await support.call('GET', `${OF_ACCOUNT}/uploads`)).body.rows;
  expect(uploads.map((one: { status: string }) => one.status).toSorted()).toEqual(['DONE', 'DONE', 'FAILED']);
});

test('a bank file has our own columns where no mapping is set', async () => {
  const bank = ['time,direction,amount,reference', `${day},OUT,5000,BANK-1`, `${day},AWAY,1,BANK-2`];
  expect((await upload(ana, 'BANK', bank)).body).toMatchObject({
    linesDone: 1,
    faults: [{ line: 3, code: 'DIRECTION_INVALID', column: '' }],
  });
  const { figures, differences } = await readDay();
  expect(figures).toMatchObject({ bankReceived: '5000', bankUnexplained: '5000', bankLineCount: 1 });
  expect(differences).toMatchObject([{ kind: 'BANK_NOT_IN_BOOKS', reference: 'BANK-1', payment: null }]);
});

test('one person alone does not sign a day, with no account that is known to be theirs; two people do', async () => {
  const { contentHash } = await readDay();
  const note = 'the bank was asked';
  expect(reasonOf(await sign(ana, contentHash))).toBe('CLOSE_NOTE_MISSING');
  expect(reasonOf(await sign(ana, '0'.repeat(64), note))).toBe('CLOSE_CHANGED');
  const { approvalId } = (await sign(ana, contentHash, note)).body;
  expect(reasonOf(await sign(ben, contentHash, note))).toBe('CLOSE_REQUESTED');
  expect(await readDay()).toMatchObject({
    status: 'REQUESTED',
    approval: { approvalId, requestedBy: ana.email },
  });
  // Another account of hers, at which the identity provider knows her address.
  const again = await admin();
  const identity = { subject: 'https://id.example ana', email: ana.email };
  await seeIdentity(gateway.engine.store.database, again.personId, identity, new Date());
  for (const person of [ana, again])
    expect(reasonOf(await decideAtHost(gateway, person, approvalId))).toBe('APPROVAL_OWN');
  expect((await decideAtHost(gateway, support, approvalId)).status).toBe(403);
  const shown = { unexplained: '0', bankUnexplained: '5000', differenceCount: '1', contentHash, note };
  expect((await readDay()).approval.details).toMatchObject(shown);
  expect(await readDay()).toMatchObject({ status: 'REQUESTED' });
  expect((await decideAtHost(gateway, ben, approvalId)).status).toBe(200);
  expect(await readDay()).toMatchObject({
    status: 'CLOSED',
    note,
    approval: { decision: { by: ben.email } },
  });
  const entries = await select(gateway, `select detail from audit_log where act = 'DAY_CLOSED'`);
  expect(entries).toMatchObject([{ detail: { unexplained: '0', bankUnexplained: '5000', contentHash } }]);
  expect(reasonOf(await sign(ana, contentHash, note))).toBe('CLOSE_SIGNED');
});

test('days are listed with what was signed, and a day that is not signed in time is late', async () => {
  for (const _ of [1, 2, 3]) await world.sleep();
  const { rows, account, next } = await days('?limit=4');
  expect(rows.map((one: { status: string; isLate: boolean }) => [one.status, one.isLate])).toEqual([
    ['OPEN', false],
    ['OPEN', false],
    ['OPEN', false],
    ['OPEN', true],
  ]);
  expect(account).toMatchObject({ lastDay: day, isLate: true });
  const signed = { day, status: 'CLOSED', isLate: false, unexplained: '0', differenceCount: 1 };
  expect(await days(`?cursor=${next}`)).toMatchObject({ rows: [signed], next: null });
});

test('the export has every line, the files and both signatures, and names who exported', async () => {
  const cookie = await signIn(gateway, { email: support.email, password: PASSWORD });
  const exported = await fetch(`${gateway.url}/console/${ofDay('/export')}`, {
    method: 'POST',
    headers: { cookie, origin: gateway.url },
  });
  expect([exported.status, exported.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8']);
  const rows = (await exported.text()).split('\r\n');
  const countOf = (record: string) => rows.filter((row) => row.startsWith(`${record},`)).length;
  expect(['MOVEMENT', 'OPERATOR_LINE', 'BANK_LINE', 'SIGNATURE'].map(countOf)).toEqual([8, 8, 1, 2]);
  expect(rows).toContain('COUNT,unreadableLineCount,1,,,,,,,,');
  const acts = await select(gateway, `select actor from audit_log where act = 'DAY_CLOSE_EXPORTED'`);
  expect(acts).toEqual([{ actor: support.email }]);
});

test('a file that ends a payment is approved by somebody who neither uploaded it nor set its columns', async () => {
  const deposit = depositRequest({ payer: wallet(ACCOUNT.provider, '250783456129') });
  await send(gateway, 'deposit', deposit);
  const read = async (text: string) => (await select(gateway, text, [deposit['depositId']]))[0];
  const sent = 'select reference from payment_attempts where payment_id = $1 and send_count > 0';
  await waitUntil(async () => (await read(sent)) !== undefined);
  const line = theirLine({
    ...lines[0]!,
    direction: 'IN',
    amount: 1_000_000n,
    reference: (await read(sent))!['reference'],
    providerTransactionId: 'MP-FOUND-1',
  });
  expect((await upload(ben, 'OPERATOR', [HEADER, line])).body).toMatchObject({
    status: 'DONE',
    faultCount: 0,
  });
  const approvalId = await approvalIn(gateway, ben, 'OPERATOR_REPORT');
  expect(reasonOf(await decideAtHost(gateway, ben, approvalId))).toBe('APPROVAL_OWN');
  expect(reasonOf(await decideAtHost(gateway, ana, approvalId))).toBe('APPROVAL_COLUMNS_OWN');
  expect((await decideAtHost(gateway, await admin(), approvalId)).status).toBe(200);
  expect(await read('select state from payments where payment_id = $1')).toEqual({ state: 'COMPLETED' });
});
