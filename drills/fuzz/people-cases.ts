// Requests without a token: forms of hosted pages, operators' notifications, sign-ins.
import type { Random } from '../kit/random.ts';
import { breakJson } from './broken-json.ts';
import { randomNumber } from '../kit/load/markets.ts';
import { randomHostile, randomHostileText, renderJson } from './hostile.ts';
import { mutate } from './mutate.ts';
import { JSON_TYPE, renderRequest, type Header } from './request.ts';
import { ANYTHING, refused, type Case, type Page, type Scene } from './world.ts';

const FORM_TYPE: Header = ['content-type', 'application/x-www-form-urlencoded'];

/** Input that must not start a payment, however tolerant the page is. */
const BAD_NUMBERS = ['', 'abc', '0', '+', '٣٣٣', '999', '1'.repeat(60), '\u0000', "' OR 1=1", '🙂'];
const BAD_AMOUNTS = ['', '0', '-5', 'abc', '1e3', 'NaN', '0.00001', '9'.repeat(40), '\u0000', '0x10'];

export function randomPageCase(scene: Scene): Case {
  const { random, world } = scene;
  const page = random.pick(world.pages);
  const isForm = random.chance(0.7);
  const body = isForm ? randomForm(page, scene) : null;
  const path = isForm && random.chance(0.7) ? page.path : randomPageAddress(page, random);
  const method = isForm ? 'POST' : 'GET';
  const headers = isForm ? [random.chance(0.9) ? FORM_TYPE : JSON_TYPE] : [];
  return {
    family: 'hosted pages',
    what: `${method} ${path.slice(0, 60)}`,
    bytes: renderRequest({ method, path, host: world.host, headers, body }),
    methods: [method],
    expected: ANYTHING,
  };
}

/** Either the token is not the page's, or the number or the amount is invalid. */
function randomForm({ token }: Page, scene: Scene): Buffer {
  const { random, market } = scene;
  const hasToken = random.chance(0.5);
  const phone = hasToken ? random.pick(BAD_NUMBERS) : randomNumber(random, market);
  const fields: Record<string, string> = {
    step: hasToken ? 'pay' : random.pick(['pay', 'cancel', 'review', '', '__proto__']),
    token: hasToken ? token : random.pick(['', 'x', token.slice(1), `${token}x`, 'é'.repeat(40)]),
    attempt: random.pick(['1', '1', '1', '0', '-1', '1e9', 'NaN', '']),
    country: random.pick([market.country, market.country, '', 'ZZZ', '__proto__']),
    phone,
    amount: random.chance(0.5) ? String(market.amountMin) : random.pick(BAD_AMOUNTS),
    offer: random.pick([`${market.code} ${market.currency}`, market.code, '', 'constructor']),
    code: random.pick(['', '123456', 'x'.repeat(90)]),
  };
  const bent = random.pick(Object.keys(fields).filter((name) => !['token', 'phone', 'step'].includes(name)));
  fields[bent] = randomHostileText(random, fields[bent] ?? '');
  const text = new URLSearchParams(fields).toString();
  const more = random.pick([
    '',
    '',
    '',
    `&${bent}=again`,
    '&'.repeat(2_000),
    '&a=%',
    '&%ff=%fe',
    '&x=y'.repeat(9_000),
  ]);
  return Buffer.from(text + more);
}

function randomPageAddress({ path }: Page, random: Random): string {
  const hostile = encodeURIComponent(randomHostileText(random, 'fr').toWellFormed()).slice(0, 3_000);
  return random.pick([
    `${path}?lang=${hostile}`,
    `${path}?country=${hostile}`,
    `${path}?country=a&country=b`,
    `${path}?country[]=a&lang[]=fr`,
    `${path}?__proto__=x&constructor=y`,
    `${path}/go?${hostile}`,
    `${path}${hostile}`,
    path.slice(0, -1),
  ]);
}

/** The fields of the simulator and of real operators together: each connector finds some of its own. */
export function randomNotificationCase(scene: Scene): Case {
  const { random, world } = scene;
  const { reference } = random.pick(world.waiting);
  const sound = notificationOf(reference);
  const body = random.chance(0.25)
    ? breakJson(JSON.stringify(sound), random).bytes
    : Buffer.from(renderJson(random.chance(0.2) ? sound : mutate(sound, random).value));
  const place = encodeURIComponent((JSON.stringify(randomHostile(random)) ?? '').toWellFormed()).slice(
    0,
    2_000,
  );
  const below = random.pick([
    '',
    '',
    `/${reference}/${place}`,
    `/of/${place}`,
    `/${place}/x/y`,
    `/${reference}/x/${place}`,
  ]);
  const connector = random.pickWeighted([
    [8, random.pick(world.connectors)],
    [1, encodeURIComponent(randomHostileText(random, 'simulator').toWellFormed()).slice(0, 500)],
  ]);
  const method = random.pick(['POST', 'POST', 'PUT']);
  const path = `/operators/${connector}/notifications${below}`;
  return {
    family: 'notifications',
    what: `${method} ${path.slice(0, 60)}`,
    bytes: renderRequest({
      method,
      path,
      host: world.host,
      headers: [JSON_TYPE, ...randomSigns(random)],
      body,
    }),
    methods: [method],
    expected: ANYTHING,
  };
}

function notificationOf(reference: string): object {
  return {
    reference,
    externalId: reference,
    referenceId: reference,
    status: 'SUCCESSFUL',
    amount: '500',
    currency: 'RWF',
    transactionId: 'T-1',
    financialTransactionId: '1234567890',
    transaction: { id: reference, message: 'Paid', status_code: 'TS', airtel_money_id: 'MP1' },
    Body: { stkCallback: { CheckoutRequestID: reference, ResultCode: 0, CallbackMetadata: { Item: [] } } },
    Result: {
      ResultCode: 0,
      ConversationID: reference,
      OriginatorConversationID: reference,
      TransactionID: 'T1',
    },
    type: 'checkout.session.completed',
    data: { id: reference, client_reference: reference, payment_status: 'succeeded', amount: '500' },
    transactionStatus: 'completed',
    clientCorrelationId: reference,
    transactionReference: reference,
  };
}

const SIGNS = [
  'x-simulator-signature',
  'x-signature',
  'wave-signature',
  'authorization',
  'x-callback-signature',
  'signature',
];

/** Invalid origin headers. */
function randomSigns(random: Random): readonly Header[] {
  const value = random.pick([
    '',
    'x',
    't=1,v1=00',
    `t=${'9'.repeat(400)},v1=zz`,
    'Bearer x',
    '00'.repeat(32),
    '='.repeat(3_000),
  ]);
  return SIGNS.filter(() => random.chance(0.3)).map((name) => [name, value]);
}

const AUTH_CALLS: readonly (readonly [path: string, body: object])[] = [
  [
    '/sign-in/email',
    { email: 'unknown@example.com', password: 'a wrong password', rememberMe: true, callbackURL: '/' },
  ],
  ['/sign-out', {}],
  ['/two-factor/enable', { password: 'x' }],
  ['/two-factor/verify-totp', { code: '000000', trustDevice: true }],
  ['/two-factor/verify-backup-code', { code: 'abcde-fghij' }],
  ['/request-password-reset', { email: 'unknown@example.com', redirectTo: 'https://elsewhere.example' }],
  ['/reset-password', { newPassword: 'another password', token: 'x' }],
  ['/change-password', { currentPassword: 'x', newPassword: 'y', revokeOtherSessions: true }],
  ['/revoke-session', { token: 'x' }],
];

/** Calls with the same answer for every address, so that callers cannot learn which ones are known. */
const ALWAYS_FINE = ['/request-password-reset', '/sign-out'];

export function randomSignInCase({ random, world }: Scene): Case {
  const [path, sound] = random.pick(AUTH_CALLS);
  const body = random.chance(0.3)
    ? breakJson(JSON.stringify(sound), random).bytes
    : Buffer.from(renderJson(mutate(sound, random).value));
  const origin = random.pick([
    `http://${world.host}`,
    `http://${world.host}`,
    'http://elsewhere.example',
    'null',
    '',
  ]);
  return {
    family: 'sign-in',
    what: `POST /console/auth${path}`,
    bytes: renderRequest({
      method: 'POST',
      path: `/console/auth${path}`,
      host: world.host,
      headers: [['origin', origin], JSON_TYPE],
      body,
    }),
    methods: ['POST'],
    expected: ALWAYS_FINE.includes(path) ? ANYTHING : refused('no one is signed in by this'),
  };
}
