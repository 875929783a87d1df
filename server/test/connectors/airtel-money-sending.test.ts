// How Airtel is spoken to: by market and by account, encrypted and signed, over real sockets to the fake, which
// decrypts and verifies. What its words mean is in airtel-money.test.ts.
import { execFileSync } from 'node:child_process';
import { createHmac, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { authenticTransaction } from '../../src/connectors/airtel-money/callback-hash.ts';
import { airtelMoney } from '../../src/connectors/airtel-money/connector.ts';
import { startFake } from '../../src/connectors/airtel-money/fake.ts';
import { encryptFor, PADDINGS, parsePublicKey } from '../../src/connectors/airtel-money/encryption.ts';
import { dialectOf, dialectOfMarket } from '../../src/connectors/airtel-money/markets.ts';
import type { OperatorFake } from '../../src/sandbox/fakes/operator-fake.ts';
import { ONLY_PRODUCT, type Exchange, type OperatorContext } from '../../src/connectors/operator.ts';
import type {
  Connector,
  NotificationReading,
  RawNotification,
  SubmitRequest,
} from '../../src/connectors/port.ts';
import type { KeptToken } from '../../src/connectors/token-source.ts';
import { findProvider } from '../../src/domain/operators/catalogue.ts';
import { eventually, startReceiver, type Receiver } from './receiver.ts';
import { NO_ACCOUNT_RECORDED, phoneNumberOf } from './stage.ts';

const OPEN = { isOpen: () => true };
const DAY_MS = 24 * 3_600_000;

describe('markets', () => {
  test('every provider of the catalogue that is Airtel has one, and the AT of Ghana has none', () => {
    expect(airtelMoney.providers).toHaveLength(9);
    expect(airtelMoney.providers.map(dialectOfMarket)).not.toContain(null);
    expect(dialectOfMarket('AIRTELTIGO_GHA')).toBeNull();
    expect(dialectOfMarket('AIRTEL_toString')).toBeNull();
  });

  test('an account can override the settings of its market', () => {
    const values = { disbursementVersion: 'v2', encryption: 'OAEP', messageSigning: 'ON' };
    expect(dialectOf({ provider: 'AIRTEL_RWA', values })).toEqual({
      collections: 'v1',
      disbursements: 'v2',
      enquiries: 'v2',
      encryption: 'OAEP',
      isSigned: true,
      habits: {},
    });
    expect(dialectOf({ provider: 'AIRTEL_COG', values: { messageSigning: 'OFF' } })?.isSigned).toBe(false);
  });

  test.each([
    { collectionVersion: 'v3' },
    { disbursementVersion: 'v4' },
    { enquiryVersion: '2' },
    { encryption: 'oaep' },
    { messageSigning: 'yes' },
  ])('the words %j are not guessed at', (values) =>
    expect(dialectOf({ provider: 'AIRTEL_RWA', values })).toBeNull(),
  );
});

describe('keys', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 1_024 });
  const bare = publicKey.export({ format: 'der', type: 'spki' }).toString('base64');

  test.each([bare, publicKey.export({ format: 'pem', type: 'spki' }).toString()])(
    'one is read as the portal and as the API write it',
    (text) => {
      const encrypted = encryptFor(parsePublicKey(text)!, 'PKCS1', '4829') ?? '';
      const opened = privateDecrypt({ key: privateKey, ...PADDINGS.PKCS1 }, Buffer.from(encrypted, 'base64'));
      expect(opened.toString()).toBe('4829');
    },
  );

  test('an invalid key is refused, and one that is too short for the text does nothing', () => {
    expect(parsePublicKey('bm90IGEga2V5')).toBeNull();
    expect(encryptFor(publicKey, 'OAEP', 'x'.repeat(69))).toBeNull();
  });
});

test('D: OAEP with the mask of Java is what OpenSSL calls SHA-256 with a mask of SHA-1', () => {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
  const folder = mkdtempSync(join(tmpdir(), 'malipo-oaep-'));
  const key = join(folder, 'key.pem');
  const input = join(folder, 'encrypted');
  try {
    writeFileSync(key, privateKey.export({ format: 'pem', type: 'pkcs8' }));
    writeFileSync(input, Buffer.from(encryptFor(publicKey, 'OAEP_MGF1_SHA1', '4829') ?? '', 'base64'));
    const options = ['rsa_padding_mode:oaep', 'rsa_oaep_md:sha256', 'rsa_mgf1_md:sha1'];
    const flags = options.flatMap((option) => ['-pkeyopt', option]);
    const decrypted = execFileSync('openssl', ['pkeyutl', '-decrypt', '-inkey', key, '-in', input, ...flags]);
    expect(decrypted.toString()).toBe('4829');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('the hash of a callback', () => {
  const key = 'the private key of the app';
  const hashOf = (text: string) => createHmac('sha256', key).update(text).digest('base64');
  const transaction = String.raw`{ "id":"abc1", "message":"Paid \"5\/6\" } {", "status_code":"TS"}`;
  const writtenAgain = JSON.stringify(JSON.parse(transaction));
  const vouched = (body: string, headers = {}) =>
    authenticTransaction({ body: Buffer.from(body), headers }, key)?.['id'];

  test.each([
    ['of the transaction as written', `{"transaction": ${transaction}, "hash":"${hashOf(transaction)}"}`],
    ['of the transaction written again', `{"hash":"${hashOf(writtenAgain)}","transaction":${transaction}}`],
    [
      'of the body as written without it',
      `{"transaction":${transaction},"hash":"${hashOf(`{"transaction":${transaction}}`)}"}`,
    ],
    [
      'of the body written again without it',
      `{"transaction": ${transaction}, "hash": "${hashOf(`{"transaction":${writtenAgain}}`)}"}`,
    ],
  ])('%s is genuine', (_title, body) => {
    expect(vouched(body)).toBe('abc1');
    expect(vouched(body.replace('"TS"', '"TF"'))).toBeUndefined();
  });

  test('the hash of a callback can be in a header', () => {
    const body = `{"transaction":${transaction}}`;
    expect(vouched(body, { hash: hashOf(body) })).toBe('abc1');
    expect(vouched(body, { hash: hashOf(`${body} `) })).toBeUndefined();
    expect(vouched(body)).toBeUndefined();
  });

  test('the hash of a callback authenticates what was hashed, not for a second transaction beside it', () => {
    const second = '{"id":"other","status_code":"TS"}';
    const hash = hashOf(transaction);
    expect(vouched(`{"transaction":${transaction},"hash":"${hash}","transaction":${second}}`)).toBe('abc1');
    expect(
      vouched(`{"transaction":${second},"hash":"${hash}","transaction":${transaction}}`),
    ).toBeUndefined();
  });
});

describe('over the wire', () => {
  let fake: OperatorFake;
  let receiver: Receiver;
  let connectors: Connector[];
  let offsetMs: number;
  let exchanges: Exchange[];
  beforeEach(async () => {
    [connectors, exchanges, offsetMs] = [[], [], 0];
    receiver = await startReceiver();
    fake = await startFake(optionsOf());
  });
  const optionsOf = () => ({
    clock: { now: () => new Date(Date.now() + offsetMs) },
    openingFloat: '1000000',
    notificationUrlOf: (provider: string) => `${receiver.url}/of/${provider}`,
  });
  afterEach(async () => {
    for (const connector of connectors) await connector.close?.();
    await fake.stop();
    await receiver.stop();
  });

  /** A connector whose accounts hold what the fake gave out, with changes; undefined takes a field away. */
  const connect = (changes: Readonly<Record<string, string | undefined>> = {}): Connector => {
    const findAccount: OperatorContext['findAccount'] = ({ provider }) => {
      const given = { ...fake.credentialsOf(provider)[ONLY_PRODUCT], ...changes };
      const values = Object.fromEntries(
        Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
      );
      const rate = { perSecond: 1_000, burst: 1_000 };
      return Promise.resolve({ name: provider, provider, product: ONLY_PRODUCT, values, secrets: [], rate });
    };
    const connector = airtelMoney.create({
      ...keptInMemory(),
      findAccount,
      clock: { now: () => new Date() },
      record: (exchange) => void exchanges.push(exchange),
      timing: { timeoutMs: 10_000 },
      createAnswerUrl: () => Promise.reject(new Error('it answers at once')),
    });
    connectors.push(connector);
    return connector;
  };
  const steps = () => exchanges.map(({ step }) => step);
  test.each([
    ['AIRTEL_COG', 'DEPOSIT', { messageSigning: 'OFF' }, 'FAILED  DP00800001026'],
    ['AIRTEL_COG', 'DEPOSIT', { collectionVersion: 'v1' }, 'FAILED  ROUTER005'],
    ['AIRTEL_COG', 'PAYOUT', { encryption: 'OAEP_MGF1_SHA1' }, 'FAILED  DP00900001016'],
    ['AIRTEL_COG', 'PAYOUT', { messageSigning: 'OFF' }, 'FAILED  DP00900001016'],
    ['AIRTEL_COG', 'DEPOSIT', { encryption: 'PKCS1' }, 'FAILED  DP00800001026'],
    ['AIRTEL_OAPI_ZMB', 'PAYOUT', { disbursementVersion: 'v3' }, 'FAILED  ROUTER005'],
    ['AIRTEL_COD', 'PAYOUT', { pin: '11112222' }, 'FAILED  ROUTER115'],
    ['AIRTEL_COD', 'PAYOUT', { encryption: 'OAEP' }, 'FAILED  ROUTER116'],
    ['AIRTEL_COD', 'PAYOUT', { pin: undefined }, 'UNKNOWN NOT_SENT'],
    ['AIRTEL_OAPI_ZMB', 'DEPOSIT', { encryption: 'OAEP' }, 'UNKNOWN NOT_SENT'],
    ['AIRTEL_COD', 'DEPOSIT', { encryption: 'RSA' }, 'UNKNOWN NOT_SENT'],
    ['AIRTEL_COG', 'DEPOSIT', { publicKey: 'none' }, 'UNKNOWN NOT_SENT'],
    ['AIRTEL_COD', 'DEPOSIT', { clientSecret: 'wrong' }, 'UNKNOWN NOT_SENT'],
  ] as const)(
    '%s %s with %j is %s, and nothing is charged',
    async (provider, operation, changes, expected) => {
      const order = orderFor(provider, operation);
      expect(await said(connect(changes), order)).toBe(expected);
      expect(fake.books().charges).toEqual([]);
    },
  );

  test.each([
    ['AIRTEL_OAPI_ZMB', { collectionVersion: 'v1', disbursementVersion: 'v1' }],
    ['AIRTEL_COG', { collectionVersion: 'v1', encryption: 'OAEP_MGF1_SHA1' }],
    ['AIRTEL_COG', { encryption: 'PKCS1', enquiryVersion: 'v2' }],
    ['AIRTEL_GAB', { currencyCode: 'CFA', numberPrefix: '0' }],
    ['AIRTEL_RWA', { disbursementVersion: 'v2', enquiryVersion: 'v1' }],
  ] as const)(
    'D: where sources contradict each other the account decides: %s with %j is paid, asked about and given back',
    async (provider, accountSettings) => {
      await fake.stop();
      fake = await startFake({ ...optionsOf(), accountSettings });
      const connector = connect();
      for (const operation of ['DEPOSIT', 'PAYOUT'] as const) {
        const order = orderFor(provider, operation);
        expect(await said(connector, order)).toMatch(/^(PENDING|COMPLETED)/);
        const attempt = { ...order, attemptNo: 1, claimedAt: new Date() };
        expect((await connector.query!(attempt)).outcome).toMatchObject({ type: 'COMPLETED' });
        const { currency } = findProvider(provider)!.currencies[0]!;
        expect(fake.books().charges.at(-1)).toMatchObject({ phoneNumber: order.phoneNumber, currency });
      }
      const usual = connect(
        Object.fromEntries(Object.keys(accountSettings).map((name) => [name, undefined])),
      );
      const refused = await said(usual, orderFor(provider, 'PAYOUT'));
      const asked = await usual.query!({
        ...orderFor(provider, 'PAYOUT'),
        attemptNo: 1,
        claimedAt: new Date(),
      });
      // Spoken to in the market's own way, an account that wants another gets nowhere.
      expect(`${refused} ${JSON.stringify(asked.outcome)}`).toMatch(/^(FAILED|UNKNOWN)|OPERATOR_ERROR/);
    },
  );

  test('a key is asked for once for many requests', async () => {
    const connector = connect();
    const orders = Array.from({ length: 4 }, () => orderFor('AIRTEL_COG', 'PAYOUT'));
    await Promise.all(orders.map((order) => said(connector, order)));
    expect(fake.books().charges).toHaveLength(4);
    expect(steps().filter((step) => step === 'keys')).toHaveLength(1);
  });

  test.each(['DEPOSIT', 'PAYOUT'] as const)(
    'a %s encrypted with a key that Airtel changed meanwhile is sent once more, and charged once',
    async (operation) => {
      const connector = connect();
      await said(connector, orderFor('AIRTEL_COG', operation));
      offsetMs = DAY_MS;
      // The token of the day before is refused as well; that has its own retry.
      const order = orderFor('AIRTEL_COG', operation);
      expect(await said(connector, order)).toMatch(/^(PENDING|COMPLETED)$/);
      const charged = fake.books().charges.filter(({ reference }) => reference === order.reference);
      expect(charged.map(({ submissions }) => submissions)).toEqual([1]);
      expect(steps().filter((step) => step === 'keys')).toHaveLength(2);
    },
  );

  test('a key of the account is used instead of asking, and one that is wrong is not tried twice', async () => {
    const { publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const wrong = publicKey.export({ format: 'pem', type: 'spki' }).toString();
    expect(await said(connect({ publicKey: wrong }), orderFor('AIRTEL_COG', 'DEPOSIT'))).toBe(
      'FAILED  DP00800001026',
    );
    expect(steps().filter((step) => step !== 'token')).toEqual(['submit']);
  });

  test('a request that needs neither PIN nor signature asks for no key', async () => {
    expect(await said(connect(), orderFor('AIRTEL_COD', 'DEPOSIT'))).toBe('PENDING');
    expect(steps()).toEqual(['token', 'submit']);
  });

  test('a refund that was made cannot be made again, and that is not taken for the end', async () => {
    const connector = connect();
    const order = orderFor('AIRTEL_COD', 'DEPOSIT');
    await connector.submit(order, OPEN);
    const stored = { ...order, attemptNo: 1, claimedAt: new Date() };
    const { outcome } = await connector.query!(stored);
    if (outcome === 'ENQUIRY_REQUESTED' || outcome.type !== 'COMPLETED') throw new Error('not paid');
    const original = { ...stored, providerTransactionId: outcome.providerTransactionId! };
    const refund = () => connector.refund!.submit({ ...orderFor('AIRTEL_COD', 'REFUND'), original }, OPEN);
    expect((await refund()).outcome.type).toBe('COMPLETED');
    expect((await refund()).outcome).toEqual({ type: 'UNKNOWN', reason: 'OPERATOR_ERROR' });
    expect(fake.books().charges.filter(({ operation }) => operation === 'REFUND')).toHaveLength(1);
  });

  test.each(['AIRTEL_COD', 'AIRTEL_OAPI_ZMB', 'AIRTEL_COG'])(
    'a callback of %s makes us ask if its hash is good and it came to its address',
    async (provider) => {
      const connector = connect();
      const { reference } = orderFor(provider, 'DEPOSIT');
      await connector.submit({ ...orderFor(provider, 'DEPOSIT'), reference }, OPEN);
      await eventually(() => receiver.received.length).toBe(1);
      const genuine = receiver.received[0]!;
      const { pathProvider: _, ...elsewhere } = genuine;
      const body = Buffer.from(genuine.body.toString().replace('"TS"', '"TF"'));
      const forged = { type: 'HINT', reference, isForged: true };
      expect(await read(connector, genuine)).toEqual({ type: 'HINT', reference });
      expect(await read(connector, { ...genuine, body })).toEqual(forged);
      expect(await read(connector, elsewhere)).toEqual(forged);
      expect(await read(connector, { ...genuine, pathProvider: 'AIRTEL_RWA' })).toEqual(forged);
      expect(await read(connect({ callbackKey: 'another' }), genuine)).toEqual(forged);
      // Where callback authentication is off there is nothing to check, and a hint does no harm.
      expect(await read(connect({ callbackKey: undefined }), { ...genuine, body })).toEqual({
        type: 'HINT',
        reference,
      });
    },
  );
});

/** What an order comes to, with what only the host can fix. */
async function said(connector: Connector, order: SubmitRequest): Promise<string> {
  const { outcome, alert } = await connector.submit(order, OPEN);
  return [outcome.type, 'reason' in outcome ? outcome.reason : '', alert ?? ''].join(' ').trim();
}

async function read(connector: Connector, raw: RawNotification): Promise<NotificationReading> {
  return connector.notifications!.read(raw, NO_ACCOUNT_RECORDED);
}

let orders = 0;

function orderFor(provider: string, operation: SubmitRequest['operation']): SubmitRequest {
  const { country, currencies } = findProvider(provider)!;
  orders += 1;
  return {
    reference: `0001${orders.toString(16).padStart(28, 'a')}`,
    operation,
    provider,
    country,
    amount: 1_500_000n,
    currency: currencies[0]!.currency,
    phoneNumber: phoneNumberOf(provider),
    customerMessage: 'Thank you Zawadi',
    notificationUrl: 'https://gateway.example/n',
  };
}

/** Tokens and rates of one process; the store's own are in the contract suite. */
function keptInMemory(): Pick<OperatorContext, 'tokens' | 'rates'> {
  const kept = new Map<string, KeptToken>();
  return {
    tokens: {
      find: (account) => Promise.resolve(kept.get(account) ?? null),
      lease: () => Promise.resolve(true),
      keep: (account, token) => {
        const issued = { ...token, issueNo: (kept.get(account)?.issueNo ?? 0) + 1 };
        kept.set(account, issued);
        return Promise.resolve(issued);
      },
      release: () => Promise.resolve(),
      withdraw: (account) => Promise.resolve(void kept.delete(account)),
    },
    rates: { takeSlot: () => Promise.resolve(0), pause: () => Promise.resolve() },
  };
}
