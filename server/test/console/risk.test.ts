// Limits, freezes and lists of phone numbers through the console: one person makes them stricter, two loosen them.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createDemoMerchant } from '../../src/commands/sandbox/demo-merchant.ts';
import { initiate } from '../../src/core/payments/accept/initiate.ts';
import { select, type TestGateway } from '../gateway.ts';
import { orderOf } from '../limits/limited-merchants.ts';
import { decideAtHost, type Deciding } from './asked.ts';
import {
  callerWith,
  confirmed,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from './people.ts';

let gateway: TestGateway;
let ana: TestPerson;
let ben: TestPerson;
let support: TestPerson;
let owner: TestPerson;
let merchantId: string;

beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  ana = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  ben = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  support = await confirmed(await signedIn(gateway, 'OPERATOR_SUPPORT'));
});
afterAll(() => gateway.stop());
beforeEach(async () => {
  ({ merchantId } = await createDemoMerchant(gateway.engine, null));
  owner = await confirmed(await signedIn(gateway, 'OWNER', merchantId));
});

const decide = (person: TestPerson, approvalId: string, what: Deciding) =>
  decideAtHost(gateway, person, approvalId, what);

/** The only request of a kind that is pending. */
async function pending(kind: string): Promise<string> {
  const rows = await select(
    gateway,
    `select approval_id as id from approvals where kind = $1 and status = 'PENDING'`,
    [kind],
  );
  expect(rows).toHaveLength(1);
  return rows[0]!['id'];
}

async function start(phoneNumber: string): Promise<string> {
  const order = await orderOf(gateway.engine, merchantId, { kind: 'PAYOUT', details: { phoneNumber } });
  return (await initiate(gateway.engine, [order]))[0]!.type;
}

const actsOf = async (person: TestPerson) =>
  (await select(gateway, 'select act from audit_log where actor = $1 order by entry_no', [person.email])).map(
    ({ act }) => act,
  );

async function done(person: TestPerson, method: string, path: string, body?: unknown) {
  const answer = await person.call(method, `api/${path}`, body);
  expect([path, answer.status, answer.body?.failureReason]).toEqual([path, 200, undefined]);
  return answer.body;
}

async function refused(person: TestPerson, method: string, path: string, body?: unknown): Promise<string> {
  const { failureReason } = (await person.call(method, `api/${path}`, body)).body;
  return failureReason.reason?.code ?? failureReason.failureCode;
}

const withdraw = (of: string, approvalId: string) => `merchants/${of}/approvals/${approvalId}/withdraw`;
const WHY = { reason: 'the merchant made a new token' };
const NUMBERS = 'host/listed-numbers';
const LIMIT = { kind: 'PAYOUT', scope: 'MERCHANT', subject: '', period: 'DAY', currency: 'RWF' };

const add = (list: string, phoneNumber: string, more: object = {}) =>
  done(ana, 'POST', NUMBERS, { list, merchantId, phoneNumber, reason: 'told by Grace Uwase', ...more });

const list = async (person: TestPerson, of: string) =>
  (await done(person, 'GET', `${NUMBERS}?list=${of}&merchantId=${merchantId}`)).rows;

const bad = (text: string) =>
  refused(ana, 'POST', `${NUMBERS}/import`, { list: 'BLOCKED', merchantId, file: text });

const frozen = async (person: TestPerson) => (await done(person, 'GET', 'host/freezes')).freezes;

const refusedFreeze = (body: object) => refused(ana, 'POST', 'host/freezes', { reason: 'fraud', ...body });

const ofMerchant = () => `merchants/${merchantId}/limits`;
const ofPlatform = () => `host/merchants/${merchantId}/limits`;

const listed = async (person: TestPerson) =>
  (await done(person, 'GET', ofMerchant())).limits.filter((one: { isDefault: boolean }) => !one.isDefault);

const refusedLimit = (change: object) =>
  refused(ana, 'PUT', ofPlatform(), { ...LIMIT, countMax: 1, amountMax: null, ...change });

describe('a list of phone numbers', () => {
  test('A number is blocked at once, and another person must approve the end of it.', async () => {
    const number = '250783000101';
    expect(await add('BLOCKED', '+250 783 000 101')).toEqual({ outcome: 'DONE', missingCells: [] });
    expect(await start(number)).toBe('NOT_ALLOWED');
    const [entry] = await list(ana, 'BLOCKED');
    expect(entry).toMatchObject({ phoneNumber: '••••••101', reason: 'told by Grace Uwase', merchantId });
    const removed = await done(ana, 'POST', `${NUMBERS}/${entry.entryId}/remove`);
    expect(removed).toEqual({ outcome: 'REQUESTED', missingCells: [] });
    expect(await start(number)).toBe('NOT_ALLOWED');
    const id = await pending('NUMBER_LIST');
    expect((await decide(ana, id, 'approve')).status).toBe(409);
    const requested = await done(ben, 'GET', `host/number-requests/${id}`);
    expect(requested.rows).toEqual([expect.objectContaining({ phoneNumber: '••••••101' })]);
    expect((await decide(ben, id, 'approve')).status).toBe(200);
    expect(await start(number)).toBe('ACCEPTED');
    expect(await list(ana, 'BLOCKED')).toEqual([]);
  });

  test('A number is allowed once another person approves it; one that is rejected leaves no trace of it.', async () => {
    expect(await add('ALLOWED', '250783000102')).toMatchObject({ outcome: 'REQUESTED' });
    expect(await list(ana, 'ALLOWED')).toEqual([]);
    const id = await pending('NUMBER_LIST');
    const shown = await done(ben, 'POST', `host/number-requests/${id}/reveal`, {});
    expect(shown.rows).toEqual([expect.objectContaining({ phoneNumber: '250783000102', list: 'ALLOWED' })]);
    expect(await actsOf(ben)).toContain('PERSONAL_DATA_SHOWN');
    await decide(ben, id, 'approve');
    expect(await list(ana, 'ALLOWED')).toEqual([
      expect.objectContaining({ phoneNumber: '••••••102', addedBy: ana.email }),
    ]);
    await add('ALLOWED', '250783000103');
    await decide(ben, await pending('NUMBER_LIST'), 'reject');
    expect(await list(ana, 'ALLOWED')).toHaveLength(1);
    const rows = await select(gateway, 'select count(*)::int as n from listed_numbers where is_requested');
    expect(rows).toEqual([{ n: 0 }]);
    // To end an allowance takes one person.
    const [entry] = await list(ana, 'ALLOWED');
    expect(await done(ana, 'POST', `${NUMBERS}/${entry.entryId}/remove`)).toMatchObject({ outcome: 'DONE' });
  });

  test('A block that is repeated with an earlier expiry ends no earlier.', async () => {
    await add('BLOCKED', '250783000104', { expiresAt: '2999-01-01T00:00:00Z' });
    await add('BLOCKED', '250783000104', { expiresAt: '2998-01-01T00:00:00Z' });
    expect(await list(ana, 'BLOCKED')).toEqual([
      expect.objectContaining({ expiresAt: '2999-01-01T00:00:00.000Z' }),
    ]);
  });

  test('A file is imported and exported, or refused at the first line that cannot be read.', async () => {
    const file = 'number,reason,expires\n250783000105,"fraud, twice",\n250783000106,=cmd,2999-01-31\n';
    const imported = await done(ana, 'POST', `${NUMBERS}/import`, { list: 'BLOCKED', merchantId, file });
    expect(imported).toEqual({ outcome: 'DONE', missingCells: [], count: 2 });
    const cookie = await signIn(gateway, { email: ana.email, password: PASSWORD });
    await callerWith(gateway, cookie)('POST', 'api/me/confirm', { password: PASSWORD });
    const exported = await fetch(`${gateway.url}/console/api/${NUMBERS}/export`, {
      method: 'POST',
      headers: {
        cookie,
        origin: gateway.engine.publicUrl ?? gateway.url,
        'content-type': 'application/json',
      },
      body: JSON.stringify({ list: 'BLOCKED', merchantId }),
    });
    expect((await exported.text()).split('\r\n').toSorted()).toEqual([
      '',
      '250783000105,"fraud, twice",',
      '250783000106," =cmd",2999-01-31T00:00:00.000Z',
      'number,reason,expires',
    ]);
    expect(await actsOf(ana)).toContain('NUMBERS_EXPORTED');
    expect(await bad('number,reason,expires\n250783000107,ok,\n12,bad,\n')).toBe('NUMBER_FILE_NUMBER');
    expect(await bad('number,reason,expires\n250783000107,,\n')).toBe('NUMBER_FILE_REASON');
    expect(await bad('number,reason,expires\n250783000107,ok,soon\n')).toBe('NUMBER_FILE_EXPIRES');
    expect(await bad('number,reason,expires\n')).toBe('NUMBER_FILE_EMPTY');
    expect(await list(ana, 'BLOCKED')).toHaveLength(2);
  });

  test('All allowed numbers of a file are one request.', async () => {
    const file = 'number,reason,expires\n250783000108,staff,\n250783000109,staff,\n';
    const imported = await done(ana, 'POST', `${NUMBERS}/import`, { list: 'ALLOWED', merchantId, file });
    expect(imported).toMatchObject({ outcome: 'REQUESTED', count: 2 });
    const id = await pending('NUMBER_LIST');
    expect((await done(ben, 'GET', `host/number-requests/${id}?limit=1`)).rows).toHaveLength(1);
    await decide(ben, id, 'approve');
    expect(await list(ana, 'ALLOWED')).toHaveLength(2);
  });

  test('A number in full and the reason are for those who may see them, and it is recorded who asked.', async () => {
    await add('BLOCKED', '250783000110');
    const [entry] = await list(support, 'BLOCKED');
    expect(entry).toMatchObject({ phoneNumber: '••••••110', reason: null });
    const reveal = `${NUMBERS}/${entry.entryId}/reveal`;
    expect(await refused(support, 'POST', reveal)).toBe('NOT_PERMITTED');
    expect(await done(ben, 'POST', reveal)).toEqual({ phoneNumber: '250783000110' });
    const find = { phoneNumber: '+250 783 000 110' };
    expect(await refused(support, 'POST', `${NUMBERS}/find`, find)).toBe('NOT_PERMITTED');
    const found = await done(ben, 'POST', `${NUMBERS}/find`, find);
    expect(found.entries).toEqual([expect.objectContaining({ entryId: entry.entryId, list: 'BLOCKED' })]);
    expect((await actsOf(ben)).slice(-2)).toEqual(['PERSONAL_DATA_SHOWN', 'PHONE_NUMBER_SEARCHED']);
    expect(await refused(support, 'POST', `${NUMBERS}/${entry.entryId}/remove`)).toBe('NOT_PERMITTED');
  });

  test('What cannot be a number or has expired already is refused.', async () => {
    const body = { list: 'BLOCKED', merchantId, phoneNumber: '0783000111', reason: 'fraud' };
    expect(await refused(ana, 'POST', NUMBERS, body)).toBe('PHONE_NUMBER_INVALID');
    const past = { ...body, phoneNumber: '250783000111', expiresAt: '2020-01-01T00:00:00Z' };
    expect(await refused(ana, 'POST', NUMBERS, past)).toBe('EXPIRY_PAST');
    const other = {
      ...body,
      phoneNumber: '250783000111',
      merchantId: '00000000-0000-4000-8000-000000000000',
    };
    expect(await refused(ana, 'POST', NUMBERS, other)).toBe('NOT_FOUND');
  });
});

describe('a freeze', () => {
  test('A merchant is frozen at once, and freed when another person approves it.', async () => {
    const body = { scope: 'MERCHANT', subject: merchantId.toUpperCase(), reason: 'told by Grace Uwase' };
    expect(await done(ana, 'POST', 'host/freezes', { ...body, expiresAt: '2999-01-01T00:00:00Z' })).toEqual({
      isKnown: true,
      missingCells: [],
    });
    const [freeze] = await frozen(ana);
    expect(freeze).toMatchObject({
      scope: 'MERCHANT',
      subject: merchantId,
      name: expect.any(String),
      reason: 'told by Grace Uwase',
      liftReason: null,
      frozenBy: ana.email,
      expiresAt: '2999-01-01T00:00:00.000Z',
      cellsWithout: [],
    });
    expect((await frozen(support))[0].reason).toBeNull();
    const lift = `host/freezes/${freeze.freezeId}/lift`;
    expect(await refused(support, 'POST', lift, WHY)).toBe('NOT_PERMITTED');
    expect(await refused(ana, 'POST', lift, {})).toBe('INVALID_PARAMETER');
    expect(await done(ana, 'POST', lift, WHY)).toEqual({ outcome: 'REQUESTED', missingCells: [] });
    expect(await frozen(ana)).toHaveLength(1);
    const id = await pending('FREEZE_LIFT');
    expect((await frozen(ben))[0].liftReason).toBe(WHY.reason);
    expect((await frozen(support))[0].liftReason).toBeNull();
    const { details } = await done(ben, 'GET', `host/approvals/${id}`);
    expect(details).toEqual({
      scope: 'MERCHANT',
      subject: merchantId,
      label: freeze.name,
      frozenBy: ana.email,
      frozenAt: freeze.frozenAt,
    });
    await decide(ben, id, 'approve');
    expect(await frozen(ana)).toEqual([]);
    expect(await refused(ana, 'POST', lift, WHY)).toBe('NOT_FOUND');
    const seen = await done(support, 'GET', 'host/risk-events');
    expect(seen.events.map(({ event }: { event: string }) => event).toSorted()).toEqual(
      expect.arrayContaining(['FREEZE_LIFTED', 'FROZEN']),
    );
    expect(seen.events.find(({ event }: { event: string }) => event === 'FROZEN')).toMatchObject({
      merchantId,
      merchant: freeze.name,
      subject: 'MERCHANT',
      count: 1,
    });
  });

  test('The number of a frozen recipient is masked until somebody who may asks for it.', async () => {
    await done(ana, 'POST', 'host/freezes', {
      scope: 'NUMBER',
      phoneNumber: '+250783000120',
      reason: 'fraud',
    });
    const [freeze] = await frozen(support);
    expect(freeze).toMatchObject({ scope: 'NUMBER', subject: '••••••120', name: null });
    const reveal = `host/freezes/${freeze.freezeId}/reveal`;
    expect(await refused(support, 'POST', reveal)).toBe('NOT_PERMITTED');
    expect(await done(ben, 'POST', reveal)).toEqual({ phoneNumber: '250783000120' });
    expect((await actsOf(ben)).at(-1)).toBe('PERSONAL_DATA_SHOWN');
    await done(ana, 'POST', `host/freezes/${freeze.freezeId}/lift`, WHY);
    await decide(ben, await pending('FREEZE_LIFT'), 'approve');
  });

  test('What names nothing is refused, or said to be unknown.', async () => {
    expect(await refusedFreeze({ scope: 'MERCHANT' })).toBe('SUBJECT_MISSING');
    expect(await refusedFreeze({ scope: 'PROVIDER', subject: 'NONE' })).toBe('PROVIDER_UNKNOWN');
    expect(await refusedFreeze({ scope: 'NUMBER' })).toBe('PHONE_NUMBER_INVALID');
    expect(await refusedFreeze({ scope: 'ALL', expiresAt: '2020-01-01T00:00:00Z' })).toBe('EXPIRY_PAST');
    const unknown = { scope: 'TOKEN', subject: 'nothing', reason: 'fraud' };
    expect(await done(ana, 'POST', 'host/freezes', unknown)).toEqual({ isKnown: false, missingCells: [] });
  });
});

describe('a limit', () => {
  test('The platform sets a limit, the merchant sees it and how much of it is used, and cannot change it.', async () => {
    const set = { ...LIMIT, countMax: 2, amountMax: '500000' };
    expect(await done(ana, 'PUT', ofPlatform(), set)).toEqual({ outcome: 'DONE' });
    await gateway.engine.directory.merchant(merchantId);
    const [limit] = await listed(owner);
    expect(limit).toMatchObject({
      setBy: 'PLATFORM',
      ...set,
      used: { count: 0, amount: '0' },
      approval: null,
    });
    expect(await refused(owner, 'PUT', ofPlatform(), set)).toBe('NOT_FOUND');
    expect(await refused(owner, 'POST', `${ofMerchant()}/remove`, LIMIT)).toBe('NOT_FOUND');
    expect(await refused(support, 'PUT', ofPlatform(), set)).toBe('NOT_PERMITTED');
  });

  test('A merchant sets a stricter limit at once; the platform approves a looser one.', async () => {
    expect(await done(owner, 'PUT', ofMerchant(), { ...LIMIT, countMax: 1, amountMax: null })).toEqual({
      outcome: 'DONE',
    });
    expect(await done(owner, 'PUT', ofMerchant(), { ...LIMIT, countMax: 5, amountMax: null })).toEqual({
      outcome: 'REQUESTED',
    });
    const [limit] = await listed(owner);
    expect(limit).toMatchObject({
      setBy: 'MERCHANT',
      countMax: 1,
      approval: { isOwn: true, isPlatform: true },
    });
    const id = await pending('LIMIT');
    expect(limit.approval.approvalId).toBe(id);
    // The platform decides: the merchant's people do not.
    const approve = `merchants/${merchantId}/approvals/${id}/approve`;
    expect(await refused(owner, 'POST', approve, { hash: limit.approval.hash })).toBe('NOT_FOUND');
    expect((await decide(ana, id, 'approve')).status).toBe(200);
    expect((await listed(owner))[0]).toMatchObject({ countMax: 5, approval: null });
    expect(await done(owner, 'POST', `${ofMerchant()}/remove`, LIMIT)).toEqual({ outcome: 'REQUESTED' });
    await decide(ana, await pending('LIMIT'), 'reject');
    expect(await listed(owner)).toHaveLength(1);
  });

  test('A person of a merchant withdraws their own request about a limit, and no one else does.', async () => {
    await done(owner, 'PUT', ofMerchant(), { ...LIMIT, countMax: 1, amountMax: null });
    await done(owner, 'PUT', ofMerchant(), { ...LIMIT, countMax: 5, amountMax: null });
    const id = await pending('LIMIT');
    const colleague = await confirmed(await signedIn(gateway, 'OWNER', merchantId));
    expect(await refused(colleague, 'POST', withdraw(merchantId, id))).toBe('APPROVAL_NOT_YOURS');
    const { merchantId: other } = await createDemoMerchant(gateway.engine, null);
    const stranger = await confirmed(await signedIn(gateway, 'OWNER', other));
    expect(await refused(stranger, 'POST', withdraw(other, id))).toBe('NOT_FOUND');
    await done(owner, 'POST', withdraw(merchantId, id));
    expect((await listed(owner))[0]).toMatchObject({ countMax: 1, approval: null });
    expect((await actsOf(owner)).at(-1)).toBe('APPROVAL_WITHDRAWN');
  });

  test('A limit that would count nothing is refused.', async () => {
    expect(await refusedLimit({ countMax: null })).toBe('LIMIT_NOTHING');
    expect(await refusedLimit({ currency: '', amountMax: '5' })).toBe('LIMIT_CURRENCY_MISSING');
    expect(await refusedLimit({ currency: 'XXX' })).toBe('CURRENCY_UNKNOWN');
    expect(await refusedLimit({ subject: 'RWA' })).toBe('LIMIT_SUBJECT_NOT_ALLOWED');
    expect(await refusedLimit({ scope: 'COUNTRY', subject: 'ZZZ' })).toBe('COUNTRY_UNKNOWN');
    expect(await refusedLimit({ scope: 'PROVIDER', subject: 'NONE' })).toBe('PROVIDER_UNKNOWN');
    expect(await refusedLimit({ scope: 'TOKEN', subject: 'nothing' })).toBe('TOKEN_UNKNOWN');
  });
});
