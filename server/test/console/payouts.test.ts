// Payouts that people order: checked before anything is sent, approved by another person, and sent once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeFee, createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import { readAuditLog } from '../../src/core/audit.ts';
import { cancelUnsent } from '../../src/core/payout-batches/cancel-unsent.ts';
import { erasePerson } from '../../src/core/encryption/erase-person.ts';
import { parseAmount } from '../../src/domain/money.ts';
import { holderOf } from '../../src/sandbox/fakes/payers/holders.ts';
import { call, eventually, payer, select, type TestGateway } from '../gateway.ts';
import { callbacksAbout } from '../payments.ts';
import { approvalAbout, decideAt, decideOn } from './asked.ts';
import {
  act,
  fileOf,
  HEADING,
  numberOf,
  pathOf,
  prepared,
  readBatch,
  upload,
  waitForBatch,
} from './payout-files.ts';
import { confirmed, CONSOLE, openTestConsole, signedIn, type TestPerson } from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole();
  ana = await signedIn(gateway, 'FINANCE');
  ben = await signedIn(gateway, 'OWNER');
});
afterAll(() => gateway.stop());

const formPath = () => `api/merchants/${gateway.merchantId}/payouts`;
const rowsOf = async (batchId: string) =>
  (await ana.call('GET', pathOf(gateway, `/${batchId}/rows`))).body.rows;
/** One payout to somebody who was not paid before. */
const pay = (amount: string) =>
  `phoneNumber,amount,currency\n${numberOf(Number(randomUUID().replaceAll(/\D/g, '').slice(0, 6)))},${amount},RWF`;
const batchCount = async () => (await select(gateway, 'select 1 from payout_batches')).length;

describe('a file', () => {
  test('a file is told everything that is wrong with it, row by row, and nothing is kept', async () => {
    const before = await batchCount();
    const file = [
      HEADING,
      '250783456789,100,RWF,MTN_MOMO_RWA,,',
      '2.5078E+11,100,RWF,,,',
      '250783456789,ten,RWFR,MTN_MOMO_RWA,!,',
      '250783456789,100.55,RWF,MTN_MOMO_RWA,,',
      '250783456789,999999999,RWF,MTN_MOMO_RWA,,',
      '250783456789,100,KES,MTN_MOMO_RWA,,',
      '254700000000,100,RWF,MTN_MOMO_RWA,,',
      '250783456789,100,RWF,NO_SUCH_ONE,,',
      '999123456789,100,RWF,,,',
      ',100,RWF,,,',
      '250783456789,100,RWF,MTN_MOMO_RWA,Message,ref,more',
    ].join('\n');
    const { status, body } = await upload(gateway, ana, file);
    expect([status, body.batchId, body.rowCount]).toEqual([200, null, 11]);
    expect(body.faults.map(({ row, column, code }: any) => [row, column, code])).toEqual([
      [2, 'phoneNumber', 'INVALID'],
      [3, 'amount', 'INVALID'],
      [3, 'currency', 'INVALID'],
      [3, 'customerMessage', 'INVALID'],
      [4, 'amount', 'INVALID_AMOUNT'],
      [5, 'amount', 'AMOUNT_OUT_OF_BOUNDS'],
      [6, 'currency', 'INVALID_CURRENCY'],
      [7, 'phoneNumber', 'INVALID_PHONE_NUMBER'],
      [8, 'provider', 'INVALID_PROVIDER'],
      [9, 'phoneNumber', 'PROVIDER_UNKNOWN'],
      [10, 'phoneNumber', 'MISSING'],
      [11, '', 'TOO_MANY_CELLS'],
    ]);
    expect(body.faultCount).toBe(12);
    expect(JSON.stringify(body)).not.toMatch(/250783456789|254700000000/);
    expect(await batchCount()).toBe(before);
  });

  test.each([
    ['a heading that lacks a column', 'phoneNumber,amount\n250783456789,1', 'COLUMN_MISSING'],
    ['a column that no one knows', `${HEADING},colour\n250783456789,1,RWF,,,,red`, 'COLUMN_UNKNOWN'],
    ['a column twice', `${HEADING},amount\n250783456789,1,RWF,,,,1`, 'COLUMN_REPEATED'],
    ['no payout', HEADING, 'FILE_EMPTY'],
    ['a quote that never ends', `${HEADING}\n"250783456789,1,RWF`, 'FILE_UNREADABLE'],
    ['more than ten thousand payouts', fileOf(10_001), 'FILE_TOO_LONG'],
  ])('with %s is refused as a whole', async (_what, file, code) => {
    const { body } = await upload(gateway, ana, file);
    expect(body.faults).toMatchObject([{ row: 0, code }]);
    expect(body.batchId).toBeNull();
  });

  test('a file may come from a spreadsheet: a mark at its beginning, semicolons, numbers as people write them', async () => {
    const file =
      '\uFEFFphoneNumber;amount;currency;provider\r\n' +
      '+250 783-000 123;100;RWF;\r\n0783000124;100;RWF;MTN_MOMO_RWA\r\n\r\n';
    const batchId = await prepared(gateway, ana, file);
    const revealed = await ana.call('POST', pathOf(gateway, `/${batchId}/results/reveal`));
    expect(revealed.body.file).toContain('1,250783000123,100,RWF,MTN_MOMO_RWA');
    expect(revealed.body.file).toContain('2,250783000124,100,RWF,MTN_MOMO_RWA');
  });

  test('a file that takes more than a wallet holds with its fees is refused with what is lacking', async () => {
    const fee = { basisPoints: 100, fixed: parseAmount('5')! };
    const order = { provider: 'MTN_MOMO_RWA', operation: 'PAYOUT', currency: 'RWF', fee } as const;
    const rich = await openTestConsole();
    const person = await signedIn(rich, 'FINANCE');
    await changeFee(rich.engine, { by: 'test', merchantId: rich.merchantId, ...order });
    const file = `phoneNumber,amount,currency\n${numberOf(1)},500000,RWF\n${numberOf(2)},495000,RWF`;
    const { body } = await upload(rich, person, file);
    // 995,000 and 1 % of it and twice 5 are 1,004,960.
    expect(body.faults).toMatchObject([{ row: 0, code: 'WALLET_OUT_OF_FUNDS' }]);
    expect(body.faults[0].parameters).toMatchObject({ currency: 'RWF', missing: '4960' });
    expect(body.wallets).toMatchObject([{ amount: '995000', fee: '9960', available: '1000000' }]);
    await rich.stop();
  });

  test('with rows that look like one payout written twice waits until somebody says that they are meant', async () => {
    const file = [
      HEADING,
      '250783111111,100,RWF,,,A',
      '+250783111111,100.00,RWF,,,B',
      '250783111112,5,RWF,,,A',
    ].join('\n');
    const first = await upload(gateway, ana, file.replace('100.00', '100'));
    expect(first.body).toMatchObject({
      batchId: null,
      faults: [],
      repeats: [
        { same: 'RECIPIENT_AND_AMOUNT', rows: [1, 2] },
        { same: 'CLIENT_REFERENCE', rows: [1, 3] },
      ],
    });
    const second = await upload(gateway, ana, file.replace('100.00', '100'), { repeatsAreMeant: true });
    expect(second.body.batchId).toEqual(expect.any(String));
  });

  test('a file that was prepared before is noticed, until that batch is cancelled', async () => {
    const file = fileOf(3, 300);
    const batchId = await prepared(gateway, ana, file);
    expect((await upload(gateway, ana, file)).body).toMatchObject({ batchId: null, sameAsBatchId: batchId });
    expect((await act(gateway, ana, batchId, 'cancel')).status).toBe(200);
    expect((await upload(gateway, ana, file)).body.batchId).toEqual(expect.any(String));
  });

  test('of more than the usual size is read only for anyone who may prepare payouts', async () => {
    const file = `${HEADING}\n${`250783456789,1,RWF,,,${'x'.repeat(900)}\n`.repeat(2_000)}`;
    expect(file.length).toBeGreaterThan(1_500_000);
    expect((await upload(gateway, ana, file)).body.rowCount).toBe(2_000);
    const developer = await signedIn(gateway, 'DEVELOPER');
    expect((await upload(gateway, developer, file)).status).toBe(403);
    const path = `api/merchants/${gateway.merchantId}/payouts`;
    expect((await ana.call('POST', path, { note: 'x'.repeat(1_500_000) })).status).toBe(413);
  });
});

describe('a batch', () => {
  test('a batch is sent when another person approves it, and each recipient is paid and announced', async () => {
    const batchId = await prepared(
      gateway,
      ana,
      `${HEADING},metadata.month,metadata.name (personal)\n` +
        '250783456789,120,RWF,,Wages May,W-1,May,Zawadi\n250783456089,80,RWF,,,W-2,May,',
    );
    expect(await readBatch(gateway, ana, batchId)).toMatchObject({
      status: 'WAITING',
      needsApproval: true,
      isOwn: true,
    });
    expect(await readBatch(gateway, ben, batchId)).toMatchObject({ isOwn: false });
    expect((await act(gateway, ben, batchId, 'approve')).status).toBe(200);
    await waitForBatch(gateway, ana, batchId, { status: 'DONE', states: { COMPLETED: 1, FAILED: 1 } });
    const rows = await rowsOf(batchId);
    expect(rows).toMatchObject([
      { row: 1, phoneNumber: '••••••789', status: 'ACCEPTED', state: 'COMPLETED', failureCode: null },
      { row: 2, phoneNumber: '••••••089', state: 'FAILED', failureCode: 'RECIPIENT_NOT_FOUND' },
    ]);
    await eventually(() => callbacksAbout(gateway, 'payout', rows[0].payoutId).length).toBe(1);
    expect(callbacksAbout(gateway, 'payout', rows[0].payoutId)).toMatchObject([
      {
        status: 'COMPLETED',
        customerMessage: 'Wages May',
        clientReferenceId: 'W-1',
        metadata: { month: 'May', name: 'Zawadi' },
      },
    ]);
    const { body } = await ana.call('GET', pathOf(gateway, `/${batchId}/results`));
    expect(body.file.split('\r\n')[1]).toMatch(
      /^1,••••••789,120,RWF,MTN_MOMO_RWA,,Wages May,W-1,"\{""month"":""May""\}",0,.*,COMPLETED,,/,
    );
    expect(body.file.split('\r\n')[2]).toMatch(/^2,.*,FAILED,RECIPIENT_NOT_FOUND,/);
    const acts = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 20 });
    expect(
      acts.filter(({ subject }) => subject === batchId).map(({ act: what, actor }) => [what, actor]),
    ).toEqual([
      ['PAYOUTS_APPROVED', ben.email],
      ['PAYOUTS_PREPARED', ana.email],
    ]);
  });

  test('a batch shows numbers in full only to anyone who asks, and that is recorded', async () => {
    const batchId = await prepared(gateway, ana, fileOf(2, 400));
    const masked = await ana.call('GET', pathOf(gateway, `/${batchId}/results`));
    expect(masked.body.file).not.toContain(numberOf(400));
    const reader = await signedIn(gateway, 'READ_ONLY');
    expect((await reader.call('POST', pathOf(gateway, `/${batchId}/results/reveal`))).status).toBe(403);
    const full = await ana.call('POST', pathOf(gateway, `/${batchId}/results/reveal`));
    expect(full.body.file).toContain(numberOf(400));
    const acts = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(acts).toMatchObject([{ act: 'PERSONAL_DATA_SHOWN', actor: ana.email, subject: batchId }]);
  });

  test('a batch keeps no one readable in the database', async () => {
    await prepared(gateway, ana, `${HEADING}\n250783777777,100,RWF,,,Zawadi Xqwtrv`);
    const columns = 'row_to_json(r)::text as text';
    const rows = await select(
      gateway,
      `select ${columns} from payout_batch_rows r union all select row_to_json(b)::text from payout_batches b`,
    );
    const needles = ['250783777777', 'Zawadi', 'Wages'].flatMap((value) => [
      value,
      Buffer.from(value).toString('hex'),
    ]);
    expect(rows.length).toBeGreaterThan(0);
    for (const needle of needles) expect(rows.filter(({ text }) => text.includes(needle))).toEqual([]);
  });

  test('a batch forgets a person together with their payments, and keeps what was paid', async () => {
    const file = `${HEADING}\n250783888888,100,RWF,,,Zawadi\n250783888889,100,RWF,,,`;
    const batchId = await prepared(gateway, ana, file);
    await act(gateway, ben, batchId, 'approve');
    await waitForBatch(gateway, ana, batchId, { states: { COMPLETED: 2 } });
    const order = {
      by: 'test',
      merchantId: gateway.merchantId,
      phoneNumber: '250783888888',
      reason: 'asked',
    };
    expect(await erasePerson(gateway.engine, order)).toMatchObject({ erased: 1 });
    const { body } = await ana.call('POST', pathOf(gateway, `/${batchId}/results/reveal`));
    expect(body.file).not.toMatch(/250783888888|Zawadi/);
    expect(body.file).toContain('250783888889');
    expect(await rowsOf(batchId)).toMatchObject([{ amount: '100', state: 'COMPLETED' }, {}]);
    const row = `update payout_batch_rows set encrypted_order = 'x' where batch_id = $1`;
    await expect(select(gateway, row, [batchId])).rejects.toThrow('not changed');
  });

  test('a batch that is cancelled pays no one, and cannot be approved any more', async () => {
    const batchId = await prepared(gateway, ana, fileOf(2, 500));
    expect((await act(gateway, ben, batchId, 'cancel')).status).toBe(200);
    expect((await act(gateway, ben, batchId, 'approve')).body.failureReason).toMatchObject({
      failureCode: 'CONFLICT',
    });
    expect(await readBatch(gateway, ana, batchId)).toMatchObject({
      status: 'CANCELLED',
      cancelledCount: 2,
      states: {},
    });
    expect(await rowsOf(batchId)).toMatchObject([
      { status: 'CANCELLED', state: null },
      { status: 'CANCELLED', state: null },
    ]);
  });

  test('a batch whose payout was made under the same identifier by a request of the API says so, and claims nothing of it', async () => {
    const batchId = await prepared(gateway, ana, fileOf(1, 600));
    const [{ payoutId }] = await rowsOf(batchId);
    const asked = {
      payoutId,
      amount: '7',
      currency: 'RWF',
      recipient: payer('MTN_MOMO_RWA', '250783456789'),
    };
    expect((await call(gateway, 'POST', '/v2/payouts', asked)).body['status']).toBe('ACCEPTED');
    await act(gateway, ben, batchId, 'approve');
    await waitForBatch(gateway, ana, batchId, {
      status: 'DONE',
      rejectedCount: 1,
      acceptedCount: 0,
      states: {},
    });
    expect(await rowsOf(batchId)).toMatchObject([
      { status: 'REJECTED', failureCode: 'DUPLICATE_IDENTIFIER', state: null },
    ]);
  });

  test('a batch is listed with others, the newest first and page by page', async () => {
    const ids = [await prepared(gateway, ana, fileOf(1, 700)), await prepared(gateway, ana, fileOf(1, 701))];
    const first = (await ana.call('GET', pathOf(gateway, '?limit=1&status=WAITING'))).body;
    expect(first.rows).toMatchObject([
      { batchId: ids[1], title: 'Wages', count: 1, sums: [{ currency: 'RWF' }] },
    ]);
    const second = (await ana.call('GET', pathOf(gateway, `?limit=1&status=WAITING&cursor=${first.next}`)))
      .body;
    expect(second.rows).toMatchObject([{ batchId: ids[0] }]);
    expect((await ana.call('GET', pathOf(gateway, '?cursor=nonsense'))).status).toBe(400);
  });

  test('of another merchant does not exist, whatever identifier is tried', async () => {
    const batchId = await prepared(gateway, ana, fileOf(1, 800));
    const other = await openTestConsole();
    const stranger = await signedIn(other, 'OWNER');
    for (const rest of ['', '/rows', '/results']) {
      expect((await stranger.call('GET', pathOf(other, `/${batchId}${rest}`))).status).toBe(404);
    }
    for (const what of ['approve', 'send', 'cancel'] as const) {
      expect((await act(other, stranger, batchId, what)).status).toBe(404);
    }
    await other.stop();
  });
});

describe('the recipients of a batch', () => {
  const named = 'phoneNumber,amount,currency,recipientName\n250783000777,110,RWF,Jane Uwase';

  test('names are shown to the people who pay, numbers when they ask, and asking is recorded', async () => {
    const batchId = await prepared(gateway, ana, named);
    const shown = await ben.call('GET', pathOf(gateway, `/${batchId}/rows`));
    expect(shown.body.rows).toMatchObject([{ recipientName: 'Jane Uwase' }]);
    expect(shown.body.rows[0].phoneNumber).not.toContain('250783');
    const revealed = await ben.call('POST', pathOf(gateway, `/${batchId}/rows/reveal`), {});
    expect(revealed.body.rows).toMatchObject([{ recipientName: 'Jane Uwase', phoneNumber: '250783000777' }]);
    const { rows } = await gateway.engine.store.database.query<{ count: number }>(
      `select count(*)::int as count from audit_log where act = 'PERSONAL_DATA_SHOWN' and subject = $1`,
      [batchId],
    );
    expect(rows).toEqual([{ count: 1 }]);
  });

  test('names are hidden from people who only look, and stored encrypted', async () => {
    const batchId = await prepared(gateway, ana, named.replace('777', '778'));
    const reader = await signedIn(gateway, 'READ_ONLY');
    const shown = await reader.call('GET', pathOf(gateway, `/${batchId}/rows`));
    expect(shown.body.rows).toMatchObject([{ recipientName: null }]);
    expect((await reader.call('POST', pathOf(gateway, `/${batchId}/rows/reveal`), {})).status).toBe(403);
    const { rows } = await gateway.engine.store.database.query<{ stored: Buffer }>(
      'select encrypted_order as stored from payout_batch_rows where batch_id = $1',
      [batchId],
    );
    expect(rows).toHaveLength(1);
    expect(rows[0]?.stored.includes('Jane')).toBe(false);
  });

  test('names are erased with the number', async () => {
    const batchId = await prepared(gateway, ana, named.replace('777', '779'));
    await act(gateway, ana, batchId, 'cancel');
    const { merchantId } = gateway;
    await erasePerson(gateway.engine, {
      by: 'Ana',
      merchantId,
      phoneNumber: '250783000779',
      reason: 'asked',
    });
    const shown = await ana.call('GET', pathOf(gateway, `/${batchId}/rows`));
    expect(shown.body.rows).toMatchObject([{ recipientName: null, amount: '110' }]);
  });
});

describe('one payout', () => {
  const order = { phoneNumber: '+250 783 456 789', amount: '250', currency: 'RWF', clientReferenceId: 'one' };

  test('from the form waits for a second approver like any other, and is paid then', async () => {
    const { body } = await ana.call('POST', formPath(), { ...order, repeatsAreMeant: true });
    expect(await readBatch(gateway, ana, body.batchId)).toMatchObject({
      source: 'FORM',
      title: 'one',
      count: 1,
      needsApproval: true,
    });
    await act(gateway, ben, body.batchId, 'approve');
    await waitForBatch(gateway, ana, body.batchId, { states: { COMPLETED: 1 } });
  });

  test('one payout that cannot be sent says what is wrong', async () => {
    const { body } = await ana.call('POST', formPath(), { ...order, amount: '100.001' });
    expect(body.faults).toMatchObject([{ row: 1, column: 'amount', code: 'INVALID_AMOUNT' }]);
    expect((await ana.call('POST', formPath(), { ...order, amount: 'much' })).status).toBe(400);
  });

  test('one payout goes to a number as people write it at home, in the country that was chosen', async () => {
    const local = { ...order, phoneNumber: '0783 456 781', clientReferenceId: 'local', country: 'RWA' };
    const { body } = await ana.call('POST', formPath(), { ...local, repeatsAreMeant: true });
    expect(body.faults).toEqual([]);
    const shown = await ana.call('POST', pathOf(gateway, `/${body.batchId}/rows/reveal`), {});
    expect(shown.body.rows).toMatchObject([{ phoneNumber: '250783456781', provider: 'MTN_MOMO_RWA' }]);
    const without = await ana.call('POST', formPath(), { ...order, phoneNumber: '0783 456 781' });
    expect(without.body.faults).toMatchObject([
      { column: 'phoneNumber', code: 'PROVIDER_UNKNOWN', parameters: { because: 'COUNTRY' } },
    ]);
    const short = await ana.call('POST', formPath(), { ...order, phoneNumber: '0783', country: 'RWA' });
    expect(short.body.faults).toMatchObject([
      { column: 'phoneNumber', code: 'INVALID_PHONE_NUMBER', parameters: { country: 'RWA' } },
    ]);
  });

  test('one payout can go where the account has providers for payouts', async () => {
    const { body } = await ana.call('GET', `api/merchants/${gateway.merchantId}/payout-options`);
    expect(body.providers).toContainEqual(
      expect.objectContaining({
        provider: 'MTN_MOMO_RWA',
        currency: 'RWF',
        country: 'RWA',
        status: 'OPERATIONAL',
      }),
    );
  });
});

describe('one person', () => {
  test('one person cannot approve what they prepared, by whatever call, and the database refuses it too', async () => {
    const batchId = await prepared(gateway, ana, fileOf(2, 900));
    expect((await act(gateway, ana, batchId, 'approve')).body.failureReason.failureMessage).toContain(
      'Another person',
    );
    expect((await act(gateway, ana, batchId, 'send')).body).toEqual({ outcome: 'REQUESTED' });
    const approvalId = (await approvalAbout(gateway, 'PAYOUT_BATCH', batchId)).toUpperCase();
    const upper = gateway.merchantId.toUpperCase();
    expect((await decideAt(gateway, upper, ana, approvalId, 'approve')).status).toBe(409);
    expect((await readBatch(gateway, ana, batchId)).status).toBe('WAITING');
    const set = (changes: string) =>
      select(gateway, `update payout_batches set ${changes} where batch_id = $1`, [batchId]);
    await expect(set(`status = 'SENDING', next_send_at = prepared_at`)).rejects.toThrow(
      'payout_batches needs an approval',
    );
    await expect(set('needs_approval = false')).rejects.toThrow('not changed');
    await expect(set(`prepared_by = 'x', prepared_by_name = 'x'`)).rejects.toThrow('not changed');
    await expect(
      select(gateway, `update payout_batch_rows set amount = 5 where batch_id = $1`, [batchId]),
    ).rejects.toThrow('not changed');
  });

  test('one person must have confirmed the password to approve', async () => {
    const batchId = await prepared(gateway, ana, fileOf(2, 950));
    const fresh = await signedIn(gateway, 'FINANCE');
    const approvalId = await approvalAbout(gateway, 'PAYOUT_BATCH', batchId);
    const { body } = await decideOn(gateway, fresh, approvalId, 'approve');
    expect(body.failureReason.failureCode).toBe('CONFIRMATION_NEEDED');
    expect((await act(gateway, fresh, batchId, 'approve')).status).toBe(200);
  });

  test.each(['SUPPORT', 'DEVELOPER', 'READ_ONLY'] as const)(
    'one person who is %s neither prepares nor approves',
    async (role) => {
      const batchId = await prepared(gateway, ana, fileOf(1, 960 + role.length));
      const person = await signedIn(gateway, role);
      expect((await upload(gateway, person, fileOf(1))).status).toBe(403);
      for (const what of ['approve', 'send', 'cancel'] as const) {
        expect((await act(gateway, person, batchId, what)).status).toBe(403);
      }
      expect((await readBatch(gateway, ana, batchId)).status).toBe('WAITING');
    },
  );
});

test('of two who approve at the same moment one is told that it is done, and every recipient is paid once', async () => {
  const cleo = await signedIn(gateway, 'FINANCE');
  await confirmed(cleo);
  await confirmed(ben);
  const file = fileOf(60, 2_000);
  const batchId = await prepared(gateway, ana, file);
  const approvalId = await approvalAbout(gateway, 'PAYOUT_BATCH', batchId);
  const tries = [ben, cleo, ben, cleo].map((person) => decideOn(gateway, person, approvalId, 'approve'));
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  expect(statuses.toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409]);
  await waitForBatch(gateway, ana, batchId, { status: 'DONE', acceptedCount: 60, states: { COMPLETED: 60 } });
  const paid = gateway.simulator
    .books()
    .charges.filter(({ phoneNumber }) => phoneNumber.startsWith('250781002'));
  expect(new Set(paid.map(({ phoneNumber }) => phoneNumber)).size).toBe(60);
  expect(paid).toHaveLength(60);
});

describe('a limit', () => {
  const limitPath = (currency: string) => `api/merchants/${limited.merchantId}/payout-limits/${currency}`;
  const set = async (person: TestPerson, amount: string) =>
    (await person.call('PUT', limitPath('RWF'), { amount })).body;
  let limited: TestGateway;
  let owner: TestPerson;
  let second: TestPerson;

  beforeAll(async () => {
    const payoutApprovalAbove = new Map([['RWF', parseAmount('1000')!]]);
    limited = await openTestConsole({ console: { ...CONSOLE, payoutApprovalAbove } });
    owner = await confirmed(await signedIn(limited, 'OWNER'));
    second = await confirmed(await signedIn(limited, 'OWNER'));
  });
  afterAll(() => limited.stop());

  const needsApproval = async (amount: string) =>
    (await readBatch(limited, owner, await prepared(limited, owner, pay(amount)))).needsApproval;

  test('of the host lets one person pay as much as that in a day, and pieces of more are not less', async () => {
    const small = await prepared(limited, owner, pay('600'));
    expect(await readBatch(limited, owner, small)).toMatchObject({ needsApproval: false });
    expect((await act(limited, owner, small, 'send')).status).toBe(200);
    await waitForBatch(limited, owner, small, { status: 'DONE', acceptedCount: 1, approval: null });
    expect(await needsApproval('401')).toBe(true);
    expect(await needsApproval('400')).toBe(false);
    expect(await needsApproval('5')).toBe(true);
    // Two at the same moment cannot both have what is left for one.
    await select(
      limited,
      `update payout_batches set status = 'CANCELLED', ended_at = prepared_at
       where not needs_approval and status = 'WAITING'`,
    );
    const both = await Promise.all([needsApproval('400'), needsApproval('400')]);
    expect(both.filter((needed) => needed)).toHaveLength(1);
  });

  test('a limit of a day counts what waits however long, and what was sent when it was sent', async () => {
    const later = (days: number) => limited.gateway.movableClock!.move(days * 24 * 3_600_000);
    const cancelWaiting = () =>
      select(
        limited,
        `update payout_batches set status = 'CANCELLED', ended_at = prepared_at
         where not needs_approval and status = 'WAITING'`,
      );
    await cancelWaiting();
    await later(2);
    owner = await confirmed(await signedIn(limited, 'OWNER'));
    const first = await prepared(limited, owner, pay('700'));
    await later(2);
    owner = await confirmed(await signedIn(limited, 'OWNER'));
    expect(await needsApproval('700')).toBe(true);
    expect((await act(limited, owner, first, 'send')).body).toEqual({ outcome: 'DONE' });
    expect(await needsApproval('700')).toBe(true);
    const rest = await prepared(limited, owner, pay('300'));
    expect((await act(limited, owner, rest, 'send')).body).toEqual({ outcome: 'DONE' });
    await later(1);
    owner = await confirmed(await signedIn(limited, 'OWNER'));
    second = await confirmed(await signedIn(limited, 'OWNER'));
    expect(await needsApproval('1000')).toBe(false);
  });

  test('B12: A limit that was lowered counts for a batch that was prepared before.', async () => {
    const { merchantId } = limited;
    await select(
      limited,
      `update payout_batches set status = 'CANCELLED', ended_at = prepared_at
       where not needs_approval and status = 'WAITING'`,
    );
    const before = await prepared(limited, owner, pay('300'));
    expect(await readBatch(limited, owner, before)).toMatchObject({ needsApproval: false });
    await select(limited, `insert into payout_limits (merchant_id, currency, amount) values ($1, 'RWF', 0)`, [
      merchantId,
    ]);
    expect(await readBatch(limited, owner, before)).toMatchObject({ needsApproval: true });
    expect((await owner.call('GET', pathOf(limited, '?limit=1'))).body.rows).toMatchObject([
      { batchId: before, needsApproval: true },
    ]);
    expect((await act(limited, owner, before, 'send')).body).toEqual({ outcome: 'REQUESTED' });
    expect(await readBatch(limited, owner, before)).toMatchObject({ status: 'WAITING' });
    await select(limited, 'delete from payout_limits');
    expect((await act(limited, owner, before, 'cancel')).status).toBe(200);
  });

  test('a limit is raised by two people only, and lowered by one', async () => {
    expect(await set(owner, '2000000')).toEqual({ outcome: 'REQUESTED' });
    const first = await approvalAbout(limited, 'PAYOUT_LIMIT', 'RWF');
    expect(await set(owner, '1000000')).toEqual({ outcome: 'REQUESTED' });
    const approvalId = await approvalAbout(limited, 'PAYOUT_LIMIT', 'RWF');
    expect((await decideOn(limited, owner, approvalId, 'approve')).status).toBe(409);
    expect(await needsApproval('5000')).toBe(true);
    const alone = /payout_limits needs an approval/;
    await expect(select(limited, 'update payout_limits set amount = 1000000')).rejects.toThrow(alone);
    await expect(
      select(limited, `insert into payout_limits (merchant_id, currency, amount) values ($1, 'KES', 5)`, [
        limited.merchantId,
      ]),
    ).rejects.toThrow(alone);
    expect((await decideOn(limited, second, first, 'approve')).status).toBe(409);
    expect((await decideOn(limited, second, approvalId, 'approve')).status).toBe(200);
    expect(await needsApproval('5000')).toBe(false);
    expect(await set(owner, '10')).toEqual({ outcome: 'DONE' });
    expect(await needsApproval('11')).toBe(true);
    await expect(select(limited, `update payout_limits set amount = 20`)).rejects.toThrow(alone);
    expect(await set(owner, '30')).toEqual({ outcome: 'REQUESTED' });
    const { body } = await owner.call('GET', `api/merchants/${limited.merchantId}/payout-limits`);
    const approval = { status: 'PENDING', isOwn: true, details: { currency: 'RWF', amount: '30' } };
    expect(body.limits).toMatchObject([{ currency: 'RWF', own: '10', amount: '10', approval }]);
    expect(await set(second, '5')).toEqual({ outcome: 'DONE' });
    const rows = await select(
      limited,
      `select status from approvals where kind = 'PAYOUT_LIMIT' order by requested_at`,
    );
    expect(rows.map(({ status }) => status)).toEqual(['WITHDRAWN', 'APPROVED', 'REJECTED']);
  });
});

const batchHolder = (person: TestPerson, batchId: string, row: number) =>
  person.call('POST', pathOf(gateway, `/${batchId}/holder`), { row });
const formHolder = (person: TestPerson, body: object) => person.call('POST', `${formPath()}/holder`, body);
const questions = async () =>
  (await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 200 })).filter(
    ({ act: what }) => what === 'PAYOUT_HOLDER_LOOKED_UP',
  );
const nameOf = (phoneNumber: string) => Object.values(holderOf({ provider: 'MTN_MOMO_RWA', phoneNumber })!);

describe('who holds a number', () => {
  const [known, unknown] = ['250783456789', '250783456089'];

  test('an account holder is shown as initials before a batch is sent, recorded without the name, and stops nothing', async () => {
    const file = `phoneNumber,amount,currency\n${known},41,RWF\n${unknown},42,RWF`;
    const batchId = await prepared(gateway, ana, file);
    const initials = nameOf(known).map((word) => `${word[0]}•••`);
    expect(await batchHolder(ben, batchId, 1)).toEqual({
      status: 200,
      body: { status: 'ACTIVE', name: initials.join(' ') },
    });
    expect((await batchHolder(ben, batchId, 2)).body).toEqual({ status: 'NOT_ACTIVE', name: null });
    gateway.simulator.addFault({ type: 'ERROR', httpStatus: 503, step: 'holder', phoneNumber: known });
    expect((await batchHolder(ben, batchId, 1)).body).toEqual({ status: 'UNKNOWN', name: null });
    const recorded = (await questions()).filter(({ subject }) => subject === batchId);
    expect(recorded.map(({ actor, detail }) => ({ actor, ...detail }))).toEqual(
      ['••••••789', '••••••089', '••••••789'].map((phoneNumber) => ({
        actor: ben.email,
        provider: 'MTN_MOMO_RWA',
        phoneNumber,
      })),
    );
    const written = await select(
      gateway,
      `select a::text as text from audit_log a union all select b::text from payout_batch_rows b
       union all select t::text from operator_traffic t`,
    );
    for (const hidden of [known, ...nameOf(known)])
      expect(written.filter(({ text }) => String(text).includes(hidden))).toEqual([]);
    expect((await batchHolder(ben, batchId, 3)).status).toBe(404);
    expect((await act(gateway, ben, batchId, 'approve')).status).toBe(200);
    expect(await batchHolder(ben, batchId, 1)).toMatchObject({
      status: 409,
      body: { failureReason: { reason: { code: 'BATCH_CHANGED' } } },
    });
  });

  test('the form tells the account holder of a number as people write it, and of none that cannot be paid', async () => {
    const local = { phoneNumber: '0783 456 789', country: 'RWA' };
    expect((await formHolder(ana, local)).body).toMatchObject({ status: 'ACTIVE' });
    expect((await questions())[0]).toMatchObject({ actor: ana.email, subject: 'new payout' });
    const asked = (await questions()).length;
    const faults = [
      [{ phoneNumber: '0783 456', country: 'RWA' }, 'phoneNumber'],
      [{ phoneNumber: known, provider: 'NO_SUCH_ONE' }, 'provider'],
      [{}, 'phoneNumber'],
    ] as const;
    for (const [body, parameter] of faults) {
      const { status, body: refused } = await formHolder(ana, body);
      expect([status, refused.failureReason.reason.parameters]).toEqual([400, { parameter }]);
    }
    expect(await questions()).toHaveLength(asked);
  });

  test('only people who prepare and approve payouts see account holders: no other role, merchant or token does', async () => {
    const batchId = await prepared(gateway, ana, pay('43'));
    const asked = (await questions()).length;
    for (const role of ['SUPPORT', 'DEVELOPER', 'READ_ONLY', 'OPERATOR_ADMIN'] as const) {
      const person = await signedIn(gateway, role);
      expect([role, (await batchHolder(person, batchId, 1)).status]).toEqual([role, 403]);
      expect([role, (await formHolder(person, { phoneNumber: known })).status]).toEqual([role, 403]);
    }
    const order = {
      by: 'test',
      companyName: 'Other',
      operations: ['PAYOUT'],
      walletPerProvider: false,
    } as const;
    const other = await signedIn(gateway, 'OWNER', await createMerchant(gateway.engine, order));
    expect((await batchHolder(other, batchId, 1)).status).toBe(404);
    const byToken = await fetch(`${gateway.url}/console/${formPath()}/holder`, {
      method: 'POST',
      headers: { authorization: `Bearer ${gateway.apiToken}`, 'content-type': 'application/json' },
      body: JSON.stringify({ phoneNumber: known }),
    });
    expect(byToken.status).toBe(401);
    expect(await questions()).toHaveLength(asked);
  });

  test('one person asks for a hundred account holders at once, then more slowly; others are not held up', async () => {
    const person = await signedIn(gateway, 'FINANCE');
    let [count, status] = [0, 0];
    while (status !== 429 && count < 1_000) {
      ({ status } = await formHolder(person, { phoneNumber: '0783', country: 'RWA' }));
      count += 1;
    }
    expect(status).toBe(429);
    expect(count).toBeGreaterThan(100);
    expect((await formHolder(ben, { phoneNumber: known })).status).toBe(200);
  });
});

describe('D: cancelling what of a merchant was not sent', () => {
  test('D: cancelling what of a merchant was not sent cancels the rows of its batches too, waiting or half sent, and the audit log says why', async () => {
    const stopped = await openTestConsole({ role: 'api' });
    try {
      const { merchantId, engine } = stopped;
      const owner = await confirmed(await signedIn(stopped, 'OWNER'));
      const second = await confirmed(await signedIn(stopped, 'OWNER'));
      const [sending, waiting] = [
        await prepared(stopped, owner, fileOf(3)),
        await prepared(stopped, owner, fileOf(2)),
      ];
      expect((await act(stopped, second, sending, 'approve')).status).toBe(200);
      const order = { by: 'Ben', merchantId, reason: 'Stolen account' };
      expect(await cancelUnsent(engine, order)).toBe(5);
      expect(await readBatch(stopped, owner, sending)).toMatchObject({
        status: 'STOPPED',
        cancelledCount: 3,
      });
      expect(await readBatch(stopped, owner, waiting)).toMatchObject({
        status: 'CANCELLED',
        cancelledCount: 2,
      });
      const entries = await readAuditLog(engine, { merchantId, countMax: 50 });
      expect(
        entries
          .filter(({ act: what }) => what === 'PAYOUTS_CANCELLED')
          .map(({ actor, reason, subject }) => `${actor} ${reason} ${subject}`)
          .toSorted(),
      ).toEqual([sending, waiting].map((batchId) => `Ben Stolen account ${batchId}`).toSorted());
      expect(await cancelUnsent(engine, order)).toBe(0);
    } finally {
      await stopped.stop();
    }
  });
});
