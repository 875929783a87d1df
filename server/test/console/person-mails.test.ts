// Mails to people about what their role lets them act on.
import { SMTPServer } from 'smtp-server';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createPeopleMailRound } from '../../src/jobs/callbacks/mail-people.ts';
import { Mailer } from '../../src/callbacks/mail.ts';
import {
  createMerchant,
  createToken,
  setCallbackUrl,
} from '../../src/core/merchants/administer-merchants.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { insertPersonNotices } from '../../src/store/merchants/person-notices.ts';
import { nowOf } from '../clocks.ts';
import { eventually, select, type TestGateway } from '../gateway.ts';
import { PAYING } from './asked.ts';
import { fileOf, prepared } from './payout-files.ts';
import { confirmed, openTestConsole, signedIn, type TestPerson } from './people.ts';

type Mail = { readonly to: string; readonly text: string };

let gateway: TestGateway;
let mailer: Mailer;
let mailServer: SMTPServer;
const mails: Mail[] = [];
const DAY_MS = 86_400_000;

beforeAll(async () => {
  mailServer = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS', 'AUTH'],
    onData: (stream, session, done) => {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => chunks.push(chunk));
      stream.on('end', () => {
        const text = readable(Buffer.concat(chunks).toString());
        mails.push(...session.envelope.rcptTo.map(({ address }) => ({ to: address, text })));
        done();
      });
    },
  });
  const port = await new Promise<number>((resolve) => {
    const listening = mailServer.listen(0, '127.0.0.1', () => {
      const address = listening.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
  const mail = { smtpUrl: `smtp://127.0.0.1:${port}`, from: 'malipo@example.com' };
  mailer = new Mailer(mail);
  gateway = await openTestConsole({ mail, publicUrl: 'http://127.0.0.1' });
});
afterAll(async () => {
  mailer.close();
  await gateway.stop();
  await new Promise<void>((resolve) => mailServer.close(() => resolve()));
});

/** Lines as they were before they were folded for the way. */
function readable(text: string): string {
  const bytes = text.replaceAll('=\r\n', '').replaceAll(/(?:=[0-9A-F]{2})+/g, (coded) => {
    return Buffer.from(coded.replaceAll('=', ''), 'hex').toString();
  });
  return bytes.replaceAll('\r\n', '\n');
}

async function newMerchant(): Promise<string> {
  const order = { by: 'test', companyName: 'Duka', operations: OPERATIONS, walletPerProvider: false };
  return createMerchant(gateway.engine, order);
}

const mailsTo = ({ email }: TestPerson) => mails.filter(({ to }) => to === email).map(({ text }) => text);
const countsOf = (people: readonly TestPerson[]) => people.map((person) => mailsTo(person).length);

/** As two more processes would look: nothing is sent a second time. */
async function lookAgain(): Promise<void> {
  const parts = { mailer, gateway: 'Malipo', publicUrl: 'http://127.0.0.1' };
  const round = createPeopleMailRound(gateway.engine, parts);
  const background = {
    isStopping: () => false,
    run: () => undefined,
    onError: (error: unknown) => {
      throw error;
    },
  };
  await Promise.all([round(background), round(background)]);
}

describe('an API token that expires', () => {
  test('an API token that expires is mailed about 14 and 3 days before, to those who can replace it, in the language of each', async () => {
    const merchantId = await newMerchant();
    const owner = await signedIn(gateway, 'OWNER', merchantId);
    const developer = await signedIn(gateway, 'DEVELOPER', merchantId);
    const finance = await signedIn(gateway, 'FINANCE', merchantId);
    const people = [owner, developer, finance];
    await owner.call('PUT', 'api/me/language', { language: 'fr' });
    const expiresIn = (days: number) => new Date(nowOf(gateway.engine).getTime() + days * DAY_MS);
    const order = { by: 'test', merchantId, scopes: ['deposits:read'] as const };
    await createToken(gateway.engine, { ...order, name: 'Till 7', expiresAt: expiresIn(30) });
    // Made for a week, so that its end surprises no one 14 days before.
    await createToken(gateway.engine, { ...order, name: 'Short', expiresAt: expiresIn(7) });
    await lookAgain();
    expect(countsOf(people)).toEqual([0, 0, 0]);

    await gateway.gateway.movableClock!.move(16 * DAY_MS);
    await eventually(() => countsOf(people)).toEqual([1, 1, 0]);
    await lookAgain();
    expect(countsOf(people)).toEqual([1, 1, 0]);
    expect(mailsTo(owner)[0]).toMatch(/un jeton d'API expire dans 14 jours/);
    expect(mailsTo(owner)[0]).toContain('« Till 7 »');
    expect(mailsTo(developer)[0]).toContain('Subject: Duka: an API token expires in 14 days');
    expect(mailsTo(developer)[0]).toContain(`http://127.0.0.1/dashboard/m/${merchantId}/tokens`);

    await gateway.gateway.movableClock!.move(11 * DAY_MS);
    await eventually(() => countsOf(people)).toEqual([2, 2, 0]);
    await lookAgain();
    expect(countsOf(people)).toEqual([2, 2, 0]);
    expect(mailsTo(developer)[1]).toContain('an API token expires in 3 days');
  });
});

describe('an endpoint that fails', () => {
  test('an endpoint that fails is mailed about after a quarter of an hour, by its host alone, once', async () => {
    const merchantId = await newMerchant();
    const developer = await signedIn(gateway, 'DEVELOPER', merchantId);
    const support = await signedIn(gateway, 'SUPPORT', merchantId);
    const url = 'https://shop.example/in?key=secret-of-the-shop';
    await setCallbackUrl(gateway.engine, { by: 'test', merchantId, url, kinds: ['DEPOSIT'] });
    const failSince = (minutesAgo: number) => {
      const now = nowOf(gateway.engine);
      const since = new Date(now.getTime() - minutesAgo * 60_000);
      return select(
        gateway,
        `insert into endpoint_queues (endpoint_id, leased_until, paused_until, failure_count, failing_since)
         select endpoint_id, $2, $2, 4, $3 from callback_endpoints where merchant_id = $1
         on conflict (endpoint_id) do update set failing_since = excluded.failing_since, failure_count = 4`,
        [merchantId, now, since],
      );
    };
    await failSince(5);
    await lookAgain();
    expect(countsOf([developer, support])).toEqual([0, 0]);
    await failSince(20);
    await eventually(() => countsOf([developer, support])).toEqual([1, 0]);
    // It answered once, and fails again: the same day has the same mail.
    await failSince(20);
    await lookAgain();
    expect(countsOf([developer, support])).toEqual([1, 0]);
    const [text = ''] = mailsTo(developer);
    expect(text).toContain('callbacks to shop.example are failing');
    expect(text).toContain(`/dashboard/m/${merchantId}/callbacks`);
    expect(text).not.toContain('secret-of-the-shop');
  });
});

function setAlert(person: TestPerson, below: string | null, more = {}) {
  const path = `api/merchants/${gateway.merchantId}/wallet-alerts`;
  return person.call('PUT', path, { country: 'RWA', currency: 'RWF', below, ...more });
}

describe('a wallet', () => {
  test('below its threshold is mailed about to those who prepare payouts, once a day', async () => {
    const finance = await signedIn(gateway, 'FINANCE');
    const reader = await signedIn(gateway, 'READ_ONLY');
    const wallets = `api/merchants/${gateway.merchantId}/wallets`;
    const alertOf = async () => {
      const { body } = await finance.call('GET', wallets);
      return body.wallets.find((one: any) => one.country === 'RWA' && one.currency === 'RWF').alertBelow;
    };
    expect(await alertOf()).toBeNull();
    // There is a million.
    expect((await setAlert(finance, '900000')).status).toBe(200);
    expect(await alertOf()).toBe('900000');
    await lookAgain();
    expect(countsOf([finance, reader])).toEqual([0, 0]);
    expect((await setAlert(finance, '1000001')).status).toBe(200);
    await eventually(() => countsOf([finance, reader])).toEqual([1, 0]);
    await lookAgain();
    expect(countsOf([finance, reader])).toEqual([1, 0]);
    expect(mailsTo(finance)[0]).toContain('low balance in RWF');
    expect(mailsTo(finance)[0]).toContain('The wallet Rwanda (RWF) is below');
    expect(mailsTo(finance)[0]).toContain(`/dashboard/m/${gateway.merchantId}/wallets/RWA-RWF`);
    expect((await setAlert(finance, null)).status).toBe(200);
    expect(await alertOf()).toBeNull();
  });

  test('that has enough again is mailed about the next time it runs low', async () => {
    const finance = await signedIn(gateway, 'FINANCE');
    const lowSince = async () =>
      (await select(gateway, 'select low_since from wallet_alerts'))[0]?.['low_since'];
    await setAlert(finance, '2000000');
    await eventually(() => mailsTo(finance).length).toBe(1);
    await select(gateway, `update wallet_alerts set below = 1`);
    await lookAgain();
    expect(await lowSince()).toBeNull();
    await gateway.gateway.movableClock!.move(DAY_MS);
    await select(gateway, `update wallet_alerts set below = 2000000`);
    await eventually(() => mailsTo(finance).length).toBe(2);
    await setAlert(finance, null);
  });

  test('a wallet takes a threshold only of a wallet that is there, in amounts of its currency, from those who may', async () => {
    const finance = await signedIn(gateway, 'FINANCE');
    const developer = await signedIn(gateway, 'DEVELOPER');
    expect((await setAlert(developer, '5')).status).toBe(403);
    expect((await setAlert(finance, '0')).status).toBe(400);
    expect((await setAlert(finance, '1.5')).status).toBe(400);
    expect((await setAlert(finance, '5', { country: 'FRA', currency: 'EUR' })).status).toBe(404);
    expect(await select(gateway, 'select below from wallet_alerts')).toEqual([]);
  });
});

describe('a request for approval', () => {
  test('a request for approval is mailed about to those who can decide, and not to the requester', async () => {
    const requester = await confirmed(await signedIn(gateway, 'OWNER'));
    const owner = await signedIn(gateway, 'OWNER');
    const finance = await signedIn(gateway, 'FINANCE');
    const developer = await signedIn(gateway, 'DEVELOPER');
    const people = [requester, owner, finance, developer];
    await requester.call('POST', `api/merchants/${gateway.merchantId}/tokens`, PAYING);
    await eventually(() => countsOf(people)).toEqual([0, 1, 1, 0]);
    await lookAgain();
    expect(countsOf(people)).toEqual([0, 1, 1, 0]);
    expect(mailsTo(owner)[0]).toContain('a request needs your approval');
    expect(mailsTo(owner)[0]).toContain(`/dashboard/m/${gateway.merchantId}/approvals`);
    expect(mailsTo(owner)[0]).not.toContain(requester.email);
  });

  test('for a batch leads to the batch, and names none of its recipients', async () => {
    const preparer = await signedIn(gateway, 'FINANCE');
    const approver = await signedIn(gateway, 'FINANCE');
    const batchId = await prepared(gateway, preparer, fileOf(1, 40));
    const link = `/dashboard/m/${gateway.merchantId}/payouts/${batchId}`;
    const found = () => mailsTo(approver).find((text) => text.includes(link));
    await eventually(found).toBeDefined();
    expect(found()).not.toMatch(/25078/);
  });

  test('at a merchant with one person goes to the platform’s administrators', async () => {
    const merchantId = await newMerchant();
    const admin = await signedIn(gateway, 'OPERATOR_ADMIN');
    const support = await signedIn(gateway, 'OPERATOR_SUPPORT');
    const owner = await confirmed(await signedIn(gateway, 'OWNER', merchantId));
    await owner.call('POST', `api/merchants/${merchantId}/tokens`, PAYING);
    await eventually(() => countsOf([admin, owner, support])).toEqual([1, 0, 0]);
    expect(mailsTo(admin)[0]).toContain(`/dashboard/m/${merchantId}/approvals`);
  });
});

test('a person who has left the team is mailed nothing more', async () => {
  const person = await signedIn(gateway, 'OWNER');
  await select(gateway, 'delete from memberships where person_id = $1', [person.personId]);
  const notice = {
    merchantId: gateway.merchantId,
    topic: 'APPROVAL_PENDING',
    subject: 'one',
    detail: {},
  } as const;
  const { database } = gateway.engine.store;
  const { personId } = person;
  await insertPersonNotices(database, [{ ...notice, personId }], nowOf(gateway.engine));
  const attempts = 'select mail_attempt_count as count, mailed_at from person_notices where person_id = $1';
  await eventually(() => select(gateway, attempts, [personId])).toEqual([{ count: 1, mailed_at: null }]);
  await lookAgain();
  expect(mailsTo(person)).toEqual([]);
});
