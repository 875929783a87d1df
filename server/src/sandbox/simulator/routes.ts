// The simulator's HTTP interface: the operator's protocol, the payer's page, and control if enabled.
import type { IncomingMessage, ServerResponse } from 'node:http';
import { parseObject } from '../../connectors/json.ts';
import { NOT_FOUND, readText, refusal, send, type Answer } from '../fakes/answer.ts';
import { renderStatus, type OpenCharge } from '../fakes/books/charge.ts';
import { answerControl, type Controls } from '../fakes/control.ts';
import { exchange } from '../fakes/exchange.ts';
import type { IssuedTokens } from './issued-tokens.ts';
import { answerPayer, type PayPageContext } from '../fakes/payers/answer-payer.ts';
import { holderOf } from '../fakes/payers/holders.ts';
import { parseTransactionRequest } from '../fakes/books/transaction-request.ts';

export type SimulatorContext = Controls &
  PayPageContext & {
    readonly tokens: IssuedTokens;
    readonly isControlled: boolean;
  };

const UNAUTHORISED: Answer = { status: 401, json: { code: 'TOKEN_INVALID' } };

export async function answerRequest(
  context: SimulatorContext,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const text = await readText(request);
  if (text === null) return send(response, refusal('body'));
  const call = { request, response, text, ...routeOf(request) };
  switch (call.root) {
    case 'oauth':
      return answerToken(context, call);
    case 'v1':
      return context.tokens.admit(request.headers.authorization)
        ? answerOperator(context, call)
        : send(response, UNAUTHORISED);
    case 'pay':
      return send(
        response,
        answerPayer(context, context.transactions.findByTransactionId(call.rest[0] ?? ''), call),
      );
    case 'control':
      return send(response, context.isControlled ? answerControlCall(context, call) : NOT_FOUND);
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
  /** The rest of the path. */
  readonly rest: readonly string[];
};

function routeOf(request: IncomingMessage): Pick<RequestCall, 'method' | 'root' | 'rest'> {
  const { pathname } = new URL(request.url ?? '/', 'http://simulator');
  const [root = '', ...rest] = pathname.slice(1).split('/').map(decodeURIComponent);
  return { method: request.method ?? 'GET', root, rest };
}

async function answerToken(context: SimulatorContext, call: RequestCall): Promise<void> {
  if (`${call.method} ${call.rest.join('/')}` !== 'POST token') return send(call.response, NOT_FOUND);
  if (!context.tokens.isClient(call.request.headers.authorization)) return send(call.response, UNAUTHORISED);
  return exchange(context, call.response, { step: 'token', subject: {} }, () => ({
    status: 200,
    json: context.tokens.issue(context.settings),
  }));
}

async function answerOperator(context: SimulatorContext, call: RequestCall): Promise<void> {
  const [collection = '', ...names] = call.rest;
  const [first = '', second = ''] = names;
  switch (`${call.method} ${collection} ${names.length}`) {
    case 'POST transactions 0':
      return answerSubmit(context, call);
    case 'GET transactions 1':
      return answerStatus(context, call, first);
    case 'GET balances 2':
      return exchange(context, call.response, { step: 'balance', subject: {} }, () => ({
        status: 200,
        json: { balance: context.books.balance({ provider: first, currency: second }) },
      }));
    case 'GET holders 2':
      return exchange(context, call.response, { step: 'holder', subject: { phoneNumber: second } }, () => ({
        status: 200,
        json: renderHolder(holderOf({ provider: first, phoneNumber: second })),
      }));
    default:
      return send(call.response, NOT_FOUND);
  }
}

function renderHolder(holder: ReturnType<typeof holderOf>): object {
  return holder === null
    ? { status: 'NOT_ACTIVE' }
    : { status: 'ACTIVE', name: `${holder.givenName} ${holder.familyName}` };
}

async function answerSubmit(context: SimulatorContext, call: RequestCall): Promise<void> {
  const wanted = parseTransactionRequest(parseObject(call.text) ?? {});
  if ('problem' in wanted) return send(call.response, refusal(wanted.problem));
  return exchange(context, call.response, { step: 'submit', subject: wanted.request }, () => {
    const { charge, isRepeat } = context.transactions.submit(wanted.request);
    return isRepeat
      ? { status: 409, json: { code: 'DUPLICATE_REFERENCE', ...renderStatus(charge) } }
      : { status: 202, json: renderOwnStatus(charge) };
  });
}

async function answerStatus(context: SimulatorContext, call: RequestCall, reference: string): Promise<void> {
  const subject = context.transactions.find(reference) ?? { reference };
  return exchange(context, call.response, { step: 'query', subject }, () => {
    const charge = context.transactions.find(reference);
    return charge === undefined ? NOT_FOUND : { status: 200, json: renderOwnStatus(charge) };
  });
}

/** The status message for the caller, with the address for the payer. */
function renderOwnStatus(charge: OpenCharge): object {
  const { authorizationUrl } = charge;
  return authorizationUrl === undefined
    ? renderStatus(charge)
    : { ...renderStatus(charge), authorizationUrl };
}

function answerControlCall(context: SimulatorContext, call: RequestCall): Answer {
  const body = call.text === '' ? {} : parseObject(call.text);
  if (body === null) return refusal('body');
  const [collection = '', ...rest] = call.rest;
  const name = rest.length === 0 ? undefined : rest.join('/');
  return answerControl(context, { route: `${call.method} ${collection}`, name, body });
}
