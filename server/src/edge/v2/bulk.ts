// Starting several payments of one kind with one request.
import type { FastifyInstance } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import type { Parsed } from '../../wire/fault.ts';
import { bulkInitiationSchema, bulkRequestSchema, parseBulk } from '../../wire/v2/bulk.ts';
import type { Initiation } from '../../wire/v2/initiation.ts';
import type { PaymentRequest } from '../../wire/v2/payments/payment-request.ts';
import type { Initiator } from '../initiator.ts';
import { readJson } from '../request.ts';
import { requireSigningMerchant } from '../signed-request.ts';
import { failureResponses, initiationOf, orderOf, requireParsed } from './initiation.ts';
import { wordsOf } from './payment-routes.ts';

export type BulkResource = {
  readonly kind: 'PAYOUT' | 'REMITTANCE';
  readonly requestSchema: Parameters<typeof bulkRequestSchema>[0];
  readonly initiationSchema: Parameters<typeof bulkInitiationSchema>[0];
  readonly parse: (body: unknown) => Parsed<PaymentRequest>;
  readonly renderInitiation: (writtenId: string, initiation: Initiation) => object;
};

export function registerBulk(
  app: FastifyInstance,
  engine: Engine,
  initiator: Initiator,
  resource: BulkResource,
): void {
  const { kind, parse, renderInitiation } = resource;
  const { noun, group, name } = wordsOf(kind);
  app.post(
    `/v2/${group}/bulk`,
    {
      schema: {
        operationId: `initiate${name}s`,
        tags: [group],
        summary: `Initiate several ${group}`,
        description:
          `Each ${noun} is answered for itself, in the order of the requests, and has its own callback. One request ` +
          'that does not fit its description refuses the whole list; the failure names its place, from zero: ' +
          "'[3].amount'.",
        body: bulkRequestSchema(resource.requestSchema),
        response: {
          200: bulkInitiationSchema(resource.initiationSchema),
          // No identifier: the failure is one of the whole list.
          ...failureResponses([400, 401, 403, 500]),
        },
      },
    },
    async (request) => {
      const merchant = await requireSigningMerchant(engine, request, `${group}:write`);
      const payments = requireParsed(parseBulk(readJson(request), parse));
      const answers = await initiator(payments.map((payment) => ({ ...orderOf(merchant, payment), kind })));
      return payments.map(({ writtenId }, index) =>
        renderInitiation(writtenId, initiationOf(answers[index])),
      );
    },
  );
}
