// Remittances of API v2 at a running gateway. Rows of api.md "Remittance" and of completions 1.5 and 7;
// what all payments that send money have in common is in outgoing-rows.ts, every field in the tests of wire.
import { describe, expect, test } from 'vitest';
import { select } from '../gateway.ts';
import { send, smallest, start, waitForPayment } from '../payments.ts';
import { remittanceRecipient, remittanceRequest, withField, type Body } from '../requests.ts';
import { openAccount } from './accounts.ts';
import { quotedByAnswer, told } from './answers.ts';
import { describeBulk } from './bulk-rows.ts';
import { describeOutgoing, withGateway } from './outgoing-rows.ts';

const gateway = withGateway();

describe('the record', () => {
  test('COMPLETED: exactly the fields of the specification, sender and recipientDetails as sent', async () => {
    const request = remittanceRequest({
      amount: '150',
      customerMessage: 'From Aline',
      metadata: [{ agent: 'A-1' }],
    });
    const remittanceId = await start(gateway(), 'remittance', request);
    expect(await waitForPayment(gateway(), 'remittance', remittanceId, 'COMPLETED')).toEqual({
      remittanceId,
      status: 'COMPLETED',
      amount: '150',
      currency: 'RWF',
      country: 'RWA',
      recipient: request['recipient'],
      sender: request['sender'],
      customerMessage: 'From Aline',
      created: expect.stringMatching(/Z$/),
      providerTransactionId: expect.stringMatching(/./),
      metadata: { agent: 'A-1' },
    });
  });

  test.each(['BROTHER_IN_LAW', 'BORTHER_IN_LAW'])('%s is echoed as sent', async (relationship) => {
    const path = 'sender.senderDetails.relationshipRecipient';
    const request = withField(remittanceRequest(), path, relationship);
    const remittanceId = await start(gateway(), 'remittance', request);
    const record = await waitForPayment(gateway(), 'remittance', remittanceId, 'COMPLETED');
    expect(record['sender'].senderDetails.relationshipRecipient).toBe(relationship);
  });

  test('only the required fields of the sender are needed, and no other is made up', async () => {
    const optional = ['gender', 'dateOfBirth', 'placeOfBirth', 'occupation', 'relationshipRecipient'];
    const request = optional.reduce(
      (body, field) => withField(body, `sender.senderDetails.${field}`, undefined),
      remittanceRequest(),
    );
    const remittanceId = await start(gateway(), 'remittance', request);
    const record = await waitForPayment(gateway(), 'remittance', remittanceId, 'COMPLETED');
    expect(record['sender']).toEqual(request['sender']);
  });

  test('the sender is encrypted at rest', async () => {
    const request = withField(remittanceRequest(), 'sender.senderDetails.lastName', 'Readablename');
    const remittanceId = await start(gateway(), 'remittance', request);
    const [row] = await select(gateway(), 'select * from payments where payment_id = $1', [remittanceId]);
    expect(row!['encrypted_details'].toString('latin1')).not.toContain('Readablename');
    expect(JSON.stringify({ ...row, encrypted_details: '' })).not.toContain('Readablename');
  });
});

describe('faults, HTTP 400', () => {
  test.each<[string, (body: Body) => Body, string]>([
    [
      'clientReferenceId, which remittances do not have',
      (body) => ({ ...body, clientReferenceId: 'x' }),
      'UNSUPPORTED_PARAMETER clientReferenceId',
    ],
    ['no sender', (body) => withField(body, 'sender', undefined), 'MISSING_PARAMETER sender'],
    [
      'a date that is none',
      (body) => withField(body, 'sender.senderDetails.dateOfBirth', '1987-02-29'),
      'INVALID_PARAMETER sender.senderDetails.dateOfBirth',
    ],
    [
      'a word that is not in the enumeration',
      (body) => withField(body, 'sender.transactionDetails.purposeOfFunds', 'FUN'),
      'INVALID_PARAMETER sender.transactionDetails.purposeOfFunds',
    ],
  ])('%s', async (_, change, expected) => {
    const request = change(remittanceRequest());
    const answer = await send(gateway(), 'remittance', request);
    expect(told(answer)).toBe(`400 REJECTED ${expected}`);
    expect(answer.body['remittanceId']).toBe(request['remittanceId']);
  });
});

describe('rejections, HTTP 200', () => {
  test('remittance limits equal payout limits', async () => {
    const answer = await send(gateway(), 'remittance', remittanceRequest({ amount: '2000001' }));
    expect(told(answer)).toBe('200 REJECTED AMOUNT_OUT_OF_BOUNDS');
    expect(quotedByAnswer(answer)).toEqual(['5', '2000000', 'MTN_MOMO_RWA']);
  });

  test('INVALID_PHONE_NUMBER: of the recipient', async () => {
    const recipient = remittanceRecipient('MTN_MOMO_RWA', '+250783456789');
    expect(told(await send(gateway(), 'remittance', remittanceRequest({ recipient })))).toBe(
      '200 REJECTED INVALID_PHONE_NUMBER',
    );
  });

  test('WALLET_OUT_OF_FUNDS: an account that never had money', async () => {
    const account = await openAccount(gateway(), { operations: ['REMITTANCE'] });
    expect(told(await send(account, 'remittance', remittanceRequest()))).toBe(
      '200 REJECTED WALLET_OUT_OF_FUNDS',
    );
  });
});

describeBulk({ noun: 'remittance', request: remittanceRequest }, gateway);

describeOutgoing(
  {
    noun: 'remittance',
    requestTo: async (_, { provider, phoneNumber }) =>
      remittanceRequest({
        ...smallest(provider, 'REMITTANCE'),
        recipient: remittanceRecipient(provider, phoneNumber),
      }),
  },
  gateway,
);
