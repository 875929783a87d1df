// OWASP API6:2023, Unrestricted Access to Sensitive Business Flows: one person with two accounts is not two people, and
// the break-glass account takes no part in two-person rules. The console says so, and the database refuses it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { record } from '../../src/core/audit.ts';
import { acceptInvitation, invite } from '../../src/core/merchants/team.ts';
import { seeIdentity } from '../../src/store/merchants/identities.ts';
import { approvalIn, at, decideAtHost, decideOn, PAYING } from '../console/asked.ts';
import { confirmed, createPerson, openTestConsole, signedIn, type TestPerson } from '../console/people.ts';
import { select, type TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let developer: TestPerson;
beforeAll(async () => {
  gateway = await openTestConsole();
  developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
});
afterAll(() => gateway.stop());

const person = async (role: TestPerson['role']) => confirmed(await signedIn(gateway, role));

const see = ({ personId }: TestPerson, subject: string, email: string) =>
  seeIdentity(gateway.engine.store.database, personId, { subject, email }, new Date());

async function requestedToken(): Promise<string> {
  await developer.call('POST', at(gateway, 'tokens'), PAYING);
  return approvalIn(gateway, developer, 'TOKEN');
}

/** As a process could try that does not ask first. */
async function approveBySql(approvalId: string, { personId, email }: TestPerson): Promise<unknown> {
  const statement = `select decide_approval(approval_id, 'APPROVED', shown_hash, $2, $3, now(), null) as answer
    from approvals where approval_id = $1`;
  try {
    return (await select(gateway, statement, [approvalId, personId, email]))[0]?.['answer'];
  } catch (error) {
    return (error as { code: string }).code;
  }
}

const REFUSED = '23514';
const SAME = [409, 'You requested this yourself. Another person must decide.'];
const said = ({ status, body }: Awaited<ReturnType<TestPerson['call']>>) => [
  status,
  body?.failureReason?.failureMessage,
];

test('Two accounts of one subject of the identity provider are one person.', async () => {
  const [token, owner] = [await requestedToken(), await person('OWNER')];
  const subject = `https://id.example ${randomUUID()}`;
  await see(developer, subject, 'ana@id.example');
  await see(owner, subject, 'ana.b@id.example');
  expect(said(await decideOn(gateway, owner, token, 'approve'))).toEqual(SAME);
  expect(await approveBySql(token, owner)).toBe(REFUSED);
  const other = await person('OWNER');
  await see(other, `https://id.example ${randomUUID()}`, 'ben@id.example');
  expect((await decideOn(gateway, other, token, 'approve')).status).toBe(200);
});

test.each([
  ['the account of the approver', (owner: TestPerson) => [developer, owner.email] as const],
  ['the account of the requester', (owner: TestPerson) => [owner, developer.email.toUpperCase()] as const],
])(
  'An address that the identity provider has verified for one account and that is %s is one person.',
  async (_, who) => {
    const [token, owner] = [await requestedToken(), await person('OWNER')];
    const [account, email] = who(owner);
    await see(account, `https://id.example ${randomUUID()}`, email);
    expect(said(await decideOn(gateway, owner, token, 'approve'))).toEqual(SAME);
    expect(await approveBySql(token, owner)).toBe(REFUSED);
  },
);

test('A request of a command is not approved by two accounts of one person.', async () => {
  const [first, second, third] = [
    await person('OPERATOR_ADMIN'),
    await person('OPERATOR_ADMIN'),
    await person('OPERATOR_ADMIN'),
  ];
  await see(second, `https://id.example ${randomUUID()}`, first.email);
  const approvalId = randomUUID();
  const email = `${randomUUID()}@host.example`;
  await select(
    gateway,
    `insert into approvals (approval_id, kind, subject, request, shown_hash, requested_by_name, requested_at)
     values ($1, 'INVITATION', $2, $3, repeat('0', 64), 'Command', now())`,
    [approvalId, email, JSON.stringify({ email, role: 'OPERATOR_ADMIN' })],
  );
  expect((await decideAtHost(gateway, first, approvalId)).status).toBe(200);
  expect(said(await decideAtHost(gateway, second, approvalId))).toEqual(SAME);
  expect(await approveBySql(approvalId, second)).toBe(REFUSED);
  expect((await decideAtHost(gateway, third, approvalId)).status).toBe(200);
});

test('A person who onboarded the merchant with another account of theirs does not approve for it.', async () => {
  const [token, admin] = [await requestedToken(), await person('OPERATOR_ADMIN')];
  const onboarder = `${randomUUID()}@host.example`;
  const { engine, merchantId } = gateway;
  await record(engine, engine.store.database, [
    { by: onboarder, act: 'MERCHANT_CREATED', merchantId, subject: merchantId, detail: {} },
  ]);
  await see(admin, `https://id.example ${randomUUID()}`, onboarder);
  const answer = await decideOn(gateway, admin, token, 'approve');
  expect(said(answer)).toEqual([409, expect.stringContaining('You onboarded this merchant')]);
});

test('The break-glass account looks and switches providers; it neither requests nor approves.', async () => {
  const glass = await person('BREAK_GLASS');
  const { personId, email } = glass;
  // Another role does not help it.
  const role = 'OWNER';
  const token = await invite(gateway.engine, { by: 'test', merchantId: gateway.merchantId, email, role });
  await acceptInvitation(gateway.engine, { token, personId, email });
  expect((await glass.call('GET', 'api/host/merchants')).status).toBe(200);
  expect((await glass.call('GET', at(gateway, 'tokens'))).status).toBe(200);
  expect((await glass.call('POST', at(gateway, 'tokens'), PAYING)).status).toBe(403);
  const pending = await requestedToken();
  expect((await decideOn(gateway, glass, pending, 'approve')).status).toBe(403);
  expect(await approveBySql(pending, glass)).toBe(REFUSED);
  const requesting = select(
    gateway,
    `insert into approvals (approval_id, kind, merchant_id, subject, request, shown_hash, requested_by,
       requested_by_name, requested_at)
     select gen_random_uuid(), kind, merchant_id, 'y', request, shown_hash, $2, 'Eve', now()
     from approvals where approval_id = $1`,
    [pending, personId],
  );
  await expect(requesting).rejects.toMatchObject({ code: REFUSED });
});

test('There is one break-glass account.', async () => {
  await expect(createPerson(gateway, 'BREAK_GLASS')).resolves.toBeDefined();
  const rows = await select(gateway, `select 1 from memberships where role = 'BREAK_GLASS'`);
  expect(rows).toHaveLength(1);
  const admin = await person('OPERATOR_ADMIN');
  const support = await createPerson(gateway, 'OPERATOR_SUPPORT');
  const path = `api/host/team/members/${support.personId}`;
  expect(said(await admin.call('PUT', path, { role: 'BREAK_GLASS' }))).toEqual([
    409,
    'There is a break-glass account already. Remove it first.',
  ]);
});

test('A role from a group ends when its time is over; a request of its holder is then not approved.', async () => {
  const [leaving, owner] = [await person('DEVELOPER'), await person('OWNER')];
  await leaving.call('POST', at(gateway, 'tokens'), PAYING);
  const pending = await approvalIn(gateway, leaving, 'TOKEN');
  const atProvider = `update people_sessions set provider_subject = 'https://id.example x' where person_id = $1`;
  await select(gateway, atProvider, [leaving.personId]);
  const until = `update memberships set until = $2 where person_id = $1`;
  await select(gateway, until, [leaving.personId, new Date(Date.now() + 60_000)]);
  expect((await leaving.call('GET', at(gateway, 'tokens'))).status).toBe(200);
  await select(gateway, until, [leaving.personId, new Date(Date.now() - 1_000)]);
  expect((await leaving.call('GET', at(gateway, 'tokens'))).status).toBe(404);
  expect(said(await decideOn(gateway, owner, pending, 'approve'))).toEqual([
    409,
    'The requester may no longer request this. Reject it.',
  ]);
  const { body } = await owner.call('GET', at(gateway, 'team'));
  expect(body.members.map((one: TestPerson) => one.email)).not.toContain(leaving.email);
});
