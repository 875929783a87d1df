// What can be asked of a payment that exists, in the words of API v1. It may have been started in
// either API version.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { cancel, keyOfTarget, type ActionTarget } from '../../core/payments/act/cancel.ts';
import type { Engine } from '../../core/engine.ts';
import { findPayment } from '../../core/payments/read/read.ts';
import { resend } from '../../core/payments/act/resend.ts';
import type { Payment } from '../../domain/payments/payment.ts';
import { actionRequestSchema, actionSchema, renderAction } from '../../wire/v1/action.ts';
import { renderLookup } from '../../wire/v1/lookup.ts';
import type { IdentifierSchema } from '../../wire/v2/identifier.ts';
import { parsePath, pathSchema } from '../../wire/v2/path.ts';
import { nameSubjects } from '../log-subjects.ts';
import { readJson, requireMerchant } from '../request.ts';
import { wordsOf } from '../payment-start.ts';
import { requireParsed } from '../v2/initiation.ts';
import { errorResponses } from './initiation.ts';
import { addRoute } from '../add-route.ts';

/** A kind of payment as API v1 shows it. */
export type PaymentResource = {
  readonly kind: 'DEPOSIT' | 'PAYOUT' | 'REFUND';
  readonly idSchema: IdentifierSchema;
  readonly lookupSchema: object;
  readonly renderRecord: (payment: Payment) => object;
};

const ERRORS = errorResponses([400, 401, 403, 500]);

export function registerLookup(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { noun, group, idName, name } = wordsOf(resource.kind);
  const params = pathSchema(idName, resource.idSchema);
  addRoute(app, 'GET', `/${group}/:${idName}`, {
    operationId: `get${name}`,
    tags: [group],
    summary: `Check the status of a ${noun}`,
    description: `A list with the ${noun}, or an empty one when there is no such ${noun}.`,
    params,
    response: { 200: resource.lookupSchema, ...ERRORS },
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
  addRoute(app, 'POST', `/${group}/resend-callback`, {
    operationId: `resend${name}Callback`,
    tags: [group],
    summary: `Send the callback of a ${noun} again`,
    description: `Only for a ${noun} that is COMPLETED or FAILED, and where a callback URL is configured.`,
    body: actionRequestSchema(idName, resource.idSchema),
    response: answersOf(resource),
    handle: async (request) => {
      const target = await requireTarget(engine, request, resource, readJson);
      return renderAction(idName, target.writtenId, await resend(engine, target));
    },
  });
}

/** The identifier may stand in the path or in the body: both are in use. */
export function registerCancel(app: FastifyInstance, engine: Engine, resource: PaymentResource): void {
  const { noun, group, idName, name } = wordsOf(resource.kind);
  const described = {
    tags: [group],
    summary: `Cancel an enqueued ${noun}`,
    description:
      `Only for a ${noun} that is ENQUEUED. It ends FAILED with MANUALLY_CANCELLED, its money is ` +
      'available again, and its callback is sent.',
    response: answersOf(resource),
  };
  const params = pathSchema(idName, resource.idSchema);
  addRoute(app, 'POST', `/${group}/fail-enqueued/:${idName}`, {
    ...described,
    operationId: `cancelEnqueued${name}`,
    params,
    handle: async (request) => {
      const target = await requireTarget(engine, request, resource, () => request.params);
      return renderAction(idName, target.writtenId, await cancel(engine, target));
    },
  });
  const body = actionRequestSchema(idName, resource.idSchema);
  addRoute(app, 'POST', `/${group}/fail-enqueued`, {
    ...described,
    operationId: `cancelEnqueued${name}InBody`,
    body,
    handle: async (request) => {
      const target = await requireTarget(engine, request, resource, readJson);
      return renderAction(idName, target.writtenId, await cancel(engine, target));
    },
  });
}

/** Acting on a payment takes the right to start one. `read` gives the object that names the payment. */
async function requireTarget(
  engine: Engine,
  request: FastifyRequest,
  { kind, idSchema }: PaymentResource,
  read: (request: FastifyRequest) => unknown,
): Promise<ActionTarget> {
  const { group, idName } = wordsOf(kind);
  const { merchantId } = await requireMerchant(engine, request, `${group}:write`);
  const writtenId = requireParsed(parsePath(pathSchema(idName, idSchema), read(request)));
  const target = { merchantId, kind, writtenId };
  nameSubjects(engine, request, [keyOfTarget(target)]);
  return target;
}

function answersOf({ kind, idSchema }: PaymentResource) {
  return { 200: actionSchema(wordsOf(kind).idName, idSchema), ...ERRORS };
}
