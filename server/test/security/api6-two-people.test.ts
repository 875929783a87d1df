// OWASP API6:2023, Unrestricted Access to Sensitive Business Flows: money that people move manually needs two of them,
// and one person stays one, however they come and whatever they set before. Each flow by itself: cases.test.ts,
// console/money-requests.test.ts, console/payouts.test.ts, console/approvals.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createToken } from '../../src/core/merchants/administer-merchants.ts';
import { addPublicKey, requireSignatures } from '../../src/core/merchants/administer-keys.ts';
import { acceptInvitation, invite, removeMember } from '../../src/core/merchants/team.ts';
import { answerTo, approvalIn, at, decideAtHost, decideOn, PAYING } from '../console/asked.ts';
import {
  callerWith,
  confirmed,
  openTestConsole,
  PASSWORD,
  signedIn,
  signIn,
  type TestPerson,
} from '../console/people.ts';
import { act, fileOf, prepared } from '../console/payout-files.ts';
import { call, select, type TestGateway } from '../gateway.ts';
import { payoutRequest } from '../requests.ts';
import { createKey } from '../signing.ts';

let gateway: TestGateway;
let ana: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api', directoryRememberMs: 0 });
  ana = await signedIn(gateway, 'FINANCE');
});
afterAll(() => gateway.stop());

/** The same person, signed in once more. */
async function again(): Promise<TestPerson> {
  const cookie = await signIn(gateway, { email: ana.email, password: PASSWORD });
  return { ...ana, call: callerWith(gateway, cookie) };
}

async function join(role: 'OWNER' | 'OPERATOR_ADMIN', merchantId: string | null): Promise<void> {
  const { personId, email } = ana;
  const token = await invite(gateway.engine, { by: 'test', merchantId, email: email.toUpperCase(), role });
  expect(await acceptInvitation(gateway.engine, { token, personId, email })).not.toBeNull();
}

test('anyone who prepared cannot approve: not from another session, nor in another role, nor after joining again', async () => {
  const batchId = await prepared(gateway, ana, fileOf(2));
  const refused = async () => (await act(gateway, await again(), batchId, 'approve')).status;
  expect(await refused()).toBe(409);
  await join('OWNER', gateway.merchantId);
  expect(await refused()).toBe(409);
  await join('OPERATOR_ADMIN', null);
  expect(await refused()).toBe(409);
  const { engine, merchantId } = gateway;
  await signedIn(gateway, 'OWNER');
  expect(await removeMember(engine, { by: 'test', merchantId, personId: ana.personId })).toBe('DONE');
  await join('OWNER', merchantId);
  expect(await refused()).toBe(409);
  const batches = await select(gateway, 'select status from payout_batches where batch_id = $1', [batchId]);
  expect(batches).toEqual([{ status: 'WAITING' }]);
});

test('B10: The database itself refuses an approver who is not a person.', async () => {
  const decide = `update approvals set status = 'APPROVED', decided_at = requested_at, decided_by = 'ghost',
    decided_by_name = 'Ghost', decided_hash = shown_hash where approval_id = $1`;
  const developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
  await developer.call('POST', at(gateway, 'tokens'), PAYING);
  const approvalId = await approvalIn(gateway, developer, 'TOKEN');
  await expect(select(gateway, decide, [approvalId])).rejects.toThrow('only another person approves');
});

test('the database itself refuses one person in both places, and what takes effect without an approval', async () => {
  const rows = await select(
    gateway,
    `select conrelid::regclass::text as name, convalidated from pg_constraint
     where conname in ('approvals_need_two_people', 'approvals_approved_as_shown') order by 1`,
  );
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ name: 'approvals', convalidated: true })));
  const guarded = await select(
    gateway,
    `select distinct tgrelid::regclass::text as name, tgenabled as enabled from pg_trigger
     where tgfoid in ('require_approval'::regproc, 'require_bank_account_approval'::regproc,
       'require_settlement_approval'::regproc) order by 1`,
  );
  const tables = [
    'bank_accounts',
    'cases',
    'payment_reviews',
    'payout_batches',
    'payout_limits',
    'settlements',
  ];
  expect(guarded).toEqual(tables.map((name) => ({ name, enabled: 'O' })));
});

test('a token of the API opens nothing of the console, and a session nothing of the API', async () => {
  const path = `/console/api/merchants/${gateway.merchantId}/payout-batches`;
  expect((await call(gateway, 'GET', path)).status).toBe(401);
  const cookie = await signIn(gateway, { email: ana.email, password: PASSWORD });
  const answer = await fetch(`${gateway.url}/v2/wallet-balances`, { headers: { cookie } });
  expect(answer.status).toBe(401);
});

/** Everything that one person of a merchant could set alone to get money out without the second one. */
describe('one person alone, with every right at the merchant,', () => {
  let alone: TestPerson;
  let elsewhere: TestPerson;
  beforeAll(async () => {
    alone = await confirmed(await signedIn(gateway, 'OWNER'));
    const cookie = await signIn(gateway, { email: alone.email, password: PASSWORD });
    elsewhere = await confirmed({ ...alone, call: callerWith(gateway, cookie) });
  });
  const ask = (method: string, path: string, body: unknown) => alone.call(method, at(gateway, path), body);

  /** Anyone who asked says yes themselves: from here, from another session, and straight into the database. */
  async function cannotAgree(kind: string): Promise<string> {
    const approvalId = await approvalIn(gateway, alone, kind);
    expect((await decideOn(gateway, alone, approvalId, 'approve')).status).toBe(409);
    expect((await decideOn(gateway, elsewhere, approvalId, 'approve')).status).toBe(409);
    const decide = `update approvals set status = 'APPROVED', decided_at = requested_at, decided_by = $2,
      decided_by_name = $3, decided_hash = shown_hash where approval_id = $1`;
    for (const [personId, name] of [
      [alone.personId, 'Somebody Else'],
      [ana.personId, ` ${alone.email.toUpperCase()} `],
      [null, alone.email],
    ]) {
      await expect(select(gateway, decide, [approvalId, personId, name])).rejects.toThrow(
        /approvals_need_two_people|only another person approves/,
      );
    }
    return approvalId;
  }

  test.each(['payouts:write', 'refunds:write', 'remittances:write', 'split-payments:write'])(
    'one person alone, with every right at the merchant, makes no token that may %s',
    async (scope) => {
      const order = { ...PAYING, scopes: [scope, 'finances:read'] };
      const { body } = await ask('POST', 'tokens', order);
      expect(body.outcome).toBe('REQUESTED');
      await cannotAgree('TOKEN');
      expect((await answerTo(gateway, body.text)).status).toBe(401);
    },
  );

  test('one person alone, with every right at the merchant, adds no key by which a token that demands one would pay', async () => {
    const { engine, merchantId } = gateway;
    const { name, pem } = createKey(randomUUID(), 'ecdsa-p256-sha256');
    expect((await ask('POST', 'keys', { name, algorithm: 'ecdsa-p256-sha256', pem })).body.outcome).toBe(
      'REQUESTED',
    );
    await cannotAgree('PUBLIC_KEY');
    const kept = { name: 'kept', algorithm: 'ecdsa-p256-sha256', pem } as const;
    await addPublicKey(engine, { by: 'test', merchantId, ...kept });
    // Nor in the place of one that is there: taking it away leaves nothing that signs.
    expect((await ask('POST', 'keys', { ...kept, pem })).status).toBe(409);
    expect((await alone.call('DELETE', at(gateway, 'keys/kept'))).status).toBe(200);
    expect((await ask('POST', 'keys', { ...kept, pem })).body.outcome).toBe('REQUESTED');
    expect((await alone.call('GET', at(gateway, 'keys'))).body.keys).toEqual([]);
  });

  test('one person alone, with every right at the merchant, does not switch signatures off', async () => {
    const { engine, merchantId } = gateway;
    await requireSignatures(engine, { by: 'test', merchantId, covers: 'PAYMENTS', isRequired: true });
    const scopes = ['payouts:write'] as const;
    const token = await createToken(engine, { by: 'test', merchantId, name: 'x', scopes, expiresAt: null });
    expect((await ask('PUT', 'signed-requests-only', { isRequired: false })).body.outcome).toBe('REQUESTED');
    await cannotAgree('UNSIGNED_REQUESTS');
    const answer = await call({ ...gateway, apiToken: token.text }, 'POST', '/v2/payouts', payoutRequest());
    expect(answer.status).toBe(401);
    await requireSignatures(engine, { by: 'test', merchantId, covers: 'PAYMENTS', isRequired: false });
  });

  test('B6: one person alone, with every right at the merchant, does not switch signatures for payment pages off', async () => {
    const { engine, merchantId } = gateway;
    await requireSignatures(engine, { by: 'test', merchantId, covers: 'PAGES', isRequired: true });
    expect((await ask('PUT', 'signed-pages-only', { isRequired: false })).body.outcome).toBe('REQUESTED');
    await cannotAgree('UNSIGNED_PAGES');
    expect((await alone.call('GET', at(gateway, 'keys'))).body.signedPagesOnly).toBe(true);
    await requireSignatures(engine, { by: 'test', merchantId, covers: 'PAGES', isRequired: false });
  });

  test.each(['OWNER', 'DEVELOPER', 'FINANCE'])(
    'one person alone, with every right at the merchant, does not invite a second self as %s',
    async (role) => {
      const { body } = await ask('POST', 'team/invitations', { email: `${randomUUID()}@example.com`, role });
      expect(body).toEqual({ link: null, outcome: 'REQUESTED' });
      await cannotAgree('INVITATION');
    },
  );

  test('one person alone, with every right at the merchant, does not raise a second self who was let in to look', async () => {
    const self = await signedIn(gateway, 'READ_ONLY');
    for (const role of ['OWNER', 'DEVELOPER', 'FINANCE']) {
      expect((await ask('PUT', `team/members/${self.personId}`, { role })).body.outcome).toBe('REQUESTED');
      await cannotAgree('ROLE');
    }
    expect((await self.call('GET', 'api/me')).body.merchants).toMatchObject([{ role: 'READ_ONLY' }]);
  });

  test('one person alone, with every right at the merchant, does not raise the limit up to which one is enough', async () => {
    const limit = { amount: '1000000' };
    expect((await ask('PUT', 'payout-limits/RWF', limit)).body.outcome).toBe('REQUESTED');
    await cannotAgree('PAYOUT_LIMIT');
  });

  test('one person alone, with every right at the merchant, does not register the bank account that money goes to', async () => {
    const account = { bank: 'Bank of Kigali', holder: 'Eve', number: '00040123456' };
    expect((await ask('PUT', 'bank-accounts/RWF', account)).status).toBe(200);
    await cannotAgree('BANK_ACCOUNT');
    const { body } = await alone.call('GET', at(gateway, 'bank-accounts'));
    expect(body.accounts).toMatchObject([{ status: 'REQUESTED', number: '••••••3456', usableFrom: null }]);
  });

  test('one person alone, with every right at the merchant, must give the password again to ask, and to agree', async () => {
    const careless = await signedIn(gateway, 'OWNER');
    const { body } = await careless.call('POST', at(gateway, 'tokens'), PAYING);
    expect(body.failureReason.failureCode).toBe('CONFIRMATION_NEEDED');
    await ask('POST', 'tokens', PAYING);
    const approvalId = await cannotAgree('TOKEN');
    const answer = await decideOn(gateway, careless, approvalId, 'approve');
    expect(answer.body.failureReason.failureCode).toBe('CONFIRMATION_NEEDED');
  });

  test('one person alone, with every right at the merchant, changes where callbacks go, which shows outcomes and moves nothing', async () => {
    const url = 'https://elsewhere.example/callbacks';
    expect((await ask('PUT', 'callbacks', { kinds: ['PAYOUT'], url })).status).toBe(200);
    const acts = await select(gateway, `select actor from audit_log where act = 'CALLBACK_URL_SET'`);
    expect(acts).toContainEqual({ actor: alone.email });
  });
});

describe('one person of the host, with every right,', () => {
  let alone: TestPerson;
  beforeAll(async () => {
    alone = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
  });

  test('one person of the host, with every right, does not invite a second self as administrator, nor raise one', async () => {
    const email = `${randomUUID()}@host.example`;
    const order = { email, role: 'OPERATOR_ADMIN' };
    expect((await alone.call('POST', 'api/host/team/invitations', order)).body).toEqual({
      link: null,
      outcome: 'REQUESTED',
    });
    const self = await signedIn(gateway, 'OPERATOR_SUPPORT');
    const path = `api/host/team/members/${self.personId}`;
    expect((await alone.call('PUT', path, { role: 'OPERATOR_ADMIN' })).body.outcome).toBe('REQUESTED');
    for (const kind of ['INVITATION', 'ROLE']) {
      const approvalId = await approvalIn(gateway, alone, kind);
      expect((await decideAtHost(gateway, alone, approvalId)).status).toBe(409);
    }
    expect((await self.call('GET', 'api/me')).body.host.role).toBe('OPERATOR_SUPPORT');
  });

  test('one person of the host, with every right, asks for nothing in the name of a merchant', async () => {
    for (const [method, path, body] of [
      ['POST', 'tokens', PAYING],
      ['PUT', 'signed-requests-only', { isRequired: false }],
      ['POST', 'team/invitations', { email: 'self@host.example', role: 'OWNER' }],
      ['PUT', 'payout-limits/RWF', { amount: '1000000' }],
      ['PUT', 'bank-accounts/RWF', { bank: 'Bank of Kigali', holder: 'Eve', number: '00040123456' }],
    ] as const) {
      const answer = await alone.call(method, at(gateway, path), body);
      expect([path, answer.body.failureReason.failureCode]).toEqual([path, 'NOT_PERMITTED']);
    }
  });

  test('one person of the host, with every right, is one person at a merchant too: what they asked for as its owner they do not agree to as the host', async () => {
    const { personId, email } = alone;
    const { merchantId } = gateway;
    const token = await invite(gateway.engine, { by: 'test', merchantId, email, role: 'OWNER' });
    await acceptInvitation(gateway.engine, { token, personId, email });
    expect((await alone.call('POST', at(gateway, 'tokens'), PAYING)).body.outcome).toBe('REQUESTED');
    const approvalId = await approvalIn(gateway, alone, 'TOKEN');
    expect((await decideOn(gateway, alone, approvalId, 'approve')).status).toBe(409);
    expect((await decideAtHost(gateway, alone, approvalId)).status).toBe(404);
  });
});
