// The checks of Safaricom's fake: its one account, and the requests it refuses at once, without any effect.
import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { FakeCall } from '../../sandbox/fakes/kit.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';

export const JSON_TYPE = { 'content-type': 'application/json' };

const KEY_PAIR = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** Derived and not secret: they only protect a fake. */
const keyOf = (name: string) => createHash('sha256').update(`daraja ${name}`).digest('hex').slice(0, 32);

export const ACCOUNT = {
  consumerKey: keyOf('key'),
  consumerSecret: keyOf('secret'),
  shortCode: '174379',
  passkey: keyOf('passkey').repeat(2),
  payoutShortCode: '600983',
  // As if the host had certified them.
  failedStatuses: 'Cancelled Declined Expired',
  initiatorName: 'testapi',
  initiatorPassword: `${keyOf('initiator').slice(0, 12)}#`,
  certificate: KEY_PAIR.publicKey.export({ type: 'spki', format: 'pem' }).toString(),
};

export type Body = FakeCall['body'];

export function textIn(body: Body, name: string): string {
  const value = body[name];
  return typeof value === 'string' ? value : '';
}

export function refuseClient({ headers, query }: FakeCall): Answer | null {
  const { consumerKey, consumerSecret } = ACCOUNT;
  const basic = `Basic ${Buffer.from(`${consumerKey}:${consumerSecret}`).toString('base64')}`;
  // Daraja answers an unknown client with 400 and an empty body.
  const isKnown = headers.authorization === basic && query.get('grant_type') === 'client_credentials';
  return isKnown ? null : { status: 400, page: { text: '', headers: JSON_TYPE } };
}

const REFUSED_WORDS = /mpesa|m-pesa|safaricom|exe|exec|cmd|sql|query/i;

export function refuseAddresses({ body }: FakeCall): Answer | null {
  const names = ['CallBackURL', 'ResultURL', 'QueueTimeOutURL'];
  const refused = names.find((name) => REFUSED_WORDS.test(textIn(body, name)));
  return refused === undefined ? null : badField(refused);
}

export function refuseSignature({ body }: FakeCall): Answer | null {
  const { shortCode, passkey } = ACCOUNT;
  const timestamp = textIn(body, 'Timestamp');
  const password = Buffer.from(`${shortCode}${passkey}${timestamp}`).toString('base64');
  if (!/^20\d{12}$/.test(timestamp)) return badField('Timestamp');
  const isSigned = textIn(body, 'Password') === password && textIn(body, 'BusinessShortCode') === shortCode;
  return isSigned ? null : problem(500, '500.001.1001', 'Wrong credentials');
}

export function refusePush(call: FakeCall): Answer | null {
  const { body } = call;
  if (!isWhole(body['Amount'])) return badField('Amount');
  if (!isText(body['AccountReference'], 12)) return badField('AccountReference');
  if (!isText(body['TransactionDesc'], 13)) return badField('TransactionDesc');
  return /^254\d{9}$/.test(textIn(body, 'PhoneNumber')) ? refuseSignature(call) : badField('PhoneNumber');
}

export function refusePayout({ body }: FakeCall): Answer | null {
  if (!isWhole(body['Amount'])) return badField('Amount');
  if (!isText(body['OriginatorConversationID'], 64)) return badField('OriginatorConversationID');
  if (!isText(body['Remarks'], 100)) return badField('Remarks');
  return body['CommandID'] === 'BusinessPayment' ? null : badField('CommandID');
}

function isWhole(value: unknown): boolean {
  return typeof value === 'string' && /^[1-9]\d*$/.test(value);
}

function isText(value: unknown, lengthMax: number): boolean {
  return typeof value === 'string' && value !== '' && value.length <= lengthMax;
}

export function isInitiator(body: Body, nameField: string): boolean {
  try {
    const encrypted = Buffer.from(textIn(body, 'SecurityCredential'), 'base64');
    const key = { key: KEY_PAIR.privateKey, padding: constants.RSA_PKCS1_PADDING };
    const password = privateDecrypt(key, encrypted).toString();
    return password === ACCOUNT.initiatorPassword && textIn(body, nameField) === ACCOUNT.initiatorName;
  } catch {
    return false;
  }
}

export function badField(name: string): Answer {
  return problem(400, '400.002.02', `Bad Request - Invalid ${name}`);
}

export function problem(status: number, errorCode: string, errorMessage: string): Answer {
  return { status, json: { requestId: '11728-2929992-1', errorCode, errorMessage } };
}
