// Money between bank and operators, and what operators charge: posted after another person approved it, so that books,
// operator and bank agree.
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseAmount, renderAmount } from '../src/domain/money.ts';
import { listTrialBalance } from '../src/store/ledger/ledger.ts';
import { runCommandHere } from './command-process.ts';
import { decideAtHost, type Deciding } from './console/asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './console/people.ts';
import { depositRequest, select, type TestGateway } from './gateway.ts';
import { startCompleted } from './payments.ts';
import { serverEnvironment } from './server-process.ts';

const PROVIDER = 'MTN_MOMO_RWA';

let gateway: TestGateway;
let folder: string;
let ana: TestPerson;
let ben: TestPerson;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-float-'));
  gateway = await openTestConsole({ simulator: { openingFloat: '5000' } });
  await startCompleted(gateway, 'deposit', depositRequest());
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
});
afterAll(async () => {
  await gateway.stop();
  await rm(folder, { recursive: true });
});

const run = (...args: readonly string[]) => runCommandHere(serverEnvironment(gateway), args);

const move = (type: string, amount: string, reference: string) =>
  ['float', 'move', '--type', type, '--provider', PROVIDER, '--currency', 'RWF', `--amount=${amount}`].concat(
    '--reference',
    reference,
    '--by',
    'Ana',
  );

const ask = (person: TestPerson, type: string, amount: string, reference: string) =>
  person.call('POST', 'api/host/float-movements', {
    type,
    provider: PROVIDER,
    currency: 'RWF',
    amount,
    reference,
  });

async function openIds(): Promise<readonly string[]> {
  const text = `select approval_id from approvals where kind = 'FLOAT' and status = 'PENDING'
    order by requested_at desc`;
  return (await select<{ approval_id: string }>(gateway, text)).map(({ approval_id: id }) => id);
}

const decide = (person: TestPerson, approvalId: string, what: Deciding) =>
  decideAtHost(gateway, person, approvalId, what);

async function approveLast(person: TestPerson): Promise<number> {
  const [approvalId = ''] = await openIds();
  return (await decide(person, approvalId, 'approve')).status;
}

/** Operator, books, difference, in flight in and out, unexplained. */
async function floats(): Promise<string> {
  return (await run('float', 'list')).output.replace(`${PROVIDER}\tRWF\t`, '').replaceAll('\t', ' ');
}

/** What the operator itself takes from our account there. */
async function chargeAtOperator(amount: string): Promise<void> {
  const connector = gateway.engine.connectors.get('simulator')!;
  const place = { provider: PROVIDER, country: 'RWA', currency: 'RWF', phoneNumber: '250783456789' };
  const order = { reference: randomUUID(), operation: 'PAYOUT', amount: parseAmount(amount)! } as const;
  const texts = { customerMessage: 'charge', notificationUrl: `${gateway.url}/nothing` };
  const { outcome } = await connector.submit({ ...order, ...place, ...texts }, { isOpen: () => true });
  expect(outcome.type).not.toBe('FAILED');
}

async function balanceOf(type: string): Promise<string> {
  const rows = (await listTrialBalance(gateway.engine.store.database)).filter(
    (one) => one.currency === 'RWF',
  );
  expect(rows.reduce((sum, { balance }) => sum + balance, 0n)).toBe(0n);
  return renderAmount(
    rows.filter((one) => one.type === type).reduce((sum, { balance }) => sum + balance, 0n),
  );
}

async function importLines(...lines: readonly string[]): Promise<string> {
  const file = join(folder, `${randomUUID()}.csv`);
  const header = 'time,direction,status,amount,currency,transactionId,movement';
  await writeFile(file, [header, ...lines].join('\n'));
  const { output, errors } = await run(
    'operator-report',
    'import',
    '--provider',
    PROVIDER,
    '--file',
    file,
    '--by',
    'Ghost',
  );
  return `${output}\n${errors}`;
}

describe('A10: float top-ups, withdrawals and charges are posted after another person approved them', () => {
  test('Books and operator agree when what differs was proposed by one person and approved by another.', async () => {
    await chargeAtOperator('25');
    expect(await floats()).toBe('5075 100 4975 0 0 4975');
    const clearing = Number(await balanceOf('CLEARING'));
    expect((await ask(ana, 'FLOAT_TOP_UP', '5000', 'top-1')).body).toEqual({ outcome: 'REQUESTED' });
    expect(await approveLast(ana)).toBe(409);
    expect(await floats()).toBe('5075 100 4975 0 0 4975');
    expect(await approveLast(ben)).toBe(200);
    expect(await floats()).toBe('5075 5100 -25 0 0 -25');
    expect((await ask(ben, 'OPERATOR_CHARGE', '25', 'charge-1')).status).toBe(200);
    expect(await approveLast(ana)).toBe(200);
    expect(await floats()).toBe('5075 5075 0 0 0 0');
    expect([await balanceOf('CHARGE'), Number(await balanceOf('CLEARING'))]).toEqual([
      '-25',
      clearing + 5000,
    ]);
  });

  test('A movement is requested and posted once for each reference of the operator.', async () => {
    await ask(ana, 'FLOAT_WITHDRAWAL', '300', 'out-1');
    expect((await ask(ana, 'FLOAT_WITHDRAWAL', '300', 'OUT-1')).body).toEqual({ outcome: 'REQUESTED' });
    expect(await openIds()).toHaveLength(1);
    const other = await ask(ben, 'FLOAT_WITHDRAWAL', '301', 'out-1');
    expect([other.status, other.body.failureReason?.failureMessage]).toEqual([
      409,
      expect.stringContaining('OUT-1 belongs to another movement: FLOAT_WITHDRAWAL of 300 RWF'),
    ]);
    const [approvalId = ''] = await openIds();
    expect((await decide(ben, approvalId, 'reject')).status).toBe(200);
    await ask(ana, 'FLOAT_WITHDRAWAL', '302', 'out-1');
    const [nextId = ''] = await openIds();
    const answers = await Promise.all(Array.from({ length: 5 }, () => decide(ben, nextId, 'approve')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(4);
    expect((await ask(ana, 'FLOAT_WITHDRAWAL', '302', 'out-1')).status).toBe(409);
    const posted = await select(gateway, `select 1 from transfers where subject_kind = 'FLOAT_WITHDRAWAL'`);
    expect(posted).toHaveLength(1);
  });

  test('In the sandbox a command posts it at once and once, also a charge that is given back.', async () => {
    const before = Number(await balanceOf('CHARGE'));
    expect((await run(...move('OPERATOR_CHARGE', '-15', 'charge-3'))).output).toBe('done');
    expect((await run(...move('OPERATOR_CHARGE', '-15', 'charge-3'))).output).toContain(
      'nothing was moved again',
    );
    expect(Number(await balanceOf('CHARGE'))).toBe(before + 15);
    expect((await run(...move('FLOAT_TOP_UP', '-15', 'top-2'))).errors).toContain('--amount must');
  });

  test('A line of a report under a reference with another amount is listed, and one that cannot be is refused.', async () => {
    const time = '2027-03-02T14:00:00Z';
    await run(...move('OPERATOR_CHARGE', '70', 'charge-5'));
    const told = await importLines(
      `${time},OUT,COMPLETED,70,RWF,charge-5,OPERATOR_CHARGE`,
      `${time},OUT,COMPLETED,71,RWF,charge-5,OPERATOR_CHARGE`,
      `${time},OUT,COMPLETED,72,RWF,charge-6,OPERATOR_CHARGE`,
      `${time},OUT,COMPLETED,73,RWF,top-3,FLOAT_TOP_UP`,
      `${time},IN,FAILED,74,RWF,top-4,FLOAT_TOP_UP`,
    );
    for (const finding of ['AGREES\t1', 'MISMATCHED\t1', 'APPLIED\t1']) expect(told).toContain(finding);
    expect(told).toContain('line 5: direction or amount does not fit the movement');
    expect(told).toContain('line 6: status of a movement must be COMPLETED');
  });

  test('Only people who may move money request it.', async () => {
    const support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
    expect((await ask(support, 'FLOAT_TOP_UP', '1', 'top-5')).status).toBe(403);
    for (const wrong of [
      ask(ana, 'FLOAT_TOP_UP', '-1', 'top-6'),
      ask(ana, 'OPERATOR_CHARGE', '0', 'top-6'),
      ask(ana, 'FLOAT_TOP_UP', '1', '!'),
    ])
      expect((await wrong).status).toBe(400);
  });
});
