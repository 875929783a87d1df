// OWASP API8:2023, Security Misconfiguration: nothing is approved by SQL. A process approves by a function of the
// database only, which refuses one person in both places, another content than was shown, and approvers who are not
// signed in. What needs an approval takes no effect without one.
import { randomUUID } from 'node:crypto';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RIGHTS_HOLDERS } from '../../src/store/schema/rights.ts';
import { approvalAbout, approvalIn, at, decideOn, PAYING } from '../console/asked.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from '../console/people.ts';
import { fileOf, prepared } from '../console/payout-files.ts';
import { depositRequest, select, waitUntil, type TestGateway } from '../gateway.ts';
import { urlUnder } from '../lesser-roles.ts';
import { start, waitForPayment } from '../payments.ts';
import { wallet } from '../requests.ts';

type Holder = (typeof RIGHTS_HOLDERS)[number] | 'owner';
const HOLDERS = [...RIGHTS_HOLDERS, 'owner'] as const;
/** PostgreSQL's words for a missing right, and for what a constraint or a trigger refuses. */
const [NO_RIGHT, REFUSED] = ['42501', '23514'];

let gateway: TestGateway;
let developer: TestPerson;
let owner: TestPerson;
let batchId: string;
/** What is pending: a token that lets money out, and a batch of payouts. */
let tokenRequest: string;
let batchRequest: string;
const clients = new Map<Holder, Client>();

beforeAll(async () => {
  gateway = await openTestConsole({ roles: 'apart', simulator: { outcomeDelayMs: 100 } });
  developer = await confirmed(await signedIn(gateway, 'DEVELOPER'));
  owner = await confirmed(await signedIn(gateway, 'OWNER'));
  await developer.call('POST', at(gateway, 'tokens'), PAYING);
  tokenRequest = await approvalIn(gateway, developer, 'TOKEN');
  batchId = await prepared(gateway, owner, fileOf(2));
  batchRequest = await approvalAbout(gateway, 'PAYOUT_BATCH', batchId);
  await requestSettlementAlone();
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', depositRequest()), 'COMPLETED');
  gateway.simulator.addFault({ type: 'CONTRADICTING_NOTIFICATION' });
  const request = depositRequest({ payer: wallet('MTN_MOMO_RWA', '250783456039') });
  await waitForPayment(gateway, 'deposit', await start(gateway, 'deposit', request), 'FAILED');
  await waitUntil(async () => (await select(gateway, 'select 1 from cases')).length === 1);
  await select(
    gateway,
    `insert into payment_reviews (payment_no, merchant_id, kind, payment_id, status, reasons, begun_at)
     select payment_no, merchant_id, kind, payment_id, 'HELD', '{SCREENED}', now() from payments limit 1`,
  );
  await select(
    gateway,
    `insert into day_closes (close_id, provider, currency, day, figures, content_hash, begins_at, ends_at,
       lines_through, bank_lines_through, lines_digest, movements_digest, file_ids, made_at)
     values (gen_random_uuid(), 'MTN_MOMO_RWA', 'RWF', '2027-03-01', '{}', 'h', now(), now(), 0, 0, '',
       '', '{}', now())`,
  );
  for (const holder of HOLDERS) {
    const connectionString = holder === 'owner' ? gateway.databaseUrl : urlUnder(gateway.databaseUrl, holder);
    const client = new Client({ connectionString });
    await client.connect();
    clients.set(holder, client);
  }
});
afterAll(async () => {
  for (const client of clients.values()) await client.end();
  await gateway.stop();
});

/** A settlement of a registered account, and a second account that is pending approval. */
async function requestSettlementAlone(): Promise<void> {
  const finance = await confirmed(await signedIn(gateway, 'FINANCE'));
  const account = { bank: 'Bank of Kigali', holder: 'Duka', number: '00040123456' };
  const register = () => owner.call('PUT', at(gateway, 'bank-accounts/RWF'), account);
  const { body } = await register();
  expect((await decideOn(gateway, finance, body.approvalId, 'approve')).status).toBe(200);
  await gateway.gateway.movableClock!.move(49 * 3_600_000);
  const order = { requestId: randomUUID(), country: 'RWA', currency: 'RWF', amount: '5' };
  expect((await owner.call('POST', at(gateway, 'settlements'), order)).status).toBe(200);
  expect((await register()).status).toBe(200);
}

/** Runs statements in one transaction and undoes it. Answers the code of the refusal, or the last answer. */
async function attempt(holder: Holder, ...statements: readonly string[]): Promise<unknown> {
  const client = clients.get(holder)!;
  await client.query('begin');
  try {
    let last: unknown;
    for (const statement of statements) last = (await client.query(statement)).rows[0]?.answer ?? 'done';
    return last;
  } catch (error) {
    return (error as { code: string }).code;
  } finally {
    await client.query('rollback');
  }
}

const HASH_OF = (approvalId: string) =>
  `(select shown_hash from approvals where approval_id = '${approvalId}')`;

/** The call by which the API approves. */
function decide(
  approvalId: string,
  by: { personId: string | null; email: string },
  hash = HASH_OF(approvalId),
) {
  const person = by.personId === null ? 'null' : `'${by.personId}'`;
  const who = `${person}, '${by.email}'`;
  return `select decide_approval('${approvalId}', 'APPROVED', ${hash}, ${who}, now(), null) as answer`;
}

const attempts = async (...statements: readonly string[]) => {
  const answers = [];
  for (const holder of HOLDERS) answers.push([holder, await attempt(holder, ...statements)]);
  return Object.fromEntries(answers);
};

/** The worker has no right to any of it, or none to look for an approval. */
const EVERYONE = { api: REFUSED, worker: NO_RIGHT, all: REFUSED, owner: REFUSED };
const NO_RIGHTS = { api: NO_RIGHT, worker: NO_RIGHT, all: NO_RIGHT, owner: REFUSED };

describe('approving by SQL', () => {
  test('No role of a process may update a request, nor insert an approved or confirmed one.', async () => {
    expect(
      await attempts(`update approvals set status = 'APPROVED', decided_by = 'eve', decided_by_name = 'Eve',
        decided_at = now(), decided_hash = shown_hash`),
    ).toEqual(NO_RIGHTS);
    const columns = `approval_id, kind, merchant_id, subject, request, shown_hash, requested_by_name, requested_at`;
    const values = `gen_random_uuid(), 'UNSIGNED_REQUESTS', merchant_id, 'x', '{}', 'h', 'Ana', now()`;
    const inserted = (more: string, moreValues: string) =>
      attempts(
        `insert into approvals (${columns}, ${more}) select ${values}, ${moreValues} from approvals limit 1`,
      );
    const approved = `'APPROVED', '${owner.personId}', 'Eve', now(), 'h'`;
    expect(await inserted('status, decided_by, decided_by_name, decided_at, decided_hash', approved)).toEqual(
      NO_RIGHTS,
    );
    expect(
      await inserted('confirmed_by, confirmed_by_name, confirmed_at', `'${owner.personId}', 'Eve', now()`),
    ).toEqual(NO_RIGHTS);
  });

  test('The function refuses the requester, under the own identifier or the own name.', async () => {
    expect(await attempts(decide(tokenRequest, developer))).toEqual(EVERYONE);
    const renamed = { personId: developer.personId, email: 'eve@example.com' };
    expect(await attempts(decide(tokenRequest, renamed))).toEqual(EVERYONE);
    const other = { personId: owner.personId, email: ` ${developer.email.toUpperCase()}` };
    expect(await attempts(decide(tokenRequest, other))).toEqual(EVERYONE);
  });

  test('The function refuses another content than was shown.', async () => {
    expect(await attempts(decide(tokenRequest, owner, HASH_OF(batchRequest)))).toEqual(EVERYONE);
    expect(await attempts(decide(tokenRequest, owner, 'null'))).toEqual(EVERYONE);
  });

  test('The function refuses an approver who is not a person; only a sandbox knows commands.', async () => {
    const ghost = { personId: 'ghost', email: 'ghost@example.com' };
    expect(await attempts(decide(tokenRequest, ghost))).toEqual(EVERYONE);
    const command = { personId: null, email: 'Ghost' };
    expect(await attempt('owner', decide(tokenRequest, command))).toBe(true);
    expect(await attempt('owner', 'drop table clock_shift', decide(tokenRequest, command))).toBe(REFUSED);
  });

  test('The function refuses a person who is not signed in, or has not confirmed it with a code.', async () => {
    const away = await signedIn(gateway, 'OWNER');
    expect(await attempts(decide(tokenRequest, away))).toEqual(EVERYONE);
    await confirmed(away);
    expect(await attempt('api', decide(tokenRequest, away))).toBe(true);
    await select(gateway, 'delete from people_sessions where person_id = $1', [away.personId]);
    expect(await attempts(decide(tokenRequest, away))).toEqual(EVERYONE);
  });

  test('A request of a command is not approved by one person.', async () => {
    await select(
      gateway,
      `insert into approvals (approval_id, kind, merchant_id, subject, request, shown_hash, requested_by_name,
         requested_at)
       values ($1, 'UNSIGNED_REQUESTS', $2, 'x', '{}', repeat('0', 64), 'Ghost', now())`,
      [batchId, gateway.merchantId],
    );
    expect(await attempts(decide(batchId, owner))).toEqual(EVERYONE);
    const confirm = `select confirm_approval('${batchId}', repeat('0', 64), '${owner.personId}', 'x', now())`;
    expect(await attempt('api', confirm, decide(batchId, owner))).toBe(REFUSED);
    expect(await attempt('api', confirm, decide(batchId, developer))).toBe(true);
    const unknown = confirm.replace(owner.personId, 'ghost');
    expect(await attempt('api', unknown)).toBe(REFUSED);
  });

  test('The function approves once, what another person was shown; the worker cannot call it.', async () => {
    expect(await attempts(decide(tokenRequest, owner))).toEqual({
      api: true,
      worker: NO_RIGHT,
      all: true,
      owner: true,
    });
    expect(await attempt('api', decide(tokenRequest, owner), decide(tokenRequest, owner))).toBe(false);
    const rejected = decide(tokenRequest, developer).replace('APPROVED', 'REJECTED');
    expect(await attempt('api', rejected)).toBe(REFUSED);
  });
});

const reviewed = (change: string) => `update payment_reviews set ${change}`;

/** Of a payment that has none yet. */
const insertedReview = (status: string, endsAt: string) =>
  `insert into payment_reviews (payment_no, merchant_id, kind, payment_id, status, reasons, begun_at, ends_at)
   select payment_no, merchant_id, kind, payment_id, '${status}', '{COOLING_OFF}', now(), ${endsAt} from payments
   where payment_no not in (select payment_no from payment_reviews) limit 1`;

const SENT = () =>
  `update payout_batches set status = 'SENDING', next_send_at = now(), sent_at = now()
   where batch_id = '${batchId}'`;

describe('what needs an approval', () => {
  test.each([
    ['a batch of payouts is sent', SENT],
    [
      'a payout limit is raised',
      () => `insert into payout_limits select merchant_id, 'RWF', 5 from merchants`,
    ],
    [
      'a case is resolved',
      () => `update cases set resolution = 'WRITE_OFF', resolved_at = now() where resolved_at is null`,
    ],
    ['a settlement is paid', () => `update settlements set status = 'PAID', decided_at = now()`],
    ['a settlement is rejected', () => `update settlements set status = 'REJECTED', decided_at = now()`],
    [
      'a bank account is registered',
      () =>
        `update bank_accounts set status = 'CURRENT', usable_from = requested_at where status = 'REQUESTED'`,
    ],
    [
      'the cooling-off of a bank account ends',
      () => `update bank_accounts set usable_from = requested_at where status = 'CURRENT'`,
    ],
    [
      'a settlement goes to an account that is not registered',
      () => `insert into settlements (settlement_id, merchant_id, bank_account_id, country, currency, provider,
          amount, requested_by, requested_at)
        select gen_random_uuid(), merchant_id, bank_account_id, 'RWA', 'RWF', '', 1, 'Eve', now() + interval '9 days'
        from bank_accounts where status = 'REQUESTED'`,
    ],
    [
      'a batch of payouts begins as sent',
      () => `insert into payout_batches (merchant_id, batch_id, source, api_version, encrypted_title, content_hash,
          row_count, status, prepared_by, prepared_by_name, prepared_at, needs_approval, next_send_at, sent_at)
        select merchant_id, gen_random_uuid(), source, api_version, encrypted_title, content_hash, row_count,
          'SENDING', prepared_by, prepared_by_name, prepared_at, false, now(), now() from payout_batches`,
    ],
    [
      'a batch of payouts that waits for its approval gets another row',
      () => `insert into payout_batch_rows (merchant_id, batch_id, row_no, payout_id, payment_no, provider,
          currency, amount, fee, encrypted_order, number_hash, status)
        select merchant_id, batch_id, 3, gen_random_uuid(), gen_random_uuid(), provider, currency, amount, fee,
          encrypted_order, number_hash, 'WAITING' from payout_batch_rows where row_no = 1`,
    ],
  ])('what needs an approval takes no effect without one: %s', async (_, statement) => {
    expect(await attempts(statement())).toEqual(EVERYONE);
  });

  test.each([
    ['a held payment is released', [reviewed(`status = 'RELEASED'`)]],
    ['a held payment gets an end', [reviewed('ends_at = now()')]],
    ['a held payment is screened again', [reviewed(`status = 'ASKING'`)]],
    [
      'a held payment is released after it ended',
      [reviewed(`status = 'ENDED'`), reviewed(`status = 'RELEASED'`)],
    ],
    ['a day is closed', [`update day_closes set status = 'CLOSED', closed_at = now()`]],
  ])('what needs an approval takes no effect without one: %s', async (_, statements) => {
    expect(await attempts(...statements)).toEqual(EVERYONE);
  });

  test.each([
    ['ALLOWED', 'null'],
    ['RELEASED', 'null'],
    ['REJECTED', 'null'],
    ['ENDED', 'null'],
    ['HELD', `now() - interval '1 second'`],
    ['ASKING', 'now()'],
  ])('no review begins as %s with the end %s in any role', async (status, endsAt) => {
    const everyone = { api: REFUSED, worker: REFUSED, all: REFUSED, owner: REFUSED };
    expect(await attempts(insertedReview(status, endsAt))).toEqual(everyone);
  });

  test('a review begins as asked about or held, and arrives decided with a merchant that is moving here', async () => {
    const done = { api: 'done', worker: 'done', all: 'done', owner: 'done' };
    expect(await attempts(insertedReview('ASKING', 'null'))).toEqual(done);
    expect(await attempts(insertedReview('HELD', `now() + interval '1 hour'`))).toEqual(done);
    const arriving = `insert into migration_locks (merchant_id, state, other_cell, move_id)
      values ('${gateway.merchantId}', 'ARRIVING', '0002', gen_random_uuid())`;
    expect(await attempt('owner', arriving, insertedReview('RELEASED', 'null'))).toBe('done');
  });

  test('what needs an approval takes effect in the transaction of its approval, and in no other.', async () => {
    const ben = await confirmed(await signedIn(gateway, 'FINANCE'));
    expect(await attempt('api', decide(batchRequest, ben), SENT())).toBe('done');
    expect(await attempt('api', decide(tokenRequest, ben), SENT())).toBe(REFUSED);
    const limit = (amount: string) => owner.call('PUT', at(gateway, 'payout-limits/UGX'), { amount });
    await limit('5');
    const limitRequest = await approvalAbout(gateway, 'PAYOUT_LIMIT', 'UGX');
    expect((await decideOn(gateway, developer, limitRequest, 'approve')).status).toBe(200);
    expect((await limit('0')).body).toEqual({ outcome: 'DONE' });
    const raised = `update payout_limits set amount = 5 where currency = 'UGX'`;
    expect(await attempts(raised)).toEqual(EVERYONE);
  });
});
