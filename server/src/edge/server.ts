// The HTTP server. It receives, asks core, and answers; it decides nothing about payments. Fastify is used only in
// this layer and in sandbox/, which adds routes. Bodies stay raw until a route wants them, and are never logged.
import swagger from '@fastify/swagger';
import {
  fastify,
  LogController,
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
} from 'fastify';
import type { Logger } from 'pino';
import type { Engine } from '../core/engine.ts';
import type { Site } from './built-files.ts';
import { clientErrorAnswerer } from './client-error.ts';
import { registerArtwork } from './artwork.ts';
import { DASHBOARD_DIRECTORY, registerDashboard, type DemoLogins } from './console/app.ts';
import { registerConsole } from './console/plugin.ts';
import type { ConsoleParts } from './console/route.ts';
import { DOCS_DIRECTORY, registerDocs } from './docs.ts';
import { BODY_BYTES_MAX, failureOf } from './failure.ts';
import { registerHealth, registerMetrics } from './health.ts';
import { createInitiator } from './initiator.ts';
import { followAlias } from './lenient-aliases.ts';
import type { Metrics } from './metrics.ts';
import { openApiOptions } from './openapi.ts';
import { registerNotifications } from './operators/notifications.ts';
import { registerHostedPages } from './pages/hosted/routes.ts';
import type { Asset, Look } from './pages/look/look.ts';
import { registerAssets } from './pages/send.ts';
import { requestFailure, unavailable } from './request-failure.ts';
import type { RequestsInProgress } from './requests-in-progress.ts';
import { registerStatementFiles } from './statement-files.ts';
import { answerUnknownPaths } from './unknown-path.ts';
import { isV1Host, type V1Hosts } from './v1/host-names.ts';
import { isV1Path, refuseOnV1Hosts } from './v1/hosts.ts';
import { answerError, registerV1 } from './v1/plugin.ts';
import { helpLink } from './v2/help-link.ts';
import { registerV2 } from './v2/plugin.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the identifier in the body of a request that starts a payment: `depositId`. */
    readonly initiates?: string;
  }
}

export type ServerOptions = {
  readonly metrics: Metrics;
  readonly logger: Logger;
  /** True from the moment the process begins to stop. */
  readonly isStopping: () => boolean;
  /** Counted where keys may be dropped while the server listens. */
  readonly requests?: RequestsInProgress;
  /** Null in production. */
  readonly sandbox: SandboxRoutes | null;
  /** How pages for people look here. */
  readonly look: Look;
  /** Null where people cannot sign in. */
  readonly console: ConsoleParts | null;
  /** Whether metrics have a listener of their own, so that the API's does not answer them. */
  readonly haveMetricsOwnListener?: boolean;
};

/** What a sandbox adds to the API. It is handed in, so that production does not load it. */
export type SandboxRoutes = {
  readonly assets: readonly Asset[];
  /** Null for a sandbox that a host runs. */
  readonly local: LocalSandbox | null;
  readonly register: (app: FastifyInstance, engine: Engine, look: Look) => Promise<void>;
};

/** What `malipo-server sandbox` tells about itself. */
export type LocalSandbox = {
  readonly demoLogins: DemoLogins;
  /** The token of the demo merchant. */
  readonly apiToken: () => string;
  /** Whether the sandbox is building this at the moment. */
  readonly isBuilding: (site: Site) => boolean;
};

/** The whole API. */
export async function createServer(engine: Engine, options: ServerOptions): Promise<FastifyInstance> {
  const app = createBareServer(engine, options);
  refuseWithoutKeys(app, engine, options);
  await app.register(swagger, openApiOptions());
  registerHealth(app, engine, options);
  if (options.haveMetricsOwnListener !== true) registerMetrics(app, options.metrics);
  registerArtwork(app);
  registerAssets(app, [...options.look.assets, ...(options.sandbox?.assets ?? [])]);
  // Operators are heard to the end: some deliver a notification only once.
  registerNotifications(app, engine);
  // One for both API versions and all kinds of payments: what comes at the same time is committed together.
  const initiator = createInitiator(engine);
  // On every host, also on older ones: a payer goes where the merchant was told.
  await registerHostedPages(app, engine, { look: options.look, initiator });
  if (options.console !== null) await registerConsole(app, options.console);
  registerSites(app, engine, options);
  await registerStatementFiles(app, engine);
  await app.register(async (merchants) => {
    merchants.addHook('onRequest', (_request, _reply, done) => {
      done(options.isStopping() ? unavailable() : undefined);
    });
    await registerV1(merchants, engine, initiator);
    await merchants.register(async (current) => {
      refuseOnV1Hosts(current, engine.v1Hosts);
      await registerV2(current, engine, initiator);
      await options.sandbox?.register(current, engine, options.look);
    });
  });
  await app.ready();
  return app;
}

/** The dashboard, where people can sign in, and the documentation. */
function registerSites(
  app: FastifyInstance,
  { environment }: Pick<Engine, 'environment'>,
  { console, look, sandbox }: ServerOptions,
): void {
  const local = sandbox?.local ?? null;
  const isBuilding = (site: Site) => () => local?.isBuilding(site) ?? false;
  if (console !== null) {
    registerDashboard(app, {
      directory: DASHBOARD_DIRECTORY,
      look,
      environment,
      demoLogins: local?.demoLogins ?? null,
      isBuilding: isBuilding('dashboard'),
    });
  }
  registerDocs(app, { directory: DOCS_DIRECTORY, look, isBuilding: isBuilding('docs') });
}

/** A process without encryption keys answers these, and nothing else. */
const WITHOUT_KEYS: ReadonlySet<string | undefined> = new Set(['/health', '/ready', '/metrics']);

function refuseWithoutKeys(
  app: FastifyInstance,
  { keyAccess }: Pick<Engine, 'keyAccess'>,
  { requests }: Pick<ServerOptions, 'requests'>,
): void {
  // Operators are heard as long as what they say can be stored.
  const mayAnswer = (url: string | undefined) =>
    keyAccess.problem() === null || (url?.startsWith('/operators/') === true && keyAccess.mayHearOperators());
  app.addHook('onRequest', (request, reply, done) => {
    const { url } = request.routeOptions;
    if (WITHOUT_KEYS.has(url)) return done();
    if (!mayAnswer(url)) return done(unavailable());
    requests?.add(reply.raw);
    done();
  });
}

/** Health and metrics only, for a process that serves no merchants. */
export async function createHealthServer(engine: Engine, options: ServerOptions): Promise<FastifyInstance> {
  const app = createBareServer(engine, options);
  registerHealth(app, engine, options);
  registerMetrics(app, options.metrics);
  await app.ready();
  return app;
}

/** As long as a path can be: Node takes 16 KB of headers. A long identifier is a malformed one, and not a 414. */
const PATH_LENGTH_MAX = 16_384;

/** For a request to arrive as a whole. Slow phones talk to merchants, and these to us. */
const REQUEST_MS_MAX = 30_000;

/**
 * Left to itself Node gives heads a minute, gives bodies the longer of the two limits, and looks for those that took
 * longer every half minute: a client that sends a byte now and then held its connection for a minute and a half.
 */
const SLOW_CLIENTS = { headersTimeout: REQUEST_MS_MAX, connectionsCheckingInterval: 5_000 };

/** What a Content-Type must begin with to be one: two tokens of RFC 9110. */
const MEDIA_TYPE = /^\s*[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\s*(;|$)/;

/** Addresses that we tell others are made from it, so it must be one: RFC 9112 wants a 400 for anything else. */
function isHost(host: string): boolean {
  return /^[\w.:[\]-]+$/.test(host) && URL.canParse(`http://${host}`);
}

function createBareServer(engine: Engine, options: ServerOptions): FastifyInstance {
  const { v1Hosts } = engine;
  const safetyHeaders = safetyHeadersOf(engine);
  const { metrics, logger, isStopping } = options;
  const answerFailure = failureAnswerer(v1Hosts);
  const loggerInstance: FastifyBaseLogger = logger;
  const app = fastify({
    loggerInstance,
    // One line for each answer is ours, below; it names routes, not addresses with identifiers in them.
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES_MAX,
    forceCloseConnections: 'idle',
    // Fastify's own 503 is not in our words.
    return503OnClosing: false,
    requestTimeout: REQUEST_MS_MAX,
    http: SLOW_CLIENTS,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: PATH_LENGTH_MAX },
    rewriteUrl: followAlias,
    clientErrorHandler: clientErrorAnswerer(logger, safetyHeaders),
    frameworkErrors: (error, request, reply) => void answerFailure(error, request, reply),
  });
  // Schemas describe; wire/ checks. A second validator would answer in words that are not the specification's.
  app.setValidatorCompiler(() => () => true);
  // A serialiser made from a schema can drop or refuse what wire/ rendered; a paid deposit must never become a 500.
  app.setSerializerCompiler(() => (answer) => JSON.stringify(answer));
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
  app.setErrorHandler(answerFailure);
  answerUnknownPaths(app, v1Hosts, answerFailure);
  // These run for every request, so none of them makes a promise.
  app.addHook('onRequest', ({ headers }, _reply, done) => {
    // Fastify answers 415 to what is no Content-Type at all, before anybody has looked at the token. As a type that
    // is not JSON it is refused in its turn.
    const type = headers['content-type'];
    if (type !== undefined && !MEDIA_TYPE.test(type)) headers['content-type'] = 'application/octet-stream';
    done();
  });
  app.addHook('onRequest', ({ headers: { host } }, _reply, done) => {
    const told = { parameter: 'Host', cause: 'it must name a host' };
    done(host === undefined || isHost(host) ? undefined : requestFailure('INVALID_PARAMETER', told));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    // A client that keeps its connection open would hold up the stop until the connection has been idle for a minute.
    if (isStopping()) reply.header('connection', 'close');
    reply.headers(safetyHeaders);
    done(null, payload);
  });
  app.addHook('onResponse', (request, reply, done) => {
    const route = request.routeOptions.url ?? 'none';
    const seconds = reply.elapsedTime / 1_000;
    metrics.requestAnswered(`${request.method} ${route}`, reply.statusCode, seconds);
    request.log.info({ method: request.method, route, status: reply.statusCode, seconds }, 'answered');
    done();
  });
  return app;
}

function safetyHeadersOf(engine: Engine): Readonly<Record<string, string>> {
  return {
    // Answers repeat what merchants wrote; no browser shall take one of them for a page.
    'x-content-type-options': 'nosniff',
    ...(isReachedByHttpsOnly(engine) && { 'strict-transport-security': 'max-age=31536000' }),
  };
}

/** A sandbox may share its host name with other services on a developer's machine, so it never says this. */
function isReachedByHttpsOnly({ environment, publicUrl }: Engine): boolean {
  return environment === 'production' && publicUrl !== null && publicUrl.startsWith('https:');
}

/** For what no API version's own routes were asked for: whose words it is told in, path and host decide. */
function failureAnswerer(hosts: V1Hosts) {
  return async (error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    if (isV1Host(request, hosts) || isV1Path(request.url.split('?')[0] ?? '')) {
      return answerError(error, request, reply);
    }
    const { httpStatus, reason, headers } = failureOf(error, request);
    const link = helpLink(reason.failureCode);
    await reply
      .code(httpStatus)
      .headers({ ...headers, link })
      .send({ failureReason: reason });
  };
}
