// The OpenAPI document of the current generation, made from the routes. Committed as openapi/v2.json; a test keeps the
// two equal.
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { fastify, type FastifyInstance } from 'fastify';
import type { Engine } from '../core/engine.ts';

/** The specification's operation groups, in its order. */
const GROUPS = [
  'deposits',
  'split-payments',
  'checkouts',
  'payouts',
  'refunds',
  'remittances',
  'payment-page',
  'toolkit',
  'finances',
];

export function openApiOptions(): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Malipo',
        version: '2',
        description: 'Collect, send and return mobile money through one API.',
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      components: {
        securitySchemes: {
          apiToken: { type: 'http', scheme: 'bearer', description: 'An API token of your account.' },
        },
      },
      security: [{ apiToken: [] }],
      tags: GROUPS.map((name) => ({ name })),
    },
  };
}

/** The document, from the routes alone: nothing is opened and nothing is served. */
export async function createOpenApi(
  register: (app: FastifyInstance, engine: Engine) => Promise<void>,
): Promise<object> {
  const app = fastify();
  await app.register(swagger, openApiOptions());
  // Routes only keep the engine for later requests, and no request will come.
  await register(app, {} as Engine);
  await app.ready();
  return app.swagger();
}
