// How a payment is started, alone or with others of its kind: the same in both API versions, but for their words.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../core/engine.ts';
import type { InitiationAnswer } from '../core/payments/accept/initiate.ts';
import { keyOf, type InitiationOrder } from '../core/payments/payment-request.ts';
import { nameOf, type PaymentKind } from '../domain/payments/payment.ts';
import type { Parsed } from '../wire/fault.ts';
import { bulkInitiationSchema, bulkRequestSchema, parseBulk } from '../wire/v2/bulk.ts';
import type { Initiator } from './initiator.ts';
import { nameSubjects } from './log-subjects.ts';
import { readJson, type Caller } from './request.ts';
import { requireSigningMerchant } from './signed-request.ts';
import { requireParsed } from './v2/initiation.ts';
import { addRoute } from './add-route.ts';

/** A request that fits its description, and how the answer to it is written. */
export type ReadStart = {
  readonly order: InitiationOrder;
  readonly render: (answer: InitiationAnswer | undefined) => object;
};

/** A kind of payment as an API version starts it. */
export type StartedKind = {
  readonly kind: PaymentKind;
  readonly description: string;
  readonly requestSchema: Parameters<typeof bulkRequestSchema>[0];
  readonly initiationSchema: Parameters<typeof bulkInitiationSchema>[0];
  readonly read: (merchant: Caller, body: unknown) => Parsed<ReadStart>;
};

/** What differs between the API versions. */
export type StartingApi = {
  readonly engine: Engine;
  readonly initiator: Initiator;
  readonly prefix: '' | '/v2';
  /** What an answer is called that refuses. */
  readonly refusal: 'error' | 'failure';
  /** `idName` for answers that repeat the identifier of the body. */
  readonly refusals: (statuses: readonly number[], idName?: string) => object;
};

const REFUSED_WITH = [400, 401, 403, 500];

export function registerStart(app: FastifyInstance, api: StartingApi, started: StartedKind): void {
  const { engine, initiator, prefix } = api;
  const { noun, group, idName, name } = wordsOf(started.kind);
  addRoute(app, 'POST', `${prefix}/${group}`, {
    initiates: prefix === '' ? undefined : idName,
    operationId: `initiate${name}`,
    tags: [group],
    summary: `Initiate a ${noun}`,
    description: started.description,
    body: started.requestSchema,
    response: { 200: started.initiationSchema, ...api.refusals(REFUSED_WITH, idName) },
    handle: async (request) => {
      const merchant = await requireSigningMerchant(engine, request, `${group}:write`);
      const { order, render } = requireParsed(started.read(merchant, readJson(request)));
      nameSubjects(engine, request, [keyOf(order)]);
      const [answer] = await initiator([order]);
      return render(answer);
    },
  });
}

export function registerBulkStart(app: FastifyInstance, api: StartingApi, started: StartedKind): void {
  const { engine, initiator, prefix } = api;
  const { noun, group, name } = wordsOf(started.kind);
  addRoute(app, 'POST', `${prefix}/${group}/bulk`, {
    operationId: `initiate${name}s`,
    tags: [group],
    summary: `Initiate several ${group}`,
    description:
      `Each ${noun} is answered for itself, in the order of the requests, and has its own callback. One request ` +
      `that does not fit its description refuses the whole list; the ${api.refusal} names its place, from zero: ` +
      "'[3].amount'.",
    body: bulkRequestSchema(started.requestSchema),
    // No identifier: what is refused is the whole list.
    response: { 200: bulkInitiationSchema(started.initiationSchema), ...api.refusals(REFUSED_WITH) },
    handle: async (request) => {
      const merchant = await requireSigningMerchant(engine, request, `${group}:write`);
      const reads = requireParsed(parseBulk(readJson(request), (body) => started.read(merchant, body)));
      const orders = reads.map(({ order }) => order);
      nameSubjects(engine, request, orders.map(keyOf));
      const answers = await initiator(orders);
      return reads.map(({ render }, index) => render(inList(answers[index])));
    },
  });
}

/** A limit that one request has reached says nothing about the others: it is rejected alone. */
function inList(answer: InitiationAnswer | undefined): InitiationAnswer | undefined {
  const isLimited = answer?.type === 'NOT_ALLOWED' && answer.isLimited === true;
  return isLimited ? { type: 'REJECTED', reason: answer.reason } : answer;
}

/** Turns what was read into an order. */
export function readAs<Request>(
  parsed: Parsed<Request>,
  start: (request: Request) => ReadStart,
): Parsed<ReadStart> {
  return parsed.type === 'FAULT' ? parsed : { type: 'PARSED', request: start(parsed.request) };
}

/** `payout`, `payouts`, `payoutId` and `Payout`: the kind in its sentences, addresses, bodies and names. */
export function wordsOf<Kind extends PaymentKind>(kind: Kind) {
  const noun = kind.toLowerCase() as Lowercase<Kind>;
  return { noun, group: `${noun}s`, idName: `${noun}Id`, name: nameOf(kind) } as const;
}
