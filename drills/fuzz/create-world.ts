// Creates the merchants, people, pages and payments that hostile requests are about.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../server/src/commands/serve/compose.ts';
import { askedByCommand } from '../../server/src/core/approvals/request.ts';
import { readFreezes, requestLiftOf } from '../../server/src/core/limits/freeze.ts';
import { changeReviewRule, readReviewRules } from '../../server/src/core/limits/set-review-rules.ts';
import { cancel } from '../../server/src/core/payments/act/cancel.ts';
import { readReviewQueue } from '../../server/src/core/reviews/decide-review.ts';
import { addPublicKey, requireSignatures } from '../../server/src/core/merchants/administer-keys.ts';
import { withdrawToken } from '../../server/src/core/merchants/administer-merchants.ts';
import type { Engine } from '../../server/src/core/engine.ts';
import { acceptInvitation, invite } from '../../server/src/core/merchants/team.ts';
import { CONNECTOR_NAMES } from '../../server/src/connectors/registry.ts';
import type { Role } from '../../server/src/domain/merchants/roles.ts';
import { createKey } from '../../server/test/signing.ts';
import { marketOf, type Market } from '../kit/load/markets.ts';
import { Random } from '../kit/random.ts';
import { consoleCaller, type Call } from '../kit/api.ts';
import { addMerchant, addToken } from '../kit/merchants.ts';
import { BY } from '../kit/settings.ts';
import { randomUuid } from './random-values.ts';
import { createClient, type Client } from './valid-client.ts';
import type { Page, Waiting, World } from './world.ts';

const PASSWORD = 'a long password of theirs';
const MARKETS = [
  'MTN_MOMO_RWA',
  'AIRTEL_RWA',
  'MTN_MOMO_ZMB',
  'MPESA_KEN',
  'ORANGE_BFA',
  'WAVE_SEN',
  'AIRTEL_COD',
];
const CONSOLE_MARKETS = ['MTN_MOMO_UGA', 'AIRTEL_TZA'];
/** The simulator never ends a deposit from this number. */
const STUCK = { provider: 'MTN_MOMO_RWA', currency: 'RWF', phoneNumber: '250783456129' };
const PAID = { ...STUCK, phoneNumber: '250783456789' };
const COUNT = { pages: 10, waiting: 8, paid: 8 };

export type CreatedWorld = {
  readonly world: World;
  /** Confirms the person's password again; without it dangerous console actions are refused. */
  readonly confirm: () => Promise<void>;
  /** Accepted requests that have not ended: a bad value may be accepted and block those behind it. */
  readonly listOpen: () => Promise<readonly string[]>;
  /** Requests of the console may have frozen payments, up to all of them, or have them held for people. */
  readonly liftFreezes: () => Promise<void>;
};

export async function createWorld(
  { engine, console }: Gateway,
  { port, callbackUrl }: { readonly port: number; readonly callbackUrl: string },
): Promise<CreatedWorld> {
  if (console === null) throw new Error('this gateway has no console');
  const markets = MARKETS.map(marketOf);
  const consoleMarkets = CONSOLE_MARKETS.map(marketOf);
  const add = (name: string, some: readonly Market[]) =>
    addMerchant(engine, { name, callbackUrl, markets: some, balance: '100000000000' });
  const shop = await add('Shop', markets);
  const signing = await add('Signer', markets);
  const consoleMerchant = await add('Console merchant', consoleMarkets);
  const key = createKey('main', 'ecdsa-p256-sha256');
  await addPublicKey(engine, {
    by: BY,
    merchantId: signing.merchantId,
    ...key,
    algorithm: 'ecdsa-p256-sha256',
  });
  await requireSignatures(engine, {
    by: BY,
    merchantId: signing.merchantId,
    covers: 'PAYMENTS',
    isRequired: true,
  });
  const person = await addPerson(engine, console, 'visitor@example.com', [
    [null, 'OPERATOR_ADMIN'],
    [consoleMerchant.merchantId, 'OWNER'],
  ]);
  const colleague = await addPerson(engine, console, 'colleague@example.com', [
    [null, 'OPERATOR_SUPPORT'],
    [consoleMerchant.merchantId, 'SUPPORT'],
  ]);
  const client = createClient(port, shop.apiToken);
  const consoleClient = createClient(port, consoleMerchant.apiToken);
  const cookie = await client.signIn({ ...person, password: PASSWORD });
  const confirm = () => client.confirm(cookie, PASSWORD);
  await confirm();
  const paid = await Promise.all(Array.from({ length: COUNT.paid }, () => client.deposit(PAID)));
  const consolePaid = await Promise.all(Array.from({ length: 3 }, () => consoleClient.deposit(PAID)));
  const withdrawn = await addToken(engine, shop.merchantId);
  await withdrawToken(engine, { by: BY, tokenId: withdrawn.tokenId });
  const world: World = {
    port,
    host: `127.0.0.1:${port}`,
    token: shop.apiToken,
    poorToken: (await addToken(engine, shop.merchantId, ['finances:read'])).text,
    withdrawnToken: withdrawn.text,
    signer: { token: signing.apiToken, key },
    cookie,
    password: PASSWORD,
    markets,
    consoleMarkets,
    offers: await client.offers(),
    pool: {
      merchantId: [consoleMerchant.merchantId],
      personId: [colleague.personId],
      paymentId: consolePaid,
      subjectId: consolePaid,
      paidDepositId: paid,
      ...(await addAtConsole(consoleCaller(client.url, cookie), consoleMerchant.merchantId)),
    },
    pages: await addPages(client),
    waiting: await addWaiting(engine, client),
    connectors: CONNECTOR_NAMES,
  };
  const merchantIds = [shop.merchantId, signing.merchantId];
  return {
    world,
    confirm,
    listOpen: () => listOpen(engine, merchantIds, world.waiting),
    liftFreezes: async () => {
      await liftFreezes(engine);
      await endReviews(engine, merchantIds);
    },
  };
}

/** Wave's payment page is not opened, so those deposits wait permanently. */
const OPEN = `select kind || ' ' || payment_id || ' is ' || state as what from payments
  where merchant_id = any($1) and state not in ('COMPLETED', 'FAILED') and payment_id <> all($2)
    and not (provider = 'WAVE_SEN' and kind = 'DEPOSIT')
  union all select concat('callback of ', kind, ' ', payment_id, ' ', announced_state, ' is ', status) from callbacks
  where merchant_id = any($1) and status <> 'DELIVERED' and announced_state in ('COMPLETED', 'FAILED')
    and kind <> 'STATEMENT' limit 5`;

async function liftFreezes(engine: Engine): Promise<void> {
  const answers = await readFreezes(engine);
  const freezes = answers.flatMap((answer) => (answer.type === 'CONFIRMED' ? answer.answer : []));
  const order = { ...askedByCommand(engine, BY), reason: 'drill' };
  for (const freeze of freezes) await requestLiftOf(engine, { ...order, freeze });
}

/** What waits for people is cancelled, as its merchant would. */
async function endReviews(engine: Engine, merchantIds: readonly string[]): Promise<void> {
  for (const merchantId of merchantIds) {
    for (const { rule, subject } of await readReviewRules(engine, merchantId)) {
      const order = { ...askedByCommand(engine, BY), merchantId, key: { rule, subject }, values: null };
      await changeReviewRule(engine, order);
    }
  }
  const held = await readReviewQueue(engine, { after: null, countMax: 1_000 });
  for (const review of held) await cancel(engine, { ...review, writtenId: review.paymentId });
}

async function listOpen(
  engine: Engine,
  merchantIds: readonly string[],
  waiting: readonly Waiting[],
): Promise<readonly string[]> {
  const ids = waiting.map(({ depositId }) => depositId);
  const { rows } = await engine.store.database.query<{ what: string }>(OPEN, [merchantIds, ids]);
  return rows.map(({ what }) => what);
}

async function addPerson(
  engine: Engine,
  { signIn }: NonNullable<Gateway['console']>,
  email: string,
  teams: readonly (readonly [merchantId: string | null, role: Role])[],
): Promise<{ readonly personId: string; readonly email: string }> {
  const { personId } = await signIn.createPerson({ name: 'A Person', email, password: PASSWORD });
  for (const [merchantId, role] of teams) {
    const token = await invite(engine, { by: BY, merchantId, email, role });
    await acceptInvitation(engine, { token, personId, email });
  }
  return { personId, email };
}

/** Further subjects of console addresses besides merchants and payments: one of each. */
async function addAtConsole(call: Call, merchantId: string): Promise<World['pool']> {
  const { country, currency, prefix } = marketOf(CONSOLE_MARKETS[0] ?? '');
  const consoleMerchant = `merchants/${merchantId}`;
  const file = `phoneNumber,amount,currency\n${prefix}000000,5000,${currency}\n`;
  const order = { merchantId, type: 'TOP_UP', country, currency, amount: '5', reason: 'a drill' };
  const days = { from: '2026-01-01', to: '2026-01-02' };
  const described = [
    await call('POST', `${consoleMerchant}/payout-batches`, { title: 'Wages', file }),
    await call('POST', 'host/money-requests', order),
    await call('POST', `${consoleMerchant}/statements`, {
      wallet: { country, currency },
      ...days,
      isCompressed: false,
    }),
    await call('POST', `${consoleMerchant}/team/invitations`, {
      email: 'late@example.com',
      role: 'SUPPORT',
    }),
    await call('GET', `${consoleMerchant}/team`),
    await call('GET', `${consoleMerchant}/tokens`),
    await call('GET', 'host/accounts'),
  ];
  const names = ['batchId', 'approvalId', 'statementId', 'invitationId', 'tokenId', 'accountId'];
  const text = JSON.stringify(described);
  return Object.fromEntries(
    names.map((name) => {
      const found = [...text.matchAll(new RegExp(`"${name}":"([^"]+)"`, 'g'))].map(([, id = '']) => id);
      if (found.length === 0) throw new Error(`the console names no ${name}`);
      return [name, found.slice(0, 5)];
    }),
  );
}

/** Half of them payment pages, half of them checkouts. */
async function addPages(client: Client): Promise<readonly Page[]> {
  const random = new Random(1);
  const pages: Page[] = [];
  for (let number = 0; number < COUNT.pages; number += 1) {
    const id = randomUuid(random);
    const asked = { returnUrl: 'https://shop.example/back' };
    const isPage = number % 2 === 0;
    const path = isPage
      ? await client.open('/v2/paymentpage', { ...asked, depositId: id, country: 'RWA' })
      : await client.open('/v2/checkouts', {
          ...asked,
          checkoutId: id,
          countries: ['RWA'],
          expiresAfter: 60,
        });
    const statusPath = isPage ? `/v2/deposits/${id}` : `/v2/checkouts/${id}`;
    const untouched = isPage ? ['NOT_FOUND'] : ['WAITING_PAYMENT'];
    pages.push({ path, token: await client.formToken(path), statusPath, untouched });
  }
  return pages;
}

/** Deposits at their operator, with their references. */
async function addWaiting(engine: Engine, client: Client): Promise<readonly Waiting[]> {
  const ids = await Promise.all(Array.from({ length: COUNT.waiting }, () => client.deposit(STUCK)));
  for (let tries = 1; tries <= 300; tries += 1) {
    const { rows } = await engine.store.database.query<{ payment_id: string; reference: string }>(
      'select payment_id, reference from payment_attempts where payment_id = any($1)',
      [ids],
    );
    if (rows.length === ids.length)
      return rows.map(({ payment_id: depositId, reference }) => ({ depositId, reference }));
    await sleep(100);
  }
  throw new Error('deposits do not reach their operator; see the log');
}
