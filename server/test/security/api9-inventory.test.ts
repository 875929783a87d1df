// OWASP API9:2023, Improper Inventory Management: every route of production is described in an OpenAPI document or
// stands in the list below. A route that no one knows of is one that no one protects.
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AUTH_PATH } from '../../src/edge/console/sign-in/auth-options.ts';
import { AUTH_CALLS } from '../../src/edge/console/sign-in/sign-in.ts';
import { createLook } from '../../src/edge/pages/look/look.ts';
import { createServer } from '../../src/edge/server.ts';
import { openTestConsole } from '../console/people.ts';
import { listOperations, type Schema } from '../edge/description.ts';
import type { TestGateway } from '../gateway.ts';

let gateway: TestGateway;
let routes: readonly string[];

beforeAll(async () => {
  gateway = await openTestConsole({ role: 'api' });
  const { engine, metrics, logger, console } = gateway.gateway;
  const look = createLook(gateway.config.brand);
  const options = { metrics, logger, isStopping: () => false, sandbox: null, look, console };
  const app = await createServer(engine, options);
  routes = readTree(app.printRoutes({ commonPrefix: false }));
  await app.close();
});
afterAll(() => gateway.stop());

/** What is there without a description: for operators, payers, browsers and anyone who runs the gateway. */
const UNDESCRIBED: readonly string[] = [
  'GET /artwork/flags/:file',
  'GET /artwork/providers/:file',
  'GET /checkout/:code',
  'GET /checkout/:code/go',
  'GET /checkout/:code/logo/:hash',
  'GET /health',
  'GET /link/:code',
  'GET /link/:code/logo/:hash',
  'GET /metrics',
  'GET /pay/:code',
  'GET /pay/:code/go',
  'GET /pay/:code/logo/:hash',
  'GET /ready',
  'GET /statements/:link',
  'POST /checkout/:code',
  'POST /link/:code',
  'POST /operators/:connector/answers/:reference/:answerSecret/:topic',
  'POST /operators/:connector/notifications',
  'POST /operators/:connector/notifications/:reference/:secret',
  'POST /operators/:connector/notifications/:reference/:secret/:topic',
  'POST /operators/:connector/notifications/of/:provider',
  'POST /pay/:code',
  'PUT /operators/:connector/answers/:reference/:answerSecret/:topic',
  'PUT /operators/:connector/notifications',
  'PUT /operators/:connector/notifications/:reference/:secret',
  'PUT /operators/:connector/notifications/:reference/:secret/:topic',
  'PUT /operators/:connector/notifications/of/:provider',
];

/** Files that were built, or that belong to how pages look: their names hold hashes. */
const FILES = /^GET \/(dashboard|docs|assets)(\/|\*|$)/;

/** "METHOD /path" of each route. The tree has four signs for each level; HEAD is what GET is. */
function readTree(tree: string): readonly string[] {
  const places: string[] = [];
  return tree.split('\n').flatMap((line) => {
    const found = /^([│├└─\s]*)(\S+)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (found === null) return [];
    const [, indent = '', part = '', methods = ''] = found;
    const level = indent.length / 4 - 1;
    places.splice(level);
    places.push(part);
    const path = places.join('');
    return methods
      .split(', ')
      .flatMap((method) => (method === '' || method === 'HEAD' ? [] : [`${method} ${path}`]));
  });
}

function described(): ReadonlySet<string> {
  const documents = ['v1', 'v2', 'console'].map(
    (name) =>
      JSON.parse(readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8')) as Schema,
  );
  const operations = documents.flatMap(listOperations);
  return new Set(operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`));
}

test('every route of production is described, or listed here', () => {
  const known = described();
  const signIn = AUTH_CALLS.map((call) => call.replace(' ', ` ${AUTH_PATH}`));
  const others = routes.filter((route) => !known.has(route) && !signIn.includes(route) && !FILES.test(route));
  expect(routes.length).toBeGreaterThan(known.size);
  expect(others.toSorted()).toEqual(UNDESCRIBED);
});

test('every route that is described is there', () => {
  expect([...described()].filter((route) => !routes.includes(route))).toEqual([]);
});
