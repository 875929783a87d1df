// Renders what Safaricom's fake answers at once and what it sends later. Pure.
import { createHash } from 'node:crypto';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';

type Named = Pick<OpenCharge, 'reference' | 'operation'>;

/** The only identifier for push enquiries. */
export function checkoutIdOf({ reference }: Named): string {
  return `ws_CO_${digitsOf(`checkout ${reference}`, 23)}`;
}

/** A payout keeps the identifier from its request; everything else gets one from Safaricom. */
export function conversationIdOf({ reference, operation }: Named): string {
  if (operation === 'PAYOUT') return reference;
  const digits = digitsOf(`conversation ${reference}`, 13);
  return `${digits.slice(0, 5)}-${digits.slice(5)}-1`;
}

/** Derived, so that it is the same after a restart. */
function digitsOf(text: string, length: number): string {
  const digest = createHash('sha256').update(text).digest('hex');
  return BigInt(`0x${digest}`).toString().slice(0, length);
}

export function acknowledgement(conversationId: string): Answer {
  return {
    status: 200,
    json: {
      ConversationID: `AG_${digitsOf(conversationId, 20)}`,
      OriginatorConversationID: conversationId,
      ResponseCode: '0',
      ResponseDescription: 'Accept the service request successfully.',
    },
  };
}

/** The result of a push. The items have no fixed order, and one has no value. */
export function renderCallback(charge: OpenCharge) {
  const items = [
    { Name: 'Amount', Value: Number(charge.amount) },
    { Name: 'MpesaReceiptNumber', Value: charge.transactionId },
    { Name: 'Balance' },
    { Name: 'TransactionDate', Value: 20_260_101_120_000 },
    { Name: 'PhoneNumber', Value: Number(charge.phoneNumber) },
  ];
  return {
    Body: {
      stkCallback: {
        MerchantRequestID: conversationIdOf(charge),
        CheckoutRequestID: checkoutIdOf(charge),
        ResultCode: resultCodeOf(charge),
        ResultDesc: 'In words for people.',
        ...(charge.status === 'SUCCESSFUL' ? { CallbackMetadata: { Item: items } } : {}),
      },
    },
  };
}

/** The result of a payout or reversal. */
export function renderResult(charge: OpenCharge): object {
  const code = resultCodeOf(charge);
  if (code !== 0) return renderFailure(conversationIdOf(charge), code);
  const amount = Number(charge.amount);
  const parameters =
    charge.operation === 'PAYOUT'
      ? {
          TransactionReceipt: charge.transactionId,
          TransactionAmount: amount,
          ReceiverPartyPublicName: `${charge.phoneNumber} - Zawadi Otieno`,
          B2CRecipientIsRegisteredCustomer: 'Y',
        }
      : { Amount: amount, OriginalTransactionID: charge.message.replace('reversal of ', '') };
  return result(conversationIdOf(charge), code, charge.transactionId, parameters);
}

/** The answer to an enquiry about a payout, a reversal or a receipt. */
export function renderStatus(charge: OpenCharge): object {
  const customer = `${charge.phoneNumber} - Zawadi Otieno`;
  const [debited, credited] = charge.operation === 'DEPOSIT' ? [customer, 'Malipo'] : ['Malipo', customer];
  return result(conversationIdOf(charge), 0, 'SAA0000000', {
    ReceiptNo: charge.transactionId,
    Amount: Number(charge.amount),
    TransactionStatus: statusOf(charge),
    DebitPartyName: debited,
    CreditPartyName: credited,
    FinalisedTime: 20_260_101_120_000,
  });
}

/** Status words from public sources. "Failed" is undocumented, for an undocumented code. */
function statusOf({ status, failureCode = '1019', reference }: OpenCharge): string {
  if (status === 'SUCCESSFUL') return 'Completed';
  if (status === 'PENDING') return /[02468ace]$/.test(reference) ? 'Initiated' : 'Authorized';
  if (failureCode === UNPUBLISHED) return 'Failed';
  if (failureCode === '1032') return 'Cancelled';
  return failureCode === '1019' || failureCode === '1037' ? 'Expired' : 'Declined';
}

/** An undocumented code. */
export const UNPUBLISHED = '7001';

/** All accounts of the organisation in one text. Charges are a debt, so that account is negative. */
export function renderBalance(amount: string): object {
  const accounts = [
    ['Working Account', '46713.00'],
    ['Utility Account', amount.includes('.') ? amount : `${amount}.00`],
    ['Charges Paid Account', '-220.00'],
  ].map(([name, balance]) => `${name}|KES|${balance}|${balance}|0.00|0.00`);
  return result('balance', 0, 'SAA0000000', { AccountBalance: accounts.join('&') });
}

export function renderFailure(conversationId: string, code: string | number): object {
  return result(conversationId, code, 'SAA0000000', null);
}

type Parameters = Readonly<Record<string, string | number>>;

function result(
  conversationId: string,
  code: string | number,
  receipt: string,
  parameters: Parameters | null,
) {
  const list = Object.entries(parameters ?? {}).map(([Key, Value]) => ({ Key, Value }));
  // A list with one item is sent without brackets.
  const reported = list.length === 1 ? list[0] : list;
  return {
    Result: {
      ResultType: 0,
      ResultCode: code,
      ResultDesc: 'In words for people.',
      OriginatorConversationID: conversationId,
      ConversationID: `AG_${digitsOf(conversationId, 20)}`,
      TransactionID: receipt,
      ...(parameters === null ? {} : { ResultParameters: { ResultParameter: reported } }),
      ReferenceData: { ReferenceItem: { Key: 'QueueTimeoutURL' } },
    },
  };
}

/** A number if it is numeric. A failure without a reason has expired. */
function resultCodeOf({ status, failureCode = '1019' }: OpenCharge): string | number {
  if (status === 'SUCCESSFUL') return 0;
  return /^\d+$/.test(failureCode) ? Number(failureCode) : failureCode;
}
