// The simulator's HTTP interface: the operator's protocol, the payer's page, and control where it is allowed.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseObject } from '../../connectors/json.ts';
import { NOT_FOUND, readText, refusal, send, type Answer } from '../fakes/answer.ts';
import { renderStatus, type OpenCharge } from '../fakes/books/charge.ts';
import { answerControl, type Controls } from '../fakes/control.ts';
import { exchange } from '../fakes/exchange.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { answerPayer, type PayDesk } from '../fakes/payers/pay-desk.ts';
import { parseTransactionRequest } from '../fakes/books/transaction-request.ts';

export type Desk = Controls &
  PayDesk & {
    readonly tokens: IssuedTokens;
    readonly isControlled: boolean;
  };

const UNAUTHORISED: Answer = { status: 401, json: { code: 'TOKEN_INVALID' } };

export async function answerRequest(desk: Desk, request: IncomingMessage, response: ServerResponse) {
  const text = await readText(request);
  if (text === null) return send(response, refusal('body'));
  const call = { request, response, text, ...routeOf(request) };
  switch (call.root) {
    case 'oauth':
      return answerToken(desk, call);
    case 'v1':
      return desk.tokens.admit(request.headers.authorization)
        ? answerOperator(desk, call)
        : send(response, UNAUTHORISED);
    case 'pay':
      return send(
        response,
        answerPayer(desk, desk.transactions.findByTransactionId(call.rest[0] ?? ''), call),
      );
    case 'control':
      return send(response, desk.isControlled ? answerControlCall(desk, call) : NOT_FOUND);
    default:
      return send(response, NOT_FOUND);
  }
}

type RequestCall = {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly text: string;
  readonly method: string;
  readonly root: string;
  /** What follows the root of the path. */
  readonly rest: readonly string[];
};

function routeOf(request: IncomingMessage): Pick<RequestCall, 'method' | 'root' | 'rest'> {
  const { pathname } = new URL(request.url ?? '/', 'http://simulator');
  const [root = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
  return { method: request.method ?? 'GET', root, rest };
}

async function answerToken(desk: Desk, call: RequestCall): Promise<void> {
  if (`${call.method} ${call.rest.join('/')}` !== 'POST token') return send(call.response, NOT_FOUND);
  if (!desk.tokens.isClient(call.request.headers.authorization)) return send(call.response, UNAUTHORISED);
  return exchange(desk, call.response, { step: 'token', subject: {} }, () => ({
    status: 200,
    json: desk.tokens.issue(desk.settings),
  }));
}

async function answerOperator(desk: Desk, call: RequestCall): Promise<void> {
  const [collection = '', ...names] = call.rest;
  const [first = '', second = ''] = names;
  switch (`${call.method} ${collection} ${names.length}`) {
    case 'POST transactions 0':
      return answerSubmit(desk, call);
    case 'GET transactions 1':
      return answerStatus(desk, call, first);
    case 'GET balances 2':
      return exchange(desk, call.response, { step: 'balance', subject: {} }, () => ({
        status: 200,
        json: { balance: desk.books.balance({ provider: first, currency: second }) },
      }));
    default:
      return send(call.response, NOT_FOUND);
  }
}

async function answerSubmit(desk: Desk, call: RequestCall): Promise<void> {
  const wanted = parseTransactionRequest(parseObject(call.text) ?? {});
  if ('problem' in wanted) return send(call.response, refusal(wanted.problem));
  return exchange(desk, call.response, { step: 'submit', subject: wanted.request }, () => {
    const { charge, isRepeat } = desk.transactions.submit(wanted.request);
    return isRepeat
      ? { status: 409, json: { code: 'DUPLICATE_REFERENCE', ...renderStatus(charge) } }
      : { status: 202, json: renderOwnStatus(charge) };
  });
}

async function answerStatus(desk: Desk, call: RequestCall, reference: string): Promise<void> {
  const subject = desk.transactions.find(reference) ?? { reference };
  return exchange(desk, call.response, { step: 'query', subject }, () => {
    const charge = desk.transactions.find(reference);
    return charge === undefined ? NOT_FOUND : { status: 200, json: renderOwnStatus(charge) };
  });
}

/** What the caller is told: the status message, and where the payer must go. */
function renderOwnStatus(charge: OpenCharge): object {
  const { authorizationUrl } = charge;
  return authorizationUrl === undefined
    ? renderStatus(charge)
    : { ...renderStatus(charge), authorizationUrl };
}

function answerControlCall(desk: Desk, call: RequestCall): Answer {
  const body = call.text === '' ? {} : parseObject(call.text);
  if (body === null) return refusal('body');
  const [collection = '', ...rest] = call.rest;
  const name = rest.length === 0 ? undefined : rest.join('/');
  return answerControl(desk, { route: `${call.method} ${collection}`, name, body });
}
