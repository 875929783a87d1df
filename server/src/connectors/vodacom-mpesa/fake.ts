// Vodacom's fake: both APIs, with their known behaviour. Encrypted keys, sessions that are not valid at once, 401 for
// failed payments, results without a signature, and no amounts in answers.
import { randomBytes } from 'node:crypto';
import { findProvider } from '../../domain/operators/catalogue.ts';
import { parseAmount, renderAmount } from '../../domain/money.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import type { FakeOptions, OperatorFake } from '../../sandbox/fakes/operator-fake.ts';
import {
  htmlAnswer,
  startFakeKit,
  type FakeCall,
  type FakeContext,
  type Route,
} from '../../sandbox/fakes/kit.ts';
import { textOf } from '../json.ts';
import { ONLY_PRODUCT } from '../operator.ts';
import type { Answer } from '../../sandbox/fakes/answer.ts';
import type { OpenCharge } from '../../sandbox/fakes/books/charge.ts';
import { accountOf, HOLDERS, keyOf, readBearer, Sessions, type Holder, WARM_UP_MS } from './fake-keys.ts';
import { describeCode, findFault, type Fields } from './fake-rules.ts';
import { marketOf } from './markets.ts';

/** AT_ONCE: a deposit's answer is final, the default of an application. LATER: its result is sent afterwards. */
type Answers = {
  readonly deposits?: 'AT_ONCE' | 'LATER';
  /** How long a new session takes to become valid. */
  readonly warmUpMs?: number;
};

export const startFake = (options: FakeOptions & Answers): Promise<OperatorFake> =>
  startFakeKit(options, (context) => {
    const sessions = new Sessions(context, options.warmUpMs ?? WARM_UP_MS);
    return {
      routes: HOLDERS.flatMap((holder) => routesOf({ context, sessions, holder, ...options })),
      render: (charge, { isForged }) => renderResult(charge, isForged),
      habits: {
        createTransactionId: () => randomBytes(6).toString('hex'),
        unknownCode: 'INS-4711',
        refusalOf: (refusal) => ({
          status: 'FAILED',
          failureCode: refusal === 'PIN_TIMEOUT' ? 'INS-9' : 'INS-5',
        }),
      },
      credentialsOf: (provider) => ({ [ONLY_PRODUCT]: accountOf(context, provider) }),
    };
  });

type MarketContext = Answers & {
  readonly context: FakeContext;
  readonly sessions: Sessions;
  readonly holder: Holder;
};

const SUBMITS = [
  ['DEPOSIT', 'POST', 'c2bPayment/singleStage'],
  ['PAYOUT', 'POST', 'b2cPayment'],
  ['REFUND', 'PUT', 'reversal'],
] as const;

function routesOf(market: MarketContext): readonly Route[] {
  const { context, sessions, holder } = market;
  const isOlder = marketOf(holder.provider).form === 'OLDER';
  const path = (name: string) =>
    new RegExp(`^${isOlder ? '' : '/openapi'}${marketOf(holder.provider).path}${name}/$`);
  const refuses = (call: FakeCall) => refuseCaller(market, call);
  const session: Route = {
    method: 'GET',
    path: path('getSession'),
    step: 'token',
    refuses: (call) =>
      readBearer(call) === holder.apiKey && isAtHome(call, holder) ? null : problem('INS-989', holder),
    answer: () => ({ status: 200, json: { ...words('INS-0'), output_SessionID: sessions.open(holder) } }),
  };
  const submits = SUBMITS.map(([operation, method, name]): Route => ({
    method,
    path: path(name),
    step: 'submit',
    refuses: (call) => refuses(call) ?? refuseRequest(market, operation, call.body),
    subject: ({ body }) => ({ reference: referenceOf(body), operation, phoneNumber: phoneOf(context, body) }),
    answer: ({ body }) => submit(market, operation, body),
  }));
  const query: Route = {
    method: 'GET',
    path: path('queryTransactionStatus'),
    step: 'query',
    refuses: (call) => refuses(call) ?? refuseQuestion(call.query, holder),
    subject: ({ query: asked }) => findCharge(context, asked.get('input_QueryReference') ?? '') ?? {},
    answer: ({ query: asked }) => answerQuestion(market, asked),
  };
  return isOlder ? [...submits, query] : [session, ...submits, query];
}

/** The origin must be one that the application is limited to. */
function isAtHome({ headers }: FakeCall, { origin }: Holder): boolean {
  return headers.origin === origin;
}

/** The newer API answers without a text: an expired session and one that is too new look the same. */
function refuseCaller({ sessions, holder }: MarketContext, call: FakeCall): Answer | null {
  if (!isAtHome(call, holder)) return htmlAnswer(403, '<h1>Forbidden</h1>');
  const said = readBearer(call);
  if (marketOf(holder.provider).form === 'OLDER') {
    return said === holder.apiKey ? null : problem('INS-2', holder);
  }
  return sessions.isValid(said, holder) ? null : htmlAnswer(401, '');
}

function refuseRequest(
  { context, holder }: MarketContext,
  operation: PaymentKind,
  body: Fields,
): Answer | null {
  const market = marketOf(holder.provider);
  const currencies = findProvider(holder.provider)?.currencies.map(({ currency }) => currency) ?? [];
  const fault =
    findFault(body, { operation, market, currencies, ...holder }) ??
    (operation === 'REFUND' ? findReversalFault(context, holder, body) : null);
  return fault === null ? null : problem(fault, holder, { reference: referenceOf(body) });
}

function findReversalFault(context: FakeContext, holder: Holder, body: Fields): string | null {
  const original = originalOf(context, body);
  if (original === undefined || original.status !== 'SUCCESSFUL') return 'INS-18';
  if (original.provider !== holder.provider) return 'INS-35';
  // A repeat must be recognised before the remaining amount is checked, or it would look like a second reversal.
  if (context.transactions.find(referenceOf(body)) !== undefined) return null;
  const reversed = context.transactions
    .list()
    .filter(({ operation, message }) => operation === 'REFUND' && message === original.transactionId)
    .reduce((sum, { amount }) => sum + (parseAmount(amount) ?? 0n), 0n);
  const left = (parseAmount(original.amount) ?? 0n) - reversed;
  return amountOf(body) <= left ? null : 'INS-15';
}

function refuseQuestion(asked: URLSearchParams, holder: Holder): Answer | null {
  const { form, country } = marketOf(holder.provider);
  const own = form === 'OLDER' ? 'input_ThirdPartyReference' : 'input_ThirdPartyConversationID';
  if (!/^\w{1,40}$/.test(asked.get(own) ?? '')) return problem('INS-20', holder);
  if (asked.get('input_ServiceProviderCode') !== holder.serviceProviderCode) return problem('INS-13', holder);
  if (form === 'OPENAPI' && asked.get('input_Country') !== country) return problem('INS-21', holder);
  return /^[A-Za-z0-9]{1,32}$/.test(asked.get('input_QueryReference') ?? '')
    ? null
    : problem('INS-21', holder);
}

function submit({ context, holder, deposits }: MarketContext, operation: PaymentKind, body: Fields): Answer {
  const isLater = operation === 'DEPOSIT' && deposits !== 'AT_ONCE';
  const reference = referenceOf(body);
  const { charge, isRepeat } = context.transactions.submit({
    reference,
    operation,
    provider: holder.provider,
    country: findProvider(holder.provider)?.country ?? '',
    amount: renderAmount(amountOf(body)),
    currency: textOf(body['input_Currency']) ?? originalOf(context, body)?.currency ?? 'MZN',
    phoneNumber: phoneOf(context, body),
    // A reversal stores here which payment it reverses.
    message: textOf(body['input_PurchasedItemsDesc']) ?? textOf(body['input_TransactionID']) ?? '',
    notificationUrl: isLater ? (context.options.notificationUrlOf?.(holder.provider) ?? '') : '',
  });
  if (isRepeat) return problem('INS-10', holder, { reference });
  const about = { reference, conversation: conversationOf(charge) };
  if (isLater) return { status: 201, json: { ...words('INS-0'), ...identify(holder, about) } };
  if (charge.status === 'SUCCESSFUL') {
    const receipt = { output_TransactionID: charge.transactionId };
    return { status: 201, json: { ...words('INS-0'), ...receipt, ...identify(holder, about) } };
  }
  // A payment without an end times out, and some failures have no code.
  return problem(charge.status === 'PENDING' ? 'INS-9' : (charge.failureCode ?? ''), holder, about);
}

/** An enquiry's answer: a status if there is one, else the code of the payment. Never an amount. */
function answerQuestion({ context, holder }: MarketContext, asked: URLSearchParams): Answer {
  const charge = findCharge(context, asked.get('input_QueryReference') ?? '');
  const own = asked.get('input_ThirdPartyConversationID') ?? asked.get('input_ThirdPartyReference') ?? '';
  const about = { reference: own, conversation: keyOf(own, 'conversation') };
  if (charge === undefined || charge.provider !== holder.provider) return problem('INS-23', holder, about);
  const status = statusOf(charge);
  if (status === null) return problem(charge.failureCode ?? '', holder, about);
  const receipt = charge.status === 'SUCCESSFUL' ? charge.transactionId : 'N/A';
  const isOlder = marketOf(holder.provider).form === 'OLDER';
  return {
    status: 200,
    json: {
      ...words('INS-0'),
      ...identify(holder, about),
      output_ResponseTransactionStatus: status,
      ...(isOlder
        ? { output_TransactionID: receipt }
        : { output_OriginalTransactionID: receipt, output_Reversed: 'False' }),
    },
  };
}

function statusOf({ status, failureCode = 'INS-9' }: OpenCharge): string | null {
  if (status === 'SUCCESSFUL') return 'Completed';
  if (status === 'PENDING') return 'N/A';
  return { 'INS-5': 'Cancelled', 'INS-6': 'Failed', 'INS-9': 'Expired' }[failureCode] ?? null;
}

/** A payment can be found by our reference, its receipt or its conversation. */
function findCharge({ transactions }: FakeContext, reference: string): OpenCharge | undefined {
  return (
    transactions.find(reference) ??
    transactions.findByTransactionId(reference) ??
    transactions.list().find((charge) => conversationOf(charge) === reference)
  );
}

function originalOf(context: FakeContext, body: Fields): OpenCharge | undefined {
  return context.transactions.findByTransactionId(textOf(body['input_TransactionID']) ?? '');
}

function phoneOf(context: FakeContext, body: Fields): string {
  return textOf(body['input_CustomerMSISDN']) ?? originalOf(context, body)?.phoneNumber ?? '';
}

function referenceOf(body: Fields): string {
  return textOf(body['input_ThirdPartyConversationID']) ?? textOf(body['input_ThirdPartyReference']) ?? '';
}

function amountOf(body: Fields): bigint {
  return parseAmount(String(body['input_Amount'] ?? body['input_ReversalAmount'])) ?? 0n;
}

function conversationOf({ transactionId }: OpenCharge): string {
  return keyOf(transactionId, 'conversation');
}

type About = { readonly reference?: string; readonly conversation?: string };

function identify({ provider }: Holder, { reference = '', conversation }: About): object {
  const isOlder = marketOf(provider).form === 'OLDER';
  return {
    ...(conversation === undefined ? {} : { output_ConversationID: conversation }),
    [isOlder ? 'output_ThirdPartyReference' : 'output_ThirdPartyConversationID']: reference,
  };
}

function words(code: string): object {
  return { output_ResponseCode: code, output_ResponseDesc: describeCode(code).text };
}

function problem(code: string, holder: Holder, about: About = {}): Answer {
  const receipt = { output_TransactionID: 'N/A' };
  return {
    status: describeCode(code).httpStatus,
    json: { ...words(code), ...receipt, ...identify(holder, about) },
  };
}

/** The posted result. Anyone who knows a reference can forge one, with an invented conversation. */
function renderResult(charge: OpenCharge, isForged: boolean) {
  const isOlder = marketOf(charge.provider).form === 'OLDER';
  const isDone = charge.status === 'SUCCESSFUL';
  const code = isDone ? 'INS-0' : (charge.failureCode ?? '');
  const receipt = isForged ? 'forged000000' : charge.transactionId;
  return {
    url: charge.notificationUrl,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      input_OriginalConversationID: isForged ? '0'.repeat(32) : conversationOf(charge),
      input_TransactionID: isDone ? receipt : 'N/A',
      input_ResultCode: isDone && isOlder ? '0' : code,
      input_ResultDesc: describeCode(code).text,
      [isOlder ? 'input_ThirdPartyReference' : 'input_ThirdPartyConversationID']: charge.reference,
    }),
  };
}
