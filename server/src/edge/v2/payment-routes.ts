// What can be asked of a payment that exists: its status, its callback once more, its end while it is enqueued. The
// same for every kind; only the words differ.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cancel, keyOfTarget, type ActionTarget } from '../../core/payments/act/cancel.ts';
import type { Engine } from '../../core/engine.ts';
import { findPayment } from '../../core/payments/read/read.ts';
import { resend } from '../../core/payments/act/resend.ts';
import type { Payment, PaymentKind } from '../../domain/payments/payment.ts';
import { actionSchema, renderAction } from '../../wire/v2/action.ts';
import type { IdentifierSchema } from '../../wire/v2/identifier.ts';
import { renderLookup } from '../../wire/v2/lookup.ts';
import { parsePath, pathSchema } from '../../wire/v2/path.ts';
import type { PaymentListSchema } from '../../wire/v2/payments/list.ts';
import { wordsOf } from '../payment-start.ts';
import { nameSubjects } from '../log-subjects.ts';
import { requireMerchant } from '../request.ts';
import { failureResponses, requireParsed } from './initiation.ts';
import { addRoute } from '../add-route.ts';

/** A kind of payment as API v2 shows it. */
export type PaymentResource = {
  readonly kind: PaymentKind;
  readonly idSchema: IdentifierSchema;
  readonly lookupSchema: object;
  readonly listQuerySchema: PaymentListSchema;
  readonly pageSchema: object;
  readonly renderRecord: (payment: Payment) => object;
};

const FAILURES = failureResponses([400, 401, 403, 500]);

export function registerLookup(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { noun, group, idName, name } = wordsOf(resource.kind);
  const params = pathSchema(idName, resource.idSchema);
  addRoute(app, 'GET', `/v2/${group}/:${idName}`, {
    operationId: `get${name}`,
    tags: [group],
    summary: `Check the status of a ${noun}`,
    description: `FOUND only says that the ${noun} exists; its outcome is the status inside \`data\`.`,
    params,
    response: { 200: resource.lookupSchema, ...FAILURES },
    handle: async (request) => {
      const { merchantId } = await requireMerchant(engine, request, `${group}:read`);
      const writtenId = requireParsed(parsePath(params, request.params));
      const target = { merchantId, kind: resource.kind, writtenId };
      nameSubjects(engine, request, [keyOfTarget(target)]);
      const payment = await findPayment(engine, target);
      return renderLookup(payment === null ? null : resource.renderRecord(payment));
    },
  });
}

export function registerResend(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { noun, group, idName, name } = wordsOf(resource.kind);
  addRoute(app, 'POST', `/v2/${group}/resend-callback/:${idName}`, {
    operationId: `resend${name}Callback`,
    tags: [group],
    summary: `Send the callback of a ${noun} again`,
    description: `Only for a ${noun} that is COMPLETED or FAILED, and where a callback URL is configured. No body.`,
    ...actionOf(resource),
    handle: async (request) => {
      const target = await requireTarget(engine, request, resource);
      return renderAction(idName, target.writtenId, await resend(engine, target));
    },
  });
}

export function registerCancel(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { noun, group, idName, name } = wordsOf(resource.kind);
  addRoute(app, 'POST', `/v2/${group}/fail-enqueued/:${idName}`, {
    operationId: `cancelEnqueued${name}`,
    tags: [group],
    summary: `Cancel an enqueued ${noun}`,
    description:
      `Only for a ${noun} that is ENQUEUED. It ends FAILED with MANUALLY_CANCELLED, its money is ` +
      'available again, and its callback is sent. No body.',
    ...actionOf(resource),
    handle: async (request) => {
      const target = await requireTarget(engine, request, resource);
      return renderAction(idName, target.writtenId, await cancel(engine, target));
    },
  });
}

/** Acting on a payment takes the right to start one. A body is neither needed nor read. */
async function requireTarget(
  engine: Engine,
  request: FastifyRequest,
  { kind, idSchema }: PaymentResource,
): Promise<ActionTarget> {
  const { group, idName } = wordsOf(kind);
  const { merchantId } = await requireMerchant(engine, request, `${group}:write`);
  const writtenId = requireParsed(parsePath(pathSchema(idName, idSchema), request.params));
  const target = { merchantId, kind, writtenId };
  nameSubjects(engine, request, [keyOfTarget(target)]);
  return target;
}

function actionOf({ kind, idSchema }: PaymentResource) {
  const { idName } = wordsOf(kind);
  return {
    params: pathSchema(idName, idSchema),
    response: { 200: actionSchema(idName, idSchema), ...FAILURES },
  };
}
