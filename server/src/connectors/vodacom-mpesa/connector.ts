// The connector to Vodacom's M-Pesa: the OpenAPI, and Mozambique's older API. The operator stores our reference: a
// repeat is answered INS-10 and charges nothing. Later results are unsigned, so they only trigger an enquiry.
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { CallResult } from '../call.ts';
import { unansweredQuery, unansweredSubmit } from '../evidence.ts';
import { openLine, type BareLine, type Line, type LineCall } from '../line.ts';
import {
  ONLY_PRODUCT,
  type Account,
  type CredentialForm,
  type Operator,
  type OperatorContext,
} from '../operator.ts';
import type {
  Connector,
  ConnectorTiming,
  RefundSubmitRequest,
  SendPermission,
  StoredAttempt,
  SubmitAnswer,
  SubmitRequest,
} from '../port.ts';
import type { Minted } from '../token-source.ts';
import { certification } from './certification.ts';
import { encryptBearer } from './bearer.ts';
import { addressOf, findMarket, marketOf } from './markets.ts';
import {
  acknowledge,
  isSessionRefusal,
  parseSessionAnswer,
  parseStatusAnswer,
  parseSubmitAnswer,
  readNotification,
  renderDescription,
  renderRequest,
  renderQuery,
  renderReversal,
} from './wire.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** Vodacom's own samples wait this long until a new session becomes valid (S). */
const WARM_UP_SECONDS_MAX = 30;

/** The portal's default for a new application (T). The answer does not contain it. */
const SESSION_LIFETIME_SECONDS = 3_600;

const FIELDS: CredentialForm = {
  baseUrl: {
    what: 'https://openapi.m-pesa.com/openapi, or its /sandbox; in Mozambique https://api.vm.co.mz',
    kind: 'OPEN',
    identifiesAccount: true,
  },
  apiKey: { what: 'the key of the application', kind: 'SECRET' },
  publicKey: { what: "the platform's public key as the portal shows it, base64", kind: 'OPEN' },
  serviceProviderCode: { what: 'the short code of the organisation', kind: 'OPEN', identifiesAccount: true },
  origin: {
    what: 'the origin that the application is limited to; * where none',
    kind: 'OPEN',
    isOptional: true,
  },
  sessionLifetimeSeconds: {
    what: `the session lifetime set in the portal; ${SESSION_LIFETIME_SECONDS} where nothing is said`,
    kind: 'OPEN',
    isOptional: true,
  },
  sessionWarmUpSeconds: {
    what: `how long a new session takes to become valid; ${WARM_UP_SECONDS_MAX}, which is the most, if unsaid`,
    kind: 'OPEN',
    isOptional: true,
  },
  initiatorIdentifier: { what: 'for refunds in Mozambique', kind: 'OPEN', isOptional: true },
  securityCredential: { what: 'for refunds in Mozambique', kind: 'SECRET', isOptional: true },
};

export const vodacomMpesa: Operator = {
  create: createVodacomMpesaConnector,
  providers: ['VODACOM_TZA', 'VODACOM_MPESA_COD', 'MPESA_LSO', 'VODAFONE_GHA', 'VODACOM_MOZ'],
  variants: ['VODACOM_MOZ'],
  credentials: { [ONLY_PRODUCT]: FIELDS },
  // No rate limit is published (K). Limits of value and count are set per application in the portal.
  rate: { perSecond: 10, burst: 10 },
  certification,
};

const TIMING: ConnectorTiming = {
  // The first request may wait until its session becomes valid.
  sendDeadlineMs: 45 * SECOND_MS,
  timeoutMs: 10 * SECOND_MS,
  // The longest submit, and three minutes for an index that was seen to lag (T).
  notSeenAfterMs: 5 * MINUTE_MS,
  enquiryDelaysMs: [30, 30, 60, 60, 120, 300, 600].map((seconds) => seconds * SECOND_MS),
  horizonMs: 30 * MINUTE_MS,
  reconciliationDelayMs: 60 * MINUTE_MS,
};

/**
 * A deposit is answered after the payer has entered the PIN, unless results come later: clients wait 60 to 120 s (S).
 */
const DEPOSIT_TIMING: ConnectorTiming = { ...TIMING, timeoutMs: 60 * SECOND_MS };

function createVodacomMpesaConnector(context: OperatorContext): Connector {
  const timing: ConnectorTiming = { ...TIMING, ...context.timing };
  const depositTiming: ConnectorTiming = { ...DEPOSIT_TIMING, ...context.timing };
  const lines = openLines(context, timing.timeoutMs);
  const send = async (request: SubmitRequest, sent: Sent): Promise<SubmitAnswer> => {
    const { timeoutMs } = request.operation === 'DEPOSIT' ? depositTiming : timing;
    const result = await submit(lines.of(request), request, { ...sent, timeoutMs });
    return result.type === 'SILENCE' ? unansweredSubmit(result) : parseSubmitAnswer(result, request);
  };
  return {
    name: 'vodacom-mpesa',
    timing,
    departures: { DEPOSIT: { timing: depositTiming } },
    reference: { chosenBy: 'OURS', shape: 'TOKEN' },
    repeatedSubmit: 'HARMLESS',
    supports: (operation, provider) => operation !== 'REMITTANCE' && findMarket(provider) !== null,
    submit: (request, permission) =>
      send(request, { permission, render: ({ values }) => renderRequest(request, values) }),
    query: async (attempt) => {
      const result = await ask(lines.of(attempt), attempt);
      return result.type === 'SILENCE' ? unansweredQuery(result) : parseStatusAnswer(result, attempt);
    },
    refund: {
      mode: 'REVERSAL',
      submit: async (request: RefundSubmitRequest, permission) => {
        const receipt = request.original.providerTransactionId;
        if (receipt === undefined) return NO_RECEIPT;
        return send(request, {
          permission,
          render: ({ values }) => renderReversal(request, receipt, values),
        });
      },
    },
    notifications: { authenticity: 'HINTS_ONLY', read: readNotification, acknowledge },
    close: lines.close,
  };
}

/** A deposit that was found completed by an enquiry may have no receipt; without one it cannot be reversed. */
const NO_RECEIPT: SubmitAnswer = {
  outcome: { type: 'FAILED', code: 'OTHER_ERROR' },
  evidence: JSON.stringify({ step: 'submit', error: 'NO_RECEIPT', sent: false }),
  alert: 'NO_RECEIPT',
};

/** The OpenAPI uses a session, the older API the encrypted key itself. */
function openLines(context: OperatorContext, timeoutMs: number) {
  const shared = { name: 'vodacom-mpesa', context, timeoutMs };
  const token = {
    mint: openSession,
    mintTimeoutMs: WARM_UP_SECONDS_MAX * SECOND_MS,
    headers: (bearer: string) => ({ authorization: `Bearer ${bearer}` }),
    isRefusal: isSessionRefusal,
  };
  const withSession = openLine({ ...shared, token });
  const withKey = openLine(shared);
  return {
    of: ({ provider }: SubmitRequest) => (marketOf(provider).form === 'OLDER' ? withKey : withSession),
    close: async () => {
      await Promise.all([withSession.close(), withKey.close()]);
    },
  };
}

type Sent = {
  readonly permission: SendPermission;
  readonly render: (account: Account) => string;
};

function submit(line: Line, request: SubmitRequest, sent: Sent & { timeoutMs: number }): Promise<CallResult> {
  const { operation } = request;
  if (operation === 'REMITTANCE') throw new Error('this connector carries no remittances');
  return line.call(request, (account) => ({
    step: 'submit',
    method: operation === 'REFUND' ? 'PUT' : 'POST',
    url: addressOf(baseUrlOf(account), marketOf(request.provider), operation),
    headers: headersOf(account),
    body: sent.render(account),
    permission: sent.permission,
    timeoutMs: sent.timeoutMs,
    ...aboutPayment(request),
  }));
}

function ask(line: Line, attempt: StoredAttempt): Promise<CallResult> {
  const questionId = randomUUID().replaceAll('-', '');
  return line.call(attempt, (account) => {
    const address = addressOf(baseUrlOf(account), marketOf(attempt.provider), 'QUERY');
    return {
      step: 'query',
      method: 'GET',
      url: `${address}?${renderQuery(attempt, account.values, questionId)}`,
      headers: headersOf(account),
      ...aboutPayment(attempt),
    };
  });
}

/**
 * Exchanges the key for a session and waits until it is valid: a session that is too new is refused like an expired
 * one.
 */
async function openSession(account: Account, line: BareLine): Promise<Minted> {
  const { values, provider } = account;
  const result = await line.call(account, {
    step: 'token',
    method: 'GET',
    url: addressOf(baseUrlOf(account), marketOf(provider), 'SESSION'),
    headers: { ...headersOf(account), ...keyHeaders(account) },
  });
  if (result.type === 'SILENCE') return { error: result.error };
  const session = parseSessionAnswer(result);
  if ('error' in session) return session;
  const token = encryptBearer(values['publicKey'] ?? '', session.sessionId);
  if (token === null) return { error: 'BAD_PUBLIC_KEY' };
  const warmUp = Math.min(
    secondsOf(values['sessionWarmUpSeconds'], WARM_UP_SECONDS_MAX),
    WARM_UP_SECONDS_MAX,
  );
  await delay(warmUp * SECOND_MS);
  const lifetime = secondsOf(values['sessionLifetimeSeconds'], SESSION_LIFETIME_SECONDS);
  return { token, lifetimeMs: Math.max(lifetime - warmUp, 1) * SECOND_MS };
}

function secondsOf(text: string | undefined, otherwise: number): number {
  const seconds = Number(text ?? '');
  return text === undefined || !(seconds >= 0) ? otherwise : seconds;
}

function baseUrlOf({ values }: Account): string {
  return (values['baseUrl'] ?? '').replace(/\/$/, '');
}

function headersOf(account: Account): LineCall['headers'] {
  const isOlder = marketOf(account.provider).form === 'OLDER';
  return {
    'content-type': 'application/json',
    origin: account.values['origin'] ?? (isOlder ? 'developer.mpesa.vm.co.mz' : '*'),
    ...(isOlder ? keyHeaders(account) : {}),
  };
}

/** With an invalid public key the bearer is empty, and the operator refuses the call. */
function keyHeaders({ values }: Account): LineCall['headers'] {
  const bearer = encryptBearer(values['publicKey'] ?? '', values['apiKey'] ?? '') ?? '';
  return { authorization: `Bearer ${bearer}` };
}

function aboutPayment(request: SubmitRequest) {
  const { reference, phoneNumber, customerMessage } = request;
  return { reference, personal: [phoneNumber, customerMessage, renderDescription(request)] };
}
