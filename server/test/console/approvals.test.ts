// What waits for a second approver: asked for by one, done when another agrees, and nothing before. How one person
// alone tries to get round it is in security/api6-two-people.test.ts.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAuditLog } from '../../src/core/audit.ts';
import { removeMember } from '../../src/core/merchants/team.ts';
import { select, type TestGateway } from '../gateway.ts';
import { runCommandHere, type CommandResult } from '../command-process.ts';
import { serverEnvironment } from '../server-process.ts';
import { createKey } from '../signing.ts';
import { answerTo, approvalIn, at, decideAtHost, decideOn, PAYING } from './asked.ts';
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
let owner: TestPerson;
let developer: TestPerson;
let finance: TestPerson;
let admin: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api', directoryRememberMs: 0 });
  owner = await confirmed(await signedIn(gateway, 'OWNER'));
  developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
  finance = await confirmed(await signedIn(gateway, 'FINANCE'));
  admin = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
});
afterAll(() => gateway.stop());

async function actsOf(approvalId: string): Promise<readonly (readonly [act: string, by: string])[]> {
  const entries = await readAuditLog(gateway.engine, { merchantId: null, countMax: 500 });
  return entries
    .filter(({ subject }) => subject === approvalId)
    .map(({ act, actor }) => [act, actor] as const)
    .toReversed();
}

function run(...args: readonly string[]): Promise<CommandResult> {
  return runCommandHere(serverEnvironment(gateway), args);
}

/** A token that was asked for. */
async function askedToken(): Promise<{ readonly text: string; readonly approvalId: string }> {
  const made = await developer.call('POST', at(gateway, 'tokens'), PAYING);
  expect(made.body).toMatchObject({ outcome: 'REQUESTED', text: expect.any(String) });
  return { text: made.body.text, approvalId: await approvalIn(gateway, developer, 'TOKEN') };
}

describe('a token that lets money out', () => {
  test('a token that lets money out is unknown until another person agrees; then it works as any other', async () => {
    const { text, approvalId } = await askedToken();
    const { tokens } = (await developer.call('GET', at(gateway, 'tokens'))).body;
    expect(tokens.map(({ name }: { name: string }) => name)).not.toContain(PAYING.name);
    expect(await answerTo(gateway, text)).toEqual(await answerTo(gateway, `${text.slice(0, -4)}AAAA`));

    const listed = await finance.call('GET', at(gateway, 'approvals?status=PENDING'));
    expect(listed.body.rows).toContainEqual(
      expect.objectContaining({
        approvalId,
        kind: 'TOKEN',
        requestedBy: developer.email,
        mayDecide: true,
        details: { tokenId: text.split('_')[3], name: PAYING.name, scopes: PAYING.scopes.join(', ') },
      }),
    );
    expect(JSON.stringify(listed.body)).not.toMatch(/secretHash|"request"/);
    expect((await decideOn(gateway, finance, approvalId, 'approve')).body).toEqual({
      link: null,
      outcome: 'DONE',
    });
    expect((await answerTo(gateway, text)).status).toBe(200);
    expect(await actsOf(approvalId)).toEqual([
      ['APPROVAL_REQUESTED', developer.email],
      ['APPROVAL_GIVEN', finance.email],
    ]);
    const decided = await developer.call('GET', at(gateway, 'approvals?status=DECIDED'));
    expect(decided.body.rows[0]).toMatchObject({
      approvalId,
      isOwn: true,
      status: 'APPROVED',
      decision: { by: finance.email },
    });
  });

  test('a token that lets money out is made once, however many agree at the same moment', async () => {
    const { approvalId } = await askedToken();
    const answers = await Promise.all(
      [owner, finance, admin, owner, finance].map((one) => decideOn(gateway, one, approvalId, 'approve')),
    );
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409, 409, 409]);
  });

  test('a token that lets money out never works after it was refused or taken back', async () => {
    const refused = await askedToken();
    expect((await decideOn(gateway, owner, refused.approvalId, 'reject')).status).toBe(200);
    const withdrawn = await askedToken();
    expect((await decideOn(gateway, owner, withdrawn.approvalId, 'withdraw')).status).toBe(409);
    expect((await decideOn(gateway, developer, withdrawn.approvalId, 'withdraw')).status).toBe(200);
    for (const { approvalId, text } of [refused, withdrawn]) {
      expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(409);
      expect((await answerTo(gateway, text)).status).toBe(401);
    }
    expect((await actsOf(refused.approvalId)).at(-1)).toEqual(['APPROVAL_REJECTED', owner.email]);
    expect((await actsOf(withdrawn.approvalId)).at(-1)).toEqual(['APPROVAL_WITHDRAWN', developer.email]);
  });

  test('a token that lets money out is not made for somebody who has left since: they hold its text', async () => {
    const leaving = await confirmed(await signedIn(gateway, 'DEVELOPER'));
    const { body } = await leaving.call('POST', at(gateway, 'tokens'), PAYING);
    const approvalId = await approvalIn(gateway, leaving, 'TOKEN');
    const { engine, merchantId } = gateway;
    await removeMember(engine, { by: owner.email, merchantId, personId: leaving.personId });
    expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(409);
    expect((await answerTo(gateway, body.text)).status).toBe(401);
    expect((await decideOn(gateway, finance, approvalId, 'reject')).status).toBe(200);
  });
});

test('one that lets no money out is made at once by one person', async () => {
  const order = { ...PAYING, scopes: ['deposits:write', 'checkouts:write', 'finances:read'] };
  const { body } = await developer.call('POST', at(gateway, 'tokens'), order);
  expect(body.outcome).toBe('DONE');
  expect((await answerTo(gateway, body.text)).status).toBe(200);
});

describe('a public key', () => {
  const { name, pem } = createKey(randomUUID(), 'ecdsa-p256-sha256');
  const key = { name, algorithm: 'ecdsa-p256-sha256', pem };

  test('a public key counts when another person agrees, by its fingerprint', async () => {
    const { body } = await developer.call('POST', at(gateway, 'keys'), key);
    expect(body.outcome).toBe('REQUESTED');
    expect((await developer.call('GET', at(gateway, 'keys'))).body.keys).toEqual([]);
    const open = (await owner.call('GET', at(gateway, 'approvals?status=PENDING'))).body.rows;
    expect(open).toContainEqual(
      expect.objectContaining({
        subject: name,
        details: { name, algorithm: key.algorithm, fingerprint: body.fingerprint },
      }),
    );
    const approvalId = await approvalIn(gateway, developer, 'PUBLIC_KEY');
    expect((await decideOn(gateway, owner, approvalId, 'approve')).status).toBe(200);
    expect((await developer.call('GET', at(gateway, 'keys'))).body.keys).toMatchObject([{ name }]);
  });

  test('a public key whose name was taken meanwhile is not replaced', async () => {
    const other = { ...key, name: randomUUID() };
    await developer.call('POST', at(gateway, 'keys'), other);
    const first = await approvalIn(gateway, developer, 'PUBLIC_KEY');
    await owner.call('POST', at(gateway, 'keys'), other);
    const second = await approvalIn(gateway, owner, 'PUBLIC_KEY');
    expect((await decideOn(gateway, finance, first, 'approve')).status).toBe(200);
    expect((await decideOn(gateway, finance, second, 'approve')).status).toBe(409);
  });

  test('a public key is demanded by one person, and done without only by two', async () => {
    const demand = (isRequired: boolean) =>
      developer.call('PUT', at(gateway, 'signed-requests-only'), { isRequired });
    expect((await demand(true)).body).toEqual({ outcome: 'DONE' });
    expect((await demand(false)).body).toEqual({ outcome: 'REQUESTED' });
    const isDemanded = async () =>
      (await developer.call('GET', at(gateway, 'keys'))).body.signedRequestsOnly as boolean;
    expect(await isDemanded()).toBe(true);
    const approvalId = await approvalIn(gateway, developer, 'UNSIGNED_REQUESTS');
    expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(200);
    expect(await isDemanded()).toBe(false);
  });
});

test('B6: signatures for pages are demanded by one person, and done without only by two', async () => {
  const demand = (isRequired: boolean) =>
    developer.call('PUT', at(gateway, 'signed-pages-only'), { isRequired });
  expect((await demand(true)).body).toEqual({ outcome: 'DONE' });
  expect((await demand(false)).body).toEqual({ outcome: 'REQUESTED' });
  const approvalId = await approvalIn(gateway, developer, 'UNSIGNED_PAGES');
  const isDemanded = async () =>
    (await developer.call('GET', at(gateway, 'keys'))).body.signedPagesOnly as boolean;
  expect(await isDemanded()).toBe(true);
  expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(200);
  expect(await isDemanded()).toBe(false);
});

describe('somebody who takes part in deciding', () => {
  test('a new approver joins by a link once another person approves', async () => {
    const email = `${randomUUID()}@example.com`;
    const { body } = await owner.call('POST', at(gateway, 'team/invitations'), { email, role: 'FINANCE' });
    expect(body).toEqual({ link: null, outcome: 'REQUESTED' });
    const approvalId = await approvalIn(gateway, owner, 'INVITATION');
    const given = await decideOn(gateway, finance, approvalId, 'approve');
    const token = given.body.link.split('/').at(-1);
    const joined = { token, name: 'New', password: PASSWORD };
    expect((await callerWith(gateway, '')('POST', 'api/join', joined)).status).toBe(200);
    const { members } = (await owner.call('GET', at(gateway, 'team'))).body;
    expect(members).toContainEqual(expect.objectContaining({ email, role: 'FINANCE' }));
  });

  test('somebody who takes part in deciding gets a role that decides about more by two people, and one that decides about less by one', async () => {
    const person = await signedIn(gateway, 'SUPPORT');
    const path = at(gateway, `team/members/${person.personId}`);
    const roleNow = async () => {
      const { members } = (await owner.call('GET', at(gateway, 'team'))).body;
      return members.find(({ personId }: TestPerson) => personId === person.personId).role;
    };
    expect((await owner.call('PUT', path, { role: 'DEVELOPER' })).body).toEqual({ outcome: 'REQUESTED' });
    expect(await roleNow()).toBe('SUPPORT');
    const approvalId = await approvalIn(gateway, owner, 'ROLE');
    expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(200);
    expect(await roleNow()).toBe('DEVELOPER');
    expect((await owner.call('PUT', path, { role: 'READ_ONLY' })).body).toEqual({ outcome: 'DONE' });
    expect(await roleNow()).toBe('READ_ONLY');
  });

  test('somebody who takes part in deciding is not asked about where the role decides about nothing', async () => {
    const order = { email: `${randomUUID()}@example.com`, role: 'SUPPORT' };
    const { body } = await owner.call('POST', at(gateway, 'team/invitations'), order);
    expect(body).toEqual({ link: expect.stringContaining('/dashboard/join/'), outcome: 'DONE' });
  });
});

describe('the host', () => {
  test('the host is the second approver of a merchant that has only one', async () => {
    const { text, approvalId } = await askedToken();
    const { body } = await admin.call('GET', 'api/host/approvals?status=PENDING');
    expect(body.rows).toContainEqual(expect.objectContaining({ approvalId, merchant: 'Demo Shop' }));
    expect((await decideOn(gateway, admin, approvalId, 'approve')).status).toBe(200);
    expect((await answerTo(gateway, text)).status).toBe(200);
  });

  test('the host takes an administrator in by two of its own', async () => {
    const email = `${randomUUID()}@host.example`;
    const order = { email, role: 'OPERATOR_ADMIN' };
    expect((await admin.call('POST', 'api/host/team/invitations', order)).body.outcome).toBe('REQUESTED');
    const approvalId = await approvalIn(gateway, admin, 'INVITATION');
    expect((await decideAtHost(gateway, admin, approvalId)).status).toBe(409);
    const second = await confirmed(await signedIn(gateway, 'OPERATOR_ADMIN'));
    const given = await decideAtHost(gateway, second, approvalId);
    expect(given.body.link).toContain('/dashboard/join/');
    const support = { email: `${randomUUID()}@host.example`, role: 'OPERATOR_SUPPORT' };
    expect((await admin.call('POST', 'api/host/team/invitations', support)).body.outcome).toBe('DONE');
  });
});

describe('by command', () => {
  test('anyone who has the machine is the second approver, and is recorded by name', async () => {
    const { text, approvalId } = await askedToken();
    const listed = (await run('approval', 'list')).output
      .split('\n')
      .find((line) => line.startsWith(approvalId));
    expect(listed).toContain(`${developer.email}\t{"kind":"TOKEN"`);
    expect(listed).not.toContain('secretHash');
    const order = ['--approval', approvalId, '--by'];
    const own = await run('approval', 'approve', ...order, developer.email.toUpperCase());
    expect([own.code, own.errors]).toEqual([1, expect.stringContaining('Another person must')]);
    expect(await run('approval', 'approve', ...order, 'Ana')).toMatchObject({ code: 0, output: 'done' });
    expect((await answerTo(gateway, text)).status).toBe(200);
    expect((await run('approval', 'reject', ...order, 'Ana')).errors).toContain('APPROVED');
    expect((await actsOf(approvalId)).at(-1)).toEqual(['APPROVAL_GIVEN', 'Ana']);
  });
});

test('what is another merchant’s, or the host’s own, is not found at this one', async () => {
  const email = `${randomUUID()}@host.example`;
  await admin.call('POST', 'api/host/team/invitations', { email, role: 'OPERATOR_ADMIN' });
  const approvalId = await approvalIn(gateway, admin, 'INVITATION');
  expect((await decideOn(gateway, finance, approvalId, 'approve')).status).toBe(404);
  expect((await decideOn(gateway, finance, randomUUID(), 'approve')).status).toBe(404);
  expect((await decideAtHost(gateway, finance, approvalId)).status).toBe(404);
});

test('where no money is real, one person is enough', async () => {
  const sandbox = await openTestConsole({
    role: 'api',
    console: { key: Buffer.alloc(32, 4), twoFactor: 'OPTIONAL', secondApprover: 'OPTIONAL' },
  });
  try {
    const alone = await confirmed(await signedIn(sandbox, 'OWNER'));
    const { body } = await alone.call('POST', at(sandbox, 'tokens'), PAYING);
    expect(body.outcome).toBe('DONE');
    expect((await answerTo(sandbox, body.text)).status).toBe(200);
    const order = { email: `${randomUUID()}@example.com`, role: 'OWNER' };
    expect((await alone.call('POST', at(sandbox, 'team/invitations'), order)).body.outcome).toBe('DONE');
  } finally {
    await sandbox.stop();
  }
});

test('what was asked for, and what was decided, cannot be changed or deleted', async () => {
  const { approvalId } = await askedToken();
  const where = `where approval_id = '${approvalId}'`;
  await expect(select(gateway, `update approvals set requested_by = 'x' ${where}`)).rejects.toThrow(
    'append-only',
  );
  await expect(select(gateway, `delete from approvals ${where}`)).rejects.toThrow('append-only');
  await decideOn(gateway, finance, approvalId, 'reject');
  const again = `update approvals set status = 'APPROVED', decided_hash = shown_hash ${where}`;
  await expect(select(gateway, again)).rejects.toThrow('append-only');
});

test('what was not shown to the approver is not approved', async () => {
  const first = await askedToken();
  const second = await askedToken();
  const path = (id: string) => at(gateway, `approvals/${id}`);
  const { body } = await finance.call('GET', path(first.approvalId));
  expect(body).toMatchObject({ approvalId: first.approvalId, hash: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const other = await finance.call('POST', `${path(second.approvalId)}/approve`, { hash: body.hash });
  expect([other.status, other.body.failureReason.failureMessage]).toEqual([
    409,
    'This is not what you were shown. Look at it again.',
  ]);
  expect((await finance.call('POST', `${path(first.approvalId)}/approve`, {})).status).toBe(400);
  expect((await answerTo(gateway, second.text)).status).toBe(401);
  expect((await decideOn(gateway, finance, second.approvalId, 'approve')).status).toBe(200);
});

test('a requester withdraws a token without giving the password again', async () => {
  const { approvalId } = await askedToken();
  const cookie = await signIn(gateway, { email: developer.email, password: PASSWORD });
  const again = { ...developer, call: callerWith(gateway, cookie) };
  expect((await decideOn(gateway, again, approvalId, 'withdraw')).status).toBe(200);
});

test('a kind is shown, and decided, only to those whose role permits it', async () => {
  await developer.call('PUT', at(gateway, 'payout-limits/RWF'), { amount: '500' });
  const approvalId = await approvalIn(gateway, developer, 'PAYOUT_LIMIT');
  const seen = async (person: TestPerson) => {
    const { body } = await person.call('GET', at(gateway, 'approvals?status=PENDING&kinds=PAYOUT_LIMIT'));
    return body.rows.map((row: { approvalId: string; mayDecide: boolean }) => row.mayDecide);
  };
  expect([await seen(owner), await seen(developer), await seen(finance)]).toEqual([[true], [false], []]);
  for (const person of [finance, admin])
    expect((await decideOn(gateway, person, approvalId, 'approve')).body.failureReason.failureCode).toBe(
      'NOT_PERMITTED',
    );
  expect((await decideOn(gateway, owner, approvalId, 'approve')).status).toBe(200);
});
