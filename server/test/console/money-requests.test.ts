// Money moved manually through the console: one person asks, another moves it, once.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { topUpWallets } from '../../src/core/ledger/administer-wallets.ts';
import { renderAmount } from '../../src/domain/money.ts';
import { inTransaction } from '../../src/store/database.ts';
import { listUnbalancedWallets, listWallets } from '../../src/store/ledger/ledger.ts';
import { seeIdentity } from '../../src/store/merchants/identities.ts';
import { select, type TestGateway } from '../gateway.ts';
import { at, decideAtHost, decideOn, type Deciding } from './asked.ts';
import { confirmed, openTestConsole, signedIn, type ConsoleAnswer, type TestPerson } from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let support: TestPerson;

beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
});
afterAll(() => gateway.stop());

const ORDERS = 'api/host/money-requests';
const APPROVALS = 'api/host/approvals';
const REASON = 'bank reference 7781, brought by Grace Uwase';

function orderOf(changes: Readonly<Record<string, unknown>> = {}) {
  const place = { merchantId: gateway.merchantId, country: 'UGA', currency: 'UGX' };
  return { ...place, type: 'TOP_UP', amount: '5000', reason: REASON, ...changes };
}

async function ask(person: TestPerson, changes: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const { status, body } = await person.call('POST', ORDERS, orderOf(changes));
  expect([status, body]).toEqual([200, { approvalId: expect.any(String) }]);
  return body.approvalId;
}

const decide = (person: TestPerson, approvalId: string, what: Deciding) =>
  decideAtHost(gateway, person, approvalId, what);

const codeOf = ({ status, body }: ConsoleAnswer) => [status, body?.failureReason?.failureCode ?? null];

/** What the Ugandan wallet holds. */
async function posted(): Promise<string> {
  const wallets = await listWallets(gateway.engine.store.database, gateway.merchantId);
  return renderAmount(wallets.find(({ currency }) => currency === 'UGX')?.posted ?? 0n);
}

async function transfersOf(orderId: string): Promise<number> {
  return (await select(gateway, 'select 1 from transfers where subject_id = $1', [orderId])).length;
}

describe('a top-up', () => {
  test('a top-up is moved when another person approves it, and not before', async () => {
    const before = Number(await posted());
    const orderId = await ask(ana);
    expect(Number(await posted())).toBe(before);
    expect((await decide(ben, orderId, 'approve')).status).toBe(200);
    expect(Number(await posted())).toBe(before + 5000);
    expect(await transfersOf(orderId)).toBe(1);
  });

  test('a top-up is not moved by the person who asked for it, whatever the API or the database is told', async () => {
    const orderId = await ask(ana);
    expect(codeOf(await decide(ana, orderId, 'approve'))).toEqual([409, 'CONFLICT']);
    expect(codeOf(await decide(ana, orderId, 'reject'))).toEqual([409, 'CONFLICT']);
    const decided = `update approvals set status = 'APPROVED', decided_at = requested_at, decided_by_name = $2,
      decided_hash = shown_hash where approval_id = $1`;
    await expect(select(gateway, decided, [orderId, ` ${ana.email.toUpperCase()}`])).rejects.toThrow(
      /approvals_need_two_people/,
    );
    expect(await transfersOf(orderId)).toBe(0);
  });

  test('approved twenty times at once is moved once', async () => {
    const before = Number(await posted());
    const orderId = await ask(ana);
    const answers = await Promise.all(Array.from({ length: 20 }, () => decide(ben, orderId, 'approve')));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409)).toHaveLength(19);
    expect(Number(await posted())).toBe(before + 5000);
    expect(await transfersOf(orderId)).toBe(1);
    expect(await listUnbalancedWallets(gateway.engine.store.database)).toEqual([]);
  });

  test('a top-up that was rejected or taken back is never moved', async () => {
    const rejected = await ask(ana);
    expect((await decide(ben, rejected, 'reject')).status).toBe(200);
    const withdrawn = await ask(ana);
    expect(codeOf(await decide(ben, withdrawn, 'withdraw'))).toEqual([409, 'CONFLICT']);
    expect((await decide(ana, withdrawn, 'withdraw')).status).toBe(200);
    for (const orderId of [rejected, withdrawn]) {
      expect(codeOf(await decide(ben, orderId, 'approve'))).toEqual([409, 'CONFLICT']);
      expect(await transfersOf(orderId)).toBe(0);
    }
  });

  test('a top-up cannot be changed after it was asked for', async () => {
    const orderId = await ask(ana);
    const raise = `update approvals set request = request || '{"amount":"50000"}' where approval_id = $1`;
    const raised = select(gateway, raise, [orderId]);
    await expect(raised).rejects.toThrow(/append-only/);
    await expect(select(gateway, 'delete from approvals where approval_id = $1', [orderId])).rejects.toThrow(
      /append-only/,
    );
  });
});

test('a settlement of more than the wallet has moves nothing and still waits', async () => {
  const orderId = await ask(ana, { type: 'SETTLEMENT', amount: '100000000' });
  const answer = await decide(ben, orderId, 'approve');
  expect(codeOf(answer)).toEqual([409, 'CONFLICT']);
  expect(answer.body.failureReason.failureMessage).toContain('available');
  expect(answer.body.failureReason.reason).toMatchObject({
    code: 'WALLET_BALANCE_LOW',
    parameters: { currency: 'UGX', available: expect.any(String) },
  });
  expect(await transfersOf(orderId)).toBe(0);
  expect((await decide(ben, orderId, 'reject')).status).toBe(200);
});

test('an approval that finds the wallet in use for long says so, has moved nothing, and can be repeated', async () => {
  const orderId = await ask(ana);
  const answer = await inTransaction(gateway.engine.store.database, async (tx) => {
    await tx.query('select 1 from wallets where merchant_id = $1 for update', [gateway.merchantId]);
    return decide(ben, orderId, 'approve');
  });
  expect(codeOf(answer)).toEqual([409, 'CONFLICT']);
  expect(answer.body.failureReason.reason).toEqual({ code: 'BUSY', parameters: {} });
  expect(await transfersOf(orderId)).toBe(0);
  expect((await decide(ben, orderId, 'approve')).status).toBe(200);
  expect(await transfersOf(orderId)).toBe(1);
});

test('an adjustment below zero takes from the wallet, and nothing else may be below zero', async () => {
  const before = Number(await posted());
  const orderId = await ask(ana, { type: 'ADJUSTMENT', amount: '-250.5' });
  expect((await decide(ben, orderId, 'approve')).status).toBe(200);
  expect(Number(await posted())).toBe(before - 250.5);
  expect(codeOf(await ana.call('POST', ORDERS, orderOf({ amount: '-1' })))).toEqual([400, 'INVALID_INPUT']);
  expect(codeOf(await ana.call('POST', ORDERS, orderOf({ amount: '0' })))).toEqual([400, 'INVALID_INPUT']);
});

test('a wallet that no payment would use cannot be asked for', async () => {
  for (const changes of [{ currency: 'EUR' }, { walletProvider: 'MTN_MOMO_UGA' }, { country: 'XXX' }]) {
    expect(codeOf(await ana.call('POST', ORDERS, orderOf(changes)))).toEqual([400, 'INVALID_INPUT']);
  }
});

test('a request is rejected with a reason, and without one it is still pending', async () => {
  const approvalId = await ask(ana);
  const answer = await ben.call('POST', `${APPROVALS}/${approvalId}/reject`, {});
  expect(codeOf(answer)).toEqual([400, 'INVALID_INPUT']);
  expect((await decide(ben, approvalId, 'reject')).status).toBe(200);
  const { body } = await ben.call('GET', `${APPROVALS}/${approvalId}`);
  expect(body).toMatchObject({ status: 'REJECTED', decision: { by: ben.email, reason: 'no such slip' } });
});

test('money is moved only by anyone who has just confirmed the password', async () => {
  const orderId = await ask(ana);
  const hasty = await signedIn(gateway, 'OPERATOR_ADMIN');
  expect(codeOf(await hasty.call('POST', ORDERS, orderOf()))).toEqual([403, 'CONFIRMATION_NEEDED']);
  expect(codeOf(await decide(hasty, orderId, 'approve'))).toEqual([403, 'CONFIRMATION_NEEDED']);
  expect(codeOf(await decide(hasty, orderId, 'withdraw'))).toEqual([403, 'CONFIRMATION_NEEDED']);
  expect(await transfersOf(orderId)).toBe(0);
});

test('support sees what waits without the words about it, and can do nothing', async () => {
  const orderId = await ask(ana);
  const seen = async (person: TestPerson) => {
    const { body } = await person.call('GET', `${APPROVALS}?status=PENDING&kinds=MONEY&limit=100`);
    return body.rows.find((row: { readonly approvalId: string }) => row.approvalId === orderId);
  };
  expect(await seen(support)).toMatchObject({
    details: { amount: '5000', type: 'TOP_UP' },
    requestedBy: ana.email,
    mayDecide: false,
    reason: null,
  });
  expect(await seen(ben)).toMatchObject({ merchant: 'Demo Shop', reason: REASON, mayDecide: true });
  expect(codeOf(await decide(support, orderId, 'approve'))).toEqual([403, 'NOT_PERMITTED']);
  expect(codeOf(await support.call('POST', ORDERS, orderOf()))).toEqual([403, 'NOT_PERMITTED']);
});

test('lists go on where they stopped, each order once', async () => {
  const listed: string[] = [];
  let cursor = '';
  do {
    const { body } = await ben.call('GET', `${APPROVALS}?status=DECIDED&limit=2${cursor}`);
    expect(body.rows.length).toBeLessThanOrEqual(2);
    listed.push(...body.rows.map(({ approvalId }: { readonly approvalId: string }) => approvalId));
    cursor = body.next === null ? '' : `&cursor=${body.next}`;
  } while (cursor !== '');
  const decided = `select approval_id::text as id from approvals where status <> 'PENDING' order by 1`;
  const all = await select<{ id: string }>(gateway, decided);
  expect(listed.toSorted()).toEqual(all.map(({ id }) => id));
  for (const forged of ['x', Buffer.from("1 ' or 1=1").toString('base64url')]) {
    const answer = await ben.call('GET', `${APPROVALS}?status=PENDING&cursor=${forged}`);
    expect(codeOf(answer)).toEqual([400, 'INVALID_INPUT']);
  }
});

test('who asked and who approved are in the audit log, with the reason', async () => {
  const orderId = await ask(ana);
  await decide(ben, orderId, 'approve');
  const entries = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 3 });
  expect(entries.map(({ act, actor }) => [act, actor])).toEqual([
    ['APPROVAL_GIVEN', ben.email],
    ['WALLET_TOPPED_UP', ben.email],
    ['APPROVAL_REQUESTED', ana.email],
  ]);
  expect(entries[2]).toMatchObject({ subject: orderId, reason: REASON });
  expect(entries[1]).toMatchObject({ detail: { transferId: orderId, requestedBy: ana.email } });
});

const BANK = { bank: 'Bank of Kigali', holder: 'Grace Uwase', number: '0004-0123 456789' };
const reasonOf = ({ body }: ConsoleAnswer) => body?.failureReason?.reason;

function settlementOf(changes: object) {
  return { requestId: randomUUID(), country: 'UGA', currency: 'UGX', amount: '700', ...changes };
}

const settle = (person: TestPerson, changes = {}) =>
  person.call('POST', at(gateway, 'settlements'), settlementOf(changes));

/** A second account of the same person: the identity provider knows their address at it. */
async function otherAccountOf({ email, role }: TestPerson): Promise<TestPerson> {
  const other = await confirmed(await signedIn(gateway, role));
  const identity = { subject: `https://id.example ${randomUUID()}`, email };
  await seeIdentity(gateway.engine.store.database, other.personId, identity, new Date());
  return other;
}

const OWN = { code: 'APPROVAL_OWN' };

describe('settlement to a bank account', () => {
  let finance: TestPerson;
  let owner: TestPerson;

  beforeAll(async () => {
    finance = await confirmed(await signedIn(gateway, 'FINANCE'));
    owner = await confirmed(await signedIn(gateway, 'OWNER'));
    await decide(ben, await ask(ana, { amount: '9000' }), 'approve');
  });

  test('the account takes two people of the merchant and a cooling-off, and is shown masked', async () => {
    expect(reasonOf(await settle(finance))).toMatchObject({ code: 'BANK_ACCOUNT_MISSING' });
    const url = at(gateway, 'bank-accounts/UGX');
    for (const role of ['DEVELOPER', 'SUPPORT', 'READ_ONLY'] as const) {
      const person = await confirmed(await signedIn(gateway, role));
      expect(codeOf(await person.call('PUT', url, BANK))).toEqual([403, 'NOT_PERMITTED']);
      expect(codeOf(await settle(person))).toEqual([403, 'NOT_PERMITTED']);
    }
    expect(codeOf(await ana.call('PUT', url, BANK))).toEqual([403, 'NOT_PERMITTED']);
    const hasty = await signedIn(gateway, 'FINANCE');
    expect(codeOf(await hasty.call('PUT', url, BANK))).toEqual([403, 'CONFIRMATION_NEEDED']);
    expect(reasonOf(await finance.call('PUT', url, { ...BANK, number: '12?45' }))).toMatchObject({
      code: 'BANK_ACCOUNT_NUMBER_INVALID',
    });
    const { body } = await finance.call('PUT', url, BANK);
    expect(reasonOf(await owner.call('PUT', url, BANK))).toMatchObject({ code: 'BANK_ACCOUNT_REQUESTED' });
    for (const person of [finance, await otherAccountOf(finance)])
      expect(reasonOf(await decideOn(gateway, person, body.approvalId, 'approve'))).toMatchObject(OWN);
    expect((await decideOn(gateway, owner, body.approvalId, 'approve')).status).toBe(200);
    const listed = await owner.call('GET', at(gateway, 'bank-accounts'));
    expect(listed.body).toMatchObject({
      accounts: [{ currency: 'UGX', status: 'CURRENT', number: '••••••6789' }],
      coolingOffHours: 48,
    });
    expect(JSON.stringify(listed.body)).not.toContain('123456');
    expect(reasonOf(await settle(finance))).toMatchObject({
      code: 'BANK_ACCOUNT_COOLING_OFF',
      parameters: { usableFrom: listed.body.accounts[0].usableFrom },
    });
    await gateway.gateway.movableClock!.move(49 * 3_600_000);
  });

  test('what is requested is paid or rejected by two of the platform, who see the account in full', async () => {
    const before = Number(await posted());
    expect(reasonOf(await settle(finance, { amount: '0' }))).toMatchObject({ code: 'AMOUNT_ZERO' });
    expect(reasonOf(await settle(finance, { amount: '1.001' }))).toMatchObject({ code: 'AMOUNT_DECIMALS' });
    expect(reasonOf(await settle(finance, { amount: '99999999' }))).toMatchObject({
      code: 'SETTLEMENT_SHORT',
      parameters: { available: String(before), currency: 'UGX' },
    });
    const { body: first } = await settle(finance);
    // Lists are in the order of time.
    await gateway.gateway.movableClock!.move(1_000);
    const { body: second } = await settle(owner);
    const { body: listed } = await support.call('GET', 'api/host/settlements?status=REQUESTED');
    expect(listed.rows).toMatchObject([
      { settlementId: first.settlementId, merchant: 'Demo Shop', number: '••••••6789', amount: '700' },
      { settlementId: second.settlementId },
    ]);
    const about = (rest: string, { settlementId } = first) => `api/host/settlements/${settlementId}/${rest}`;
    expect(codeOf(await support.call('POST', about('account')))).toEqual([403, 'NOT_PERMITTED']);
    expect((await ana.call('POST', about('account'))).body).toEqual({ ...BANK, number: '00040123456789' });
    const [seen] = await readAuditLog(gateway.engine, { merchantId: gateway.merchantId, countMax: 1 });
    expect(seen).toMatchObject({ act: 'PERSONAL_DATA_SHOWN', actor: ana.email, subject: first.settlementId });
    const paid = { reference: 'FT26-7781' };
    expect(codeOf(await support.call('POST', about('paid'), paid))).toEqual([403, 'NOT_PERMITTED']);
    const { body: asked } = await ana.call('POST', about('paid'), paid);
    const again = await ben.call('POST', about('reject'), { reason: 'wrong account' });
    expect(reasonOf(again)).toMatchObject({ code: 'SETTLEMENT_DECISION_REQUESTED' });
    for (const person of [ana, await otherAccountOf(ana)])
      expect(reasonOf(await decide(person, asked.approvalId, 'approve'))).toMatchObject(OWN);
    expect((await decide(ben, asked.approvalId, 'approve')).status).toBe(200);
    expect(reasonOf(await ana.call('POST', about('paid'), paid))).toMatchObject({
      code: 'SETTLEMENT_DECIDED',
    });
    const { body: refused } = await ben.call('POST', about('reject', second), { reason: 'wrong account' });
    expect((await decide(ana, refused.approvalId, 'approve')).status).toBe(200);
    expect(Number(await posted())).toBe(before - 700);
    const { body: own } = await finance.call('GET', at(gateway, 'settlements'));
    expect(own.rows).toMatchObject([
      { settlementId: second.settlementId, status: 'REJECTED', reason: 'wrong account', reference: null },
      { settlementId: first.settlementId, status: 'PAID', reason: null, reference: 'FT26-7781' },
    ]);
    const { body: decided } = await support.call('GET', 'api/host/settlements?status=DECIDED&limit=1');
    expect(decided.rows).toMatchObject([{ status: 'REJECTED', reason: null }]);
    expect(decided.next).not.toBeNull();
  });

  describe('M11: of a currency that an operator moves in hundredths', () => {
    test('takes hundredths of UGX, and smaller fractions only with all that is available', async () => {
      // People move no such fraction; fees in basis points can leave one.
      expect(reasonOf(await ana.call('POST', ORDERS, orderOf({ amount: '10.005' })))).toMatchObject({
        code: 'AMOUNT_DECIMALS',
      });
      const place = { country: 'UGA', currency: 'UGX', walletProvider: '' };
      const order = { by: 'test', merchantId: gateway.merchantId, ...place, amount: 100_050n };
      expect(await topUpWallets(gateway.engine, [order])).toEqual({ type: 'DONE' });
      expect(reasonOf(await settle(finance, { amount: '1.005' }))).toMatchObject({ code: 'AMOUNT_DECIMALS' });
      const { body } = await settle(finance, { amount: '1.25' });
      expect(body).toEqual({ settlementId: expect.any(String) });
      const short = reasonOf(await settle(finance, { amount: '99999999' }));
      const { available } = short.parameters;
      expect(available).toMatch(/\.\d55$/);
      expect((await settle(finance, { amount: available })).status).toBe(200);
    });
  });
});
