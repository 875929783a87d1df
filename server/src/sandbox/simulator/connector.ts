// The connector to the simulator, the sandbox's operator. It communicates and decides nothing: no answer, an error or
// an unreadable text is UNKNOWN. It never throws.
import type { Agent } from 'undici';
import type { UnknownReason } from '../../domain/payments/outcome.ts';
import type {
  BalanceAccount,
  BalanceAnswer,
  Connector,
  ConnectorTiming,
  HolderAnswer,
  HolderQuestion,
  SendPermission,
  SubmitAnswer,
  SubmitRequest,
} from '../../connectors/port.ts';
import { afterSent, callOperator, openAgent, type Call, type CallResult } from '../../connectors/call.ts';
import { HOLDER_TIMEOUT_MS } from '../../connectors/line.ts';
import { TokenCache, type TokenAnswer, type TokenRefusal } from './token-cache.ts';
import {
  parseBalanceAnswer,
  parseHolderAnswer,
  parseNotification,
  parseStatusAnswer,
  parseSubmitAnswer,
  parseTokenAnswer,
  renderEvidence,
  renderRequest,
} from './wire.ts';

export type SimulatorConnectorOptions = {
  readonly baseUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly notificationSecret: string;
  readonly timing?: Partial<ConnectorTiming>;
  /** The simulator's setting for a repeated reference. */
  readonly repeatedSubmit?: Connector['repeatedSubmit'];
};

export function createSimulatorConnector(options: SimulatorConnectorOptions): Connector {
  const timing: ConnectorTiming = { ...SANDBOX_TIMING, ...options.timing };
  const line = openLine(options, timing);
  const submit = (request: SubmitRequest, permission: SendPermission) => submitOn(line, request, permission);
  return {
    name: 'simulator',
    timing,
    reference: { chosenBy: 'OURS', shape: 'TOKEN' },
    repeatedSubmit: options.repeatedSubmit ?? 'HARMLESS',
    supports: () => true,
    submit,
    query: (attempt) => queryOn(line, attempt.reference),
    // A refund is a payout to the payer without a link to the deposit.
    refund: { mode: 'PAYOUT_EMULATED', submit },
    balance: (account) => balanceOn(line, account),
    holder: (question) => holderOn(line, question, timing),
    notifications: {
      authenticity: 'SIGNED',
      read: (notification) => parseNotification(notification, options.notificationSecret),
    },
    close: line.close,
  };
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

/** For a sandbox: people watch it, and the simulator answers within milliseconds. */
const SANDBOX_TIMING: ConnectorTiming = {
  // A request is sent right after its claim; ten seconds allow for a slow token and a busy laptop.
  sendDeadlineMs: 10 * SECOND_MS,
  // Far above the simulator's usual answer, and short enough that a person notices a hanging one.
  timeoutMs: 10 * SECOND_MS,
  // Send deadline + time-out + ten seconds for a request that the simulator executes late.
  notSeenAfterMs: 30 * SECOND_MS,
  // The first enquiry follows the usual outcome (2.5 s) and its notification; then delays double.
  enquiryDelaysMs: [5, 10, 20, 40, 60, 120, 300].map((seconds) => seconds * SECOND_MS),
  // 15 minutes, as usual with mobile money.
  horizonMs: 15 * MINUTE_MS,
  // No person waits any more; a stuck test payment must not cost more than this.
  reconciliationDelayMs: 60 * MINUTE_MS,
};

async function submitOn(
  line: Line,
  request: SubmitRequest,
  permission: SendPermission,
): Promise<SubmitAnswer> {
  const body = renderRequest(request);
  return readSubmit(
    await line.call({ method: 'POST', path: '/v1/transactions', body, permission }),
    request.reference,
  );
}

function readSubmit(result: LineResult, reference: string): SubmitAnswer {
  switch (result.type) {
    case 'ANSWER':
      return parseSubmitAnswer(result, reference);
    case 'SILENCE':
      return unknown(
        result.sent ? 'NO_ANSWER' : 'NOT_SENT',
        renderEvidence('submit', { error: result.error, sent: result.sent }),
      );
    case 'NO_TOKEN':
      // Without a token the request was never sent.
      return unknown('NOT_SENT', result.evidence);
  }
}

async function queryOn(line: Line, reference: string): Promise<SubmitAnswer> {
  return readQuery(
    await line.call({ method: 'GET', path: `/v1/transactions/${segment(reference)}` }),
    reference,
  );
}

function readQuery(result: LineResult, reference: string): SubmitAnswer {
  switch (result.type) {
    case 'ANSWER':
      return parseStatusAnswer(result, reference);
    case 'SILENCE':
      return unknown('NO_ANSWER', renderEvidence('query', { error: result.error }));
    case 'NO_TOKEN':
      return unknown(result.reason, result.evidence);
  }
}

async function balanceOn(line: Line, account: BalanceAccount): Promise<BalanceAnswer> {
  const path = `/v1/balances/${segment(account.provider)}/${segment(account.currency)}`;
  const result = await line.call({ method: 'GET', path });
  return result.type === 'ANSWER' ? parseBalanceAnswer(result) : { type: 'UNKNOWN' };
}

async function holderOn(
  line: Line,
  { provider, phoneNumber }: HolderQuestion,
  timing: ConnectorTiming,
): Promise<HolderAnswer> {
  const path = `/v1/holders/${segment(provider)}/${segment(phoneNumber)}`;
  const timeoutMs = Math.min(timing.timeoutMs, HOLDER_TIMEOUT_MS);
  const result = await line.call({ method: 'GET', path, timeoutMs });
  return result.type === 'ANSWER' ? parseHolderAnswer(result) : { status: 'UNKNOWN', name: null };
}

/** The authenticated client for the simulator. */
type Line = {
  readonly call: (call: LineCall) => Promise<LineResult>;
  readonly close: () => Promise<void>;
};
type LineResult = CallResult | TokenRefusal;
type LineCall = Pick<Call, 'method' | 'body' | 'permission'> & {
  readonly path: string;
  readonly timeoutMs?: number;
};

const NOT_RENEWED: CallResult = { type: 'SILENCE', error: 'NO_TOKEN', sent: true };

function openLine(options: SimulatorConnectorOptions, timing: ConnectorTiming): Line {
  const agent = openAgent(timing);
  const tokens = new TokenCache(() => askForToken(agent, options, timing));
  const callWith = (token: string, { path, ...call }: LineCall) =>
    callOperator(agent, {
      url: options.baseUrl + path,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      timeoutMs: timing.timeoutMs,
      ...call,
    });
  return {
    call: async (call) => {
      const held = await tokens.take();
      if (held.type === 'NO_TOKEN') return held;
      const result = await callWith(held.token, call);
      if (result.type !== 'ANSWER' || result.httpStatus !== 401) return result;
      // The token expired early. A refused call had no effect, so it is sent again with a new token.
      tokens.forget(held.token);
      const renewed = await tokens.take();
      return afterSent(renewed.type === 'NO_TOKEN' ? NOT_RENEWED : await callWith(renewed.token, call));
    },
    close: () => agent.close(),
  };
}

async function askForToken(
  agent: Agent,
  options: SimulatorConnectorOptions,
  timing: ConnectorTiming,
): Promise<TokenAnswer> {
  const credentials = Buffer.from(`${options.clientId}:${options.clientSecret}`).toString('base64');
  const result = await callOperator(agent, {
    method: 'POST',
    url: `${options.baseUrl}/oauth/token`,
    headers: { authorization: `Basic ${credentials}` },
    timeoutMs: timing.timeoutMs,
  });
  if (result.type === 'SILENCE') {
    return {
      type: 'NO_TOKEN',
      reason: 'NO_ANSWER',
      evidence: renderEvidence('token', { error: result.error }),
    };
  }
  const grant = parseTokenAnswer(result);
  if (grant !== null) return { type: 'TOKEN', ...grant };
  const reason = result.httpStatus >= 300 ? 'OPERATOR_ERROR' : 'UNREADABLE_ANSWER';
  // The text is omitted: an unreadable token may still be a secret.
  return { type: 'NO_TOKEN', reason, evidence: renderEvidence('token', { httpStatus: result.httpStatus }) };
}

function unknown(reason: UnknownReason, evidence: string): SubmitAnswer {
  return { outcome: { type: 'UNKNOWN', reason }, evidence };
}

function segment(text: string): string {
  return encodeURIComponent(text);
}
