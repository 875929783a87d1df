// The OpenAPI documents, made from the routes: of API v2, committed as openapi/v2.json, of the earlier
// one, committed as openapi/v1.json, of the console, openapi/console.json, and of the sandbox, openapi/sandbox.json.
// Tests keep them equal.
import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { fastify, type FastifyInstance } from 'fastify';
import type { Engine } from '../core/engine.ts';
import { addExamples } from '../wire/openapi-examples.ts';

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

/** Those API v1 has operations in. */
const EARLIER_GROUPS = ['deposits', 'payouts', 'refunds', 'payment-page', 'toolkit', 'finances'];

/** What a reader of the document needs before the first request. The gateway serves the pages it names. */
function introductionOf(codeField: string): string {
  return [
    'Collect, send and return mobile money through one API. [API basics](/docs/reference/api) has more.',
    '**Authentication.** Send `Authorization: Bearer <API token>` with every request. A token (API key) belongs ' +
      'to one account and one environment, and has scopes. An account can require ' +
      '[signed requests](/docs/guides/signatures).',
    '**Idempotency.** You choose the identifier of each payment. Store it before you send; after a time-out send ' +
      'the same request again. An identifier that was accepted is never processed again.',
    `**Errors.** HTTP 200 can be \`REJECTED\`: read \`status\`. Decide by \`${codeField}\` ` +
      '([failure codes](/docs/reference/failure-codes)). After 500 or no answer the outcome is unknown.',
    '**Callbacks (webhooks).** When a payment ends, its record is sent to your address, signed and repeated until ' +
      'you answer 2xx ([how to verify](/docs/guides/callbacks)).',
    '**Limits.** 100 requests a second for each token by default; more are answered 429 with `Retry-After`.',
    '**Versions.** New fields, codes and routes can come at any time: ignore what you do not know ' +
      '([versions](/docs/reference/versioning)).',
  ].join('\n\n');
}

/** What the document of API v2 says of itself. */
export function openApiOptions(): FastifyDynamicSwaggerOptions {
  return describe({
    title: 'Malipo',
    version: '2',
    description: introductionOf('failureCode'),
    groups: GROUPS,
  });
}

/** What the document of API v1 says of itself. */
export function earlierOpenApiOptions(): FastifyDynamicSwaggerOptions {
  return describe({
    title: 'Malipo, API v1',
    version: '1',
    description: [
      'For existing clients. New ones use API v2, whose paths begin with /v2.',
      introductionOf('errorCode'),
    ].join('\n\n'),
    groups: GROUPS.filter((group) => EARLIER_GROUPS.includes(group)),
  });
}

/** What the document of the sandbox's control interface says of itself. */
export function sandboxOpenApiOptions(): FastifyDynamicSwaggerOptions {
  return describe({
    title: 'Malipo sandbox',
    version: '1',
    description:
      'Control the sandbox beyond its test numbers. Not in production. Any token of the sandbox may ' +
      'use it, and changes affect everyone who uses the sandbox.',
    groups: ['sandbox'],
  });
}

/** What the document of the console's API says of itself. Its groups are the tags of its routes. */
export function consoleOpenApiOptions(): FastifyDynamicSwaggerOptions {
  const { openapi } = describe({
    title: 'Malipo console',
    version: '1',
    description: 'What the dashboard calls, for people who sign in. It changes with the dashboard.',
    groups: [],
  });
  return {
    openapi: {
      ...openapi,
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: 'malipo.session_token' },
        },
      },
      security: [{ session: [] }],
    },
  };
}

type Description = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  readonly groups: readonly string[];
};

function describe({ groups, ...info }: Description): FastifyDynamicSwaggerOptions {
  return {
    openapi: {
      openapi: '3.1.0',
      info: {
        ...info,
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      components: {
        securitySchemes: {
          apiToken: { type: 'http', scheme: 'bearer', description: 'An API token of your account.' },
        },
      },
      security: [{ apiToken: [] }],
      tags: groups.map((name) => ({ name })),
    },
  };
}

/** The document, from the routes alone: nothing is opened and nothing is served. */
export async function createOpenApi(
  register: (app: FastifyInstance, engine: Engine) => Promise<void>,
  options: FastifyDynamicSwaggerOptions = openApiOptions(),
): Promise<object> {
  const app = fastify();
  await app.register(swagger, options);
  // Routes only keep the engine for later requests, and no request will come.
  await register(app, {} as Engine);
  await app.ready();
  return addExamples(app.swagger());
}
