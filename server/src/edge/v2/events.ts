// The event feed of a merchant. An addition to the specification: API v1 has none.
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { EventWaits } from '../../core/events/event-waits.ts';
import { readEvents, type EventOrder, type MerchantEvent } from '../../core/events/read-events.ts';
import { failureReason } from '../../domain/failure.ts';
import type { Payment, PaymentKind } from '../../domain/payments/payment.ts';
import {
  eventPageSchema,
  eventsQuerySchema,
  expiredCursorSchema,
  parseEventsQuery,
  renderEvent,
  renderEventPage,
  renderMovement,
  renderRestart,
} from '../../wire/v2/events.ts';
import { renderDeposit } from '../../wire/v2/payments/deposit-record.ts';
import { renderPayout } from '../../wire/v2/payments/payout-record.ts';
import { renderRefund } from '../../wire/v2/payments/refund-record.ts';
import { renderRemittance } from '../../wire/v2/payments/remittance-record.ts';
import { hopsOf } from '../cells/other-cell.ts';
import { wordsOf } from '../payment-start.ts';
import { requireMerchant } from '../request.ts';
import { addRoute } from '../add-route.ts';
import { authTypeOf, failureResponses, requireParsed } from './initiation.ts';

/** Another cell that hands a request on waits 15 s for the answer. */
const FORWARDED_WAIT_MS = 10_000;

const RECORDS: Readonly<Record<PaymentKind, (payment: Payment) => object>> = {
  DEPOSIT: (payment) => renderDeposit(payment, authTypeOf(payment.provider)),
  PAYOUT: renderPayout,
  REFUND: renderRefund,
  REMITTANCE: renderRemittance,
};

const EXPIRED_BECAUSE = {
  DELETED: 'they are older than this gateway keeps events',
  RESTORED: 'the database was restored, and later events have other numbers now',
} as const;

export function registerEvents(app: FastifyInstance, engine: Engine): void {
  const waits = new EventWaits(engine);
  app.addHook('preClose', (done) => {
    waits.close();
    done();
  });
  addRoute(app, 'GET', '/v2/events', {
    operationId: 'listEvents',
    tags: ['finances'],
    summary: 'Read the event feed',
    description:
      'Every new status and every movement of your wallets, the oldest first. Store `next` when you ' +
      'have processed a page, and continue with it: you get every event at least once. An addition to ' +
      'the specification.',
    querystring: eventsQuerySchema,
    response: { 200: eventPageSchema, 410: expiredCursorSchema, ...failureResponses([400, 401, 403, 500]) },
    handle: async (request, reply) => {
      const { merchantId, scopes } = await requireMerchant(engine, request, 'events:read');
      const { waitMs, ...query } = requireParsed(parseEventsQuery(request.query));
      const order = { ...query, merchantId, mayReveal: scopes.has('personal-data:read') };
      const ms = hopsOf(engine, request) > 0 ? Math.min(waitMs, FORWARDED_WAIT_MS) : waitMs;
      const page = await readOrWait(engine, waits, order, { ms, signal: leftBy(reply) });
      if (page.type === 'PAGE') return renderEventPage(page.events.map(shown), page);
      const reason = failureReason('CURSOR_EXPIRED', { cause: EXPIRED_BECAUSE[page.because] });
      return reply.code(410).send({ failureReason: reason, restartAfter: renderRestart(page.restart) });
    },
  });
}

async function readOrWait(
  engine: Engine,
  waits: EventWaits,
  order: EventOrder,
  waiting: { readonly ms: number; readonly signal: AbortSignal },
) {
  const page = await readEvents(engine, order);
  if (page.type === 'EXPIRED' || page.events.length > 0 || waiting.ms === 0) return page;
  await waits.wait({ merchantId: order.merchantId, afterNo: page.next.no }, waiting);
  return readEvents(engine, { ...order, after: page.next });
}

/** Aborted when the answer is sent, or can no longer be: the client has closed its connection. */
function leftBy({ raw }: FastifyReply): AbortSignal {
  const left = new AbortController();
  raw.once('close', () => left.abort());
  return left.signal;
}

function shown(event: MerchantEvent): object {
  switch (event.type) {
    case 'STATUS': {
      const { payment } = event;
      const record = RECORDS[payment.kind](payment);
      const status = 'status' in record ? record.status : event.status;
      const about = { kind: payment.kind, id: payment.writtenId, status };
      return renderEvent(event, { type: 'STATUS', ...about, [wordsOf(payment.kind).noun]: record });
    }
    case 'MOVEMENT': {
      const { movement, payment } = event;
      const about = payment === null ? {} : { kind: payment.kind, id: payment.writtenId };
      const type = movement.no === 0 ? movement.subjectKind : movement.template;
      return renderEvent(event, {
        type: 'MOVEMENT',
        ...about,
        movement: renderMovement({ ...movement, type }),
      });
    }
    case 'END': {
      const { kind, id, status } = event;
      return renderEvent(event, { type: 'STATUS', kind, id, status });
    }
  }
}
