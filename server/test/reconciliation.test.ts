// Payments whose operator says nothing clear: asked seldom, compared with its report, ended by a person. Everything
// by running the commands.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readAuditLog } from '../src/core/audit.ts';
import { readCases } from '../src/core/reconciliation/resolve-cases.ts';
import { renderAmount, type Amount } from '../src/domain/money.ts';
import { listTrialBalance, listUnbalancedWallets } from '../src/store/ledger/ledger.ts';
import { resolveCase } from './approvals.ts';
import { runCommandHere } from './command-process.ts';
import { depositRequest, eventually, openTestGateway, select, type TestGateway } from './gateway.ts';
import { callbacksAbout, readPayment, start, startCompleted, waitForPayment, type Noun } from './payments.ts';
import { payoutRequest, wallet, type Body } from './requests.ts';
import { serverEnvironment } from './server-process.ts';

const PROVIDER = 'MTN_MOMO_RWA';
const HOUR_MS = 3_600_000;
const HEADER = 'time,direction,status,amount,currency,reference,transactionId,phoneNumber,failureCode';

let gateway: TestGateway;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'malipo-report-'));
  gateway = await openTestGateway({
    simulator: { outcomeDelayMs: 50 },
    timing: { enquiryDelaysMs: [50], horizonMs: 150, reconciliationDelayMs: 100 * HOUR_MS },
  });
});
afterEach(async () => {
  await expectSoundBooks();
  await gateway.stop();
  await rm(folder, { recursive: true });
});

async function expectSoundBooks(): Promise<void> {
  const { database } = gateway.engine.store;
  const totals = new Map<string, Amount>();
  for (const { currency, balance } of await listTrialBalance(database)) {
    totals.set(currency, (totals.get(currency) ?? 0n) + balance);
  }
  expect([...totals].filter(([, total]) => total !== 0n)).toEqual([]);
  expect(await listUnbalancedWallets(database)).toEqual([]);
}

/** What the accounts of Rwandan francs hold, by type: credits less debits, and only what is not zero. */
async function books(): Promise<Record<string, string>> {
  const rows = (await listTrialBalance(gateway.engine.store.database)).filter(
    ({ currency, type, balance }) => currency === 'RWF' && type !== 'CLEARING' && balance !== 0n,
  );
  return Object.fromEntries(rows.map(({ type, balance }) => [type, renderAmount(balance)]));
}

const run = (...args: readonly string[]) => runCommandHere(serverEnvironment(gateway), args);

async function did(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await run(...args);
  expect({ code, errors }).toEqual({ code: 0, errors: '' });
  return output;
}

async function refused(...args: readonly string[]): Promise<string> {
  const { code, output, errors } = await run(...args);
  expect({ code, output }).toEqual({ code: 1, output: '' });
  return errors;
}

function ofPayment(command: string, noun: Noun, id: string): readonly string[] {
  return [
    ...command.split(' '),
    '--merchant',
    gateway.merchantId,
    '--kind',
    noun.toUpperCase(),
    '--payment',
    id,
  ];
}

/** A payment that its operator leaves open until its time is over. */
async function startUnclear(noun: Noun, request: Body): Promise<string> {
  gateway.simulator.addFault({ type: 'OUTCOME', status: 'PENDING' });
  const id = await start(gateway, noun, request);
  await waitForPayment(gateway, noun, id, 'IN_RECONCILIATION');
  return id;
}

async function referenceOf(id: string): Promise<string> {
  const [row] = await select(gateway, 'select reference from payment_attempts where payment_id = $1', [id]);
  return row!['reference'];
}

async function transactionOf(id: string): Promise<string> {
  const text = 'select provider_transaction_id as id from payments where payment_id = $1';
  return (await select(gateway, text, [id]))[0]!['id'];
}

const WHY = ['--reason', 'letter of 3 March', '--by', 'Ana'];

/** The words that end a deposit as COMPLETED. */
function end(id: string, transaction: string): readonly string[] {
  const order = [
    ...ofPayment('payment end', 'deposit', id),
    '--as',
    'COMPLETED',
    '--transaction',
    transaction,
  ];
  return [...order, ...WHY];
}

describe('a payment in reconciliation is ended manually', () => {
  test('COMPLETED: it settles, the merchant is told, and who and why are kept', async () => {
    const id = await startUnclear('deposit', depositRequest());
    expect(await did(...end(id, 'T-1'))).toBe('COMPLETED');
    expect(await readPayment(gateway, 'deposit', id)).toMatchObject({
      status: 'COMPLETED',
      providerTransactionId: 'T-1',
    });
    expect(await books()).toEqual({ FLOAT: '-100', WALLET: '1000100' });
    await eventually(() => callbacksAbout(gateway, 'deposit', id).map(({ status }) => status)).toEqual([
      'COMPLETED',
    ]);
    const [entry] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(entry).toMatchObject({
      actor: 'Ana',
      act: 'PAYMENT_ENDED',
      subject: id,
      detail: { kind: 'DEPOSIT', outcome: 'COMPLETED', providerTransactionId: 'T-1' },
      reason: 'letter of 3 March',
    });
    const shown = await did(...ofPayment('payment show', 'deposit', id), '--by', 'Ben');
    expect(shown).toMatch(
      /ENDED_MANUALLY COMPLETED: IN_RECONCILIATION -> COMPLETED\n +Ana: letter of 3 March/,
    );
    expect(await refused(...end(id, 'T-1'))).toContain('The payment is COMPLETED');
  });

  test('FAILED: what it held is free again, and the merchant is told the reason', async () => {
    const id = await startUnclear('payout', payoutRequest());
    const order = [...ofPayment('payment end', 'payout', id), '--as', 'FAILED'];
    expect(await did(...order, '--failure-code', 'RECIPIENT_NOT_FOUND', ...WHY)).toBe('FAILED');
    expect(await readPayment(gateway, 'payout', id)).toMatchObject({
      status: 'FAILED',
      failureReason: { failureCode: 'RECIPIENT_NOT_FOUND' },
    });
    expect(await books()).toEqual({ WALLET: '1000000' });
    expect(await did('wallet', 'list', '--merchant', gateway.merchantId)).toContain('RWA RWF\t1000000\t0');
    await eventually(() => callbacksAbout(gateway, 'payout', id).length).toBe(1);
  });

  test('not while its operator has time, nor with a transaction that is another payment’s', async () => {
    const done = await startCompleted(gateway, 'deposit', depositRequest());
    const unclear = await startUnclear('deposit', depositRequest());
    expect(await refused(...end(unclear, await transactionOf(done)))).toContain('belongs to another payment');
    expect((await readPayment(gateway, 'deposit', unclear))['status']).toBe('IN_RECONCILIATION');
    expect(await readCases(gateway.engine, { onlyOpen: true })).toEqual([]);
    // What is refused claims nothing: the transaction is free for the payment it belongs to.
    expect(await refused(...end(done, 'T-2'))).toContain('The payment is COMPLETED');
    expect(await did(...end(unclear, 'T-2'))).toBe('COMPLETED');
    expect(await refused(...end('00000000-0000-4000-8000-000000000000', 'T-3'))).toContain('no such payment');
  });

  test('the operator is asked once more, and what it says clearly counts', async () => {
    gateway.simulator.addFault({ type: 'OUTCOME', status: 'SUCCESSFUL', delayMs: HOUR_MS });
    gateway.simulator.addFault({ type: 'NO_NOTIFICATION' });
    const id = await start(gateway, 'payout', payoutRequest());
    await waitForPayment(gateway, 'payout', id, 'IN_RECONCILIATION');
    await gateway.gateway.movableClock!.move(2 * HOUR_MS);
    const order = [...ofPayment('payment end', 'payout', id), '--as', 'FAILED'];
    expect(await refused(...order, ...WHY)).toContain('The operator now reports COMPLETED');
    expect(await books()).toEqual({ FLOAT: '100', WALLET: '999900' });
  });

  test('its discrepancy can be resolved then', async () => {
    gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '90' });
    const id = await start(gateway, 'deposit', depositRequest());
    await waitForPayment(gateway, 'deposit', id, 'IN_RECONCILIATION');
    const [found] = await readCases(gateway.engine, { onlyOpen: true });
    const { caseId } = found!;
    const proposal = {
      caseId,
      resolution: 'RECOVER_FROM_MERCHANT',
      reason: 'fee',
      amount: 100_000n,
    } as const;
    expect(await resolveCase(gateway.engine, proposal)).toEqual({ type: 'PAYMENT_NOT_FINAL' });
    const listed = await did('reconciliation', 'list', '--provider', PROVIDER);
    expect(listed).toContain(`\tDEPOSIT\t${id}\t${PROVIDER}\t100 RWF\t${gateway.merchantId}\n`);
    expect(listed).toMatch(/last answer of the operator UNKNOWN AMOUNT_DIFFERS.*open case DISCREPANCY/);
    await did(...end(id, 'T-9'));
    expect(await did('reconciliation', 'list')).toBe('');
    expect(await resolveCase(gateway.engine, proposal)).toMatchObject({ type: 'DONE' });
    expect(await books()).toEqual({ FLOAT: '-90', WALLET: '1000090' });
  });
});

const now = () => gateway.engine.clock.now().toISOString();

async function importLines(lines: readonly string[], ...options: readonly string[]) {
  const file = join(folder, 'report.csv');
  await writeFile(file, [HEADER, ...lines, ''].join('\n'));
  return run('operator-report', 'import', '--provider', PROVIDER, '--file', file, '--by', 'Ana', ...options);
}

/** The day around now. */
function today(): readonly string[] {
  const time = gateway.engine.clock.now().getTime();
  const at = (ms: number) => new Date(time + ms).toISOString();
  return ['--from', at(-12 * HOUR_MS), '--to', at(12 * HOUR_MS)];
}

/** How many rows there are of everything that a report could change. */
async function traces(): Promise<Record<string, number>> {
  const tables = ['payment_events', 'transfers', 'cases', 'callbacks', 'provider_transactions'];
  const kept = [...tables, 'operator_reports', 'operator_report_lines', 'audit_log'];
  const rows = await Promise.all(
    kept.map((table) => select(gateway, `select count(*)::int as n from ${table}`)),
  );
  return Object.fromEntries(kept.map((table, index) => [table, rows[index]![0]!['n']]));
}

describe('a report', () => {
  test('a report ends what is open, agrees with what is known, and the second time changes nothing', async () => {
    const unclear = await startUnclear('deposit', depositRequest());
    const sent = await startUnclear('payout', payoutRequest());
    const failed = await startUnclear('payout', payoutRequest());
    const done = await startCompleted(gateway, 'deposit', depositRequest());
    const lines = [
      `${now()},IN,COMPLETED,100,RWF,${await referenceOf(unclear)},S-1,250783456789,`,
      `${now()},OUT,COMPLETED,100.00,RWF,${await referenceOf(sent)},S-2,,`,
      `${now()},OUT,FAILED,100,RWF,${await referenceOf(failed)},,,RECIPIENT_NOT_FOUND`,
      `${now()},IN,COMPLETED,100,RWF,,${await transactionOf(done)},,`,
    ];
    const { code, output, errors } = await importLines(lines);
    expect({ code, errors }).toEqual({ code: 0, errors: '' });
    expect(output.split('\n').slice(1)).toEqual([
      '4 lines: 4 compared now, 0 compared before, 0 not readable',
      'AGREES\t1',
      'APPLIED\t3',
    ]);
    expect(await readPayment(gateway, 'deposit', unclear)).toMatchObject({
      status: 'COMPLETED',
      providerTransactionId: 'S-1',
    });
    expect((await readPayment(gateway, 'payout', sent))['status']).toBe('COMPLETED');
    expect(await readPayment(gateway, 'payout', failed)).toMatchObject({
      failureReason: { failureCode: 'RECIPIENT_NOT_FOUND' },
    });
    await eventually(() => callbacksAbout(gateway, 'deposit', unclear).length).toBe(1);
    expect(await books()).toEqual({ FLOAT: '-100', WALLET: '1000100' });
    const before = await traces();
    const again = await importLines(lines);
    expect(again.output.split('\n')[0]).toContain('imported before');
    expect(again.output).toContain('4 lines: 0 compared now, 4 compared before, 0 not readable');
    // The same lines in another file are the same lines: only the file is new.
    expect((await importLines(lines.toReversed())).output).toContain(
      '4 lines: 0 compared now, 4 compared before',
    );
    expect(await traces()).toEqual({
      ...before,
      operator_reports: 2,
      audit_log: before['audit_log']! + 1,
    });
  });

  test('a report that contradicts opens the cases an authentic message would, and never changes an end', async () => {
    const differing = await startUnclear('deposit', depositRequest());
    const refusedOne = depositRequest({ payer: wallet(PROVIDER, '250783456039') });
    const failed = await start(gateway, 'deposit', refusedOne);
    await waitForPayment(gateway, 'deposit', failed, 'FAILED');
    const done = await startCompleted(gateway, 'deposit', depositRequest());
    const other = await startCompleted(gateway, 'deposit', depositRequest());
    const { code, output } = await importLines([
      `${now()},IN,COMPLETED,90,RWF,${await referenceOf(differing)},S-1,,`,
      `${now()},IN,COMPLETED,100,RWF,${await referenceOf(failed)},S-2,,`,
      `${now()},IN,COMPLETED,100,RWF,${await referenceOf(done)},S-3,,`,
      `${now()},IN,FAILED,100,RWF,${await referenceOf(other)},,,`,
    ]);
    expect(code).toBe(0);
    expect(output).toContain('CASE\t3\nUNCONFIRMED\t1\n');
    const cases = await readCases(gateway.engine, { onlyOpen: true });
    expect(Object.fromEntries(cases.map(({ paymentId, evidence }) => [paymentId, evidence]))).toEqual({
      [differing]: 'DISCREPANCY',
      [failed]: 'LATE_SUCCESS',
      [done]: 'DISCREPANCY',
    });
    const states = [differing, failed, done, other].map(
      async (id) => (await readPayment(gateway, 'deposit', id))['status'],
    );
    expect(await Promise.all(states)).toEqual(['IN_RECONCILIATION', 'FAILED', 'COMPLETED', 'COMPLETED']);
    const shown = await did(...ofPayment('payment show', 'deposit', differing), '--by', 'Ben');
    expect(shown).toMatch(/operator report, line 2: CASE\n +\{"amount":"90"/);
    expect(shown).toMatch(/case \S+ DISCREPANCY, open\n +report of MTN_MOMO_RWA, line 2/);
  });

  test('A5: reports a case only while it is open, and a further transaction as a case of its own', async () => {
    const done = await startCompleted(gateway, 'payout', payoutRequest());
    const reference = await referenceOf(done);
    const line = (transaction: string) => `${now()},OUT,COMPLETED,100,RWF,${reference},${transaction},,`;
    const lines = [line('S-2')];
    expect((await importLines(lines)).output).toMatch(/\nCASE\t1\nline 2\tCASE\t/);
    const [second] = await readCases(gateway.engine, { onlyOpen: true });
    const proposal = { resolution: 'WRITE_OFF', reason: 'paid twice', amount: 1_000_000n } as const;
    await resolveCase(gateway.engine, { caseId: second!.caseId, ...proposal });
    expect((await importLines(lines)).output.split('\n').slice(1)).toEqual([
      '1 lines: 0 compared now, 1 compared before, 0 not readable',
      'RESOLVED\t1',
    ]);
    const { output } = await importLines([...lines, line('S-3')]);
    expect(output.split('\n').slice(1, 4)).toEqual([
      '2 lines: 1 compared now, 1 compared before, 0 not readable',
      'CASE\t1',
      expect.stringMatching(/^line 3\tCASE\t.*"providerTransactionId":"S-3"/),
    ]);
    expect(await readCases(gateway.engine, { onlyOpen: true })).toMatchObject([
      { paymentId: done, providerTransactionId: 'S-3' },
    ]);
    expect(await did('case', 'list', '--open')).toContain('transaction S-3');
  });

  test('a report leaves for a person what is not ours, what does not fit, and what it should contain and does not', async () => {
    const unclear = await startUnclear('payout', payoutRequest());
    const done = await startCompleted(gateway, 'deposit', depositRequest());
    const reversed = await startCompleted(gateway, 'deposit', depositRequest());
    const lines = [
      `${now()},IN,COMPLETED,55,RWF,,S-77,250783456789,`,
      `${now()},OUT,COMPLETED,100,RWF,${await referenceOf(reversed)},S-78,,`,
    ];
    await gateway.gateway.movableClock!.move(1_000);
    const { output } = await importLines(lines, ...today());
    const [, , ...report] = output.split('\n');
    expect(report.slice(0, 4)).toEqual([
      'MISMATCHED\t1',
      'UNKNOWN\t1',
      expect.stringMatching(/^line 2\tUNKNOWN\t.*"providerTransactionId":"S-77"/),
      expect.stringMatching(/^line 3\tMISMATCHED\t/),
    ]);
    const missing = report.slice(4).map((line) => line.split('\t').slice(0, 4).join(' '));
    expect(missing.toSorted()).toEqual(
      [`missing DEPOSIT ${done} COMPLETED`, `missing PAYOUT ${unclear} IN_RECONCILIATION`].toSorted(),
    );
    // The customer's number is in the evidence, and not in a report that is passed around.
    expect(output).not.toContain('250783456789');
    // Another provider's report cannot speak of this provider's payments.
    const file = join(folder, 'other.csv');
    await writeFile(file, `${HEADER}\n${now()},OUT,COMPLETED,100,RWF,${await referenceOf(unclear)},S-1,,\n`);
    expect(
      await did('operator-report', 'import', '--provider', 'AIRTEL_RWA', '--file', file, '--by', 'Ana'),
    ).toContain('MISMATCHED\t1');
    expect((await readPayment(gateway, 'payout', unclear))['status']).toBe('IN_RECONCILIATION');
  });

  test('a report finds a payment in reconciliation by the reference its operator picked', async () => {
    const unclear = await startUnclear('deposit', depositRequest());
    await select(
      gateway,
      `update payment_attempts set provider_reference = 'ws_CO_1' where payment_id = $1`,
      [unclear],
    );
    const { output } = await importLines([`${now()},IN,COMPLETED,100,RWF,ws_CO_1,S-1,,`]);
    expect(output).toContain('APPLIED\t1');
    expect((await readPayment(gateway, 'deposit', unclear))['status']).toBe('COMPLETED');
  });

  test('a report keeps what names people encrypted, and says who imported it', async () => {
    await importLines([`${now()},IN,COMPLETED,55,RWF,,S-77,250783456789,`]);
    const rows = await select(gateway, 'select row_to_json(l)::text as row from operator_report_lines l');
    for (const { row } of rows) {
      expect(row).not.toContain('250783456789');
      expect(row).not.toContain(Buffer.from('250783456789').toString('hex'));
    }
    const [entry] = await readAuditLog(gateway.engine, { merchantId: null, countMax: 1 });
    expect(entry).toMatchObject({ actor: 'Ana', act: 'REPORT_IMPORTED', detail: { provider: PROVIDER } });
  });

  test('a report is read as far as it can be; what cannot be read is told by line and column', async () => {
    const unclear = await startUnclear('deposit', depositRequest());
    const { code, output, errors } = await importLines([
      `2027-03-01 14:00,IN,COMPLETED,100,RWF,,S-1,,`,
      `${now()},IN,COMPLETED,100,RWF,${await referenceOf(unclear)},S-2,,`,
      `${now()},IN,COMPLETED,"1,000",RWF,,S-3,,`,
      'x,y',
    ]);
    expect(code).toBe(1);
    expect(errors.split('\n')).toEqual([
      'line 2: time must be as 2027-03-01T14:00:00Z, with its zone',
      'line 4: amount must be as 1000 or 12.5',
      'line 5: it has more or fewer cells than the first line',
      '3 lines could not be read. Fix them and import the file again.',
    ]);
    expect(output).toContain('APPLIED\t1');
  });

  test.each([
    ['The first line of the file must name its columns: the column direction is missing.', 'time,status\n'],
    ['The first line of the file must name its columns: there is no column "Betrag".', 'Betrag\n'],
    [
      'Line 3 is not valid CSV: CSV_QUOTE_NOT_CLOSED. Nothing of the file was imported.',
      `${HEADER}\n\n"x,y\n`,
    ],
  ])('in another form is refused: %s', async (message, text) => {
    const file = join(folder, 'wrong.csv');
    await writeFile(file, text);
    const order = ['operator-report', 'import', '--provider', PROVIDER, '--file', file, '--by', 'Ana'];
    expect(await refused(...order)).toBe(message);
  });

  test('a report that is not there is refused', async () => {
    const order = [
      'operator-report',
      'import',
      '--provider',
      PROVIDER,
      '--file',
      join(folder, 'none'),
      '--by',
      'Ana',
    ];
    expect(await refused(...order)).toBe('The file cannot be read: ENOENT.');
  });
});

test('floats are compared with what operators hold, and payments in flight explain what they may', async () => {
  await startCompleted(gateway, 'deposit', depositRequest());
  expect(await did('float', 'list')).toBe(`${PROVIDER}\tRWF\t100\t100\t0\t0\t0\t0`);
  // The operator has sent it, and we do not know.
  gateway.simulator.addFault({ type: 'WRONG_AMOUNT', amount: '130' });
  const id = await start(gateway, 'payout', payoutRequest());
  await waitForPayment(gateway, 'payout', id, 'IN_RECONCILIATION');
  expect(await did('float', 'list')).toBe(`${PROVIDER}\tRWF\t-30\t100\t-130\t0\t100\t-30`);
});
