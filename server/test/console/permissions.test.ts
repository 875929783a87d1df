// Every route of the console, as every role: what a role may not do it cannot do by calling the API either.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMerchant } from '../../src/core/merchants/administer-merchants.ts';
import {
  HOST_ROLES,
  isHostRole,
  MERCHANT_PERMISSIONS,
  MERCHANT_ROLES,
  permissionsOf,
  type Permission,
  type Role,
} from '../../src/domain/merchants/roles.ts';
import { OPERATIONS } from '../../src/domain/payments/payment.ts';
import { registerConsole } from '../../src/edge/console/plugin.ts';
import type { ConsoleParts } from '../../src/edge/console/route.ts';
import { createOpenApi } from '../../src/edge/openapi.ts';
import type { TestGateway } from '../gateway.ts';
import { callerWith, openTestConsole, signedIn, type TestPerson } from './people.ts';

type Route = {
  readonly method: string;
  readonly path: string;
  readonly permission: Permission | null;
  /** All that is needed. */
  readonly permissions: readonly Permission[];
};

const ROLES: readonly Role[] = [...MERCHANT_ROLES, ...HOST_ROLES];

const OPEN_TO_ALL = [
  'GET /console/api/me',
  'GET /console/api/catalogue',
  'POST /console/api/me/confirm',
  'PUT /console/api/me/language',
  'GET /console/api/sign-in',
  'GET /console/api/invitations/{token}',
  'POST /console/api/join',
  'POST /console/api/invitations/accept',
];

let gateway: TestGateway;
let other: string;
let routes: readonly Route[];
const people = new Map<Role, TestPerson>();

beforeAll(async () => {
  gateway = await openTestConsole();
  routes = await listRoutes();
  const order = { by: 'test', companyName: 'Other', operations: OPERATIONS, walletPerProvider: false };
  other = await createMerchant(gateway.engine, order);
  for (const role of ROLES) people.set(role, await signedIn(gateway, role));
});
afterAll(() => gateway.stop());

async function listRoutes(): Promise<readonly Route[]> {
  const document = (await createOpenApi((app) => registerConsole(app, { engine: {} } as ConsoleParts))) as {
    readonly paths: Record<
      string,
      Record<string, { readonly 'x-permission'?: Permission; readonly 'x-personal-data'?: Permission }>
    >;
  };
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { 'x-permission': permission = null, 'x-personal-data': reveal }]) => ({
        method: method.toUpperCase(),
        path,
        permission,
        permissions: [permission, reveal].flatMap((one) => one ?? []),
      }),
    ),
  );
}

const NO_ONE_KNOWS = '00000000-0000-4000-8000-000000000000';

function fill(path: string, merchantId: string): string {
  return path
    .replace('/console/', '')
    .replace('{merchantId}', merchantId)
    .replace('{kind}', 'DEPOSIT')
    .replaceAll(/\{\w+\}/g, NO_ONE_KNOWS);
}

/** Bodies that no route can read: anyone who is let in is told so, and nothing happens. */
async function tryAs(role: Role, { method, path }: Route, merchantId: string): Promise<string> {
  const person = people.get(role);
  if (person === undefined) throw new Error(`no one is ${role}`);
  const body = method === 'GET' || method === 'DELETE' ? undefined : 'no object';
  const answer = await person.call(method, fill(path, merchantId), body);
  return answer.status < 400 ? 'ALLOWED' : String(answer.body?.failureReason?.failureCode ?? answer.status);
}

describe('every route of the console', () => {
  test('every route of the console says who may call it, or is one of the few that are open', () => {
    const open = routes.filter(({ permission }) => permission === null);
    expect(open.map(({ method, path }) => `${method} ${path}`).toSorted()).toEqual(OPEN_TO_ALL.toSorted());
    expect(routes.length).toBeGreaterThan(open.length);
  });

  test('every route of the console is closed to anyone who is not signed in', async () => {
    const noOne = callerWith(gateway, '');
    for (const route of routes.filter(({ permission }) => permission !== null)) {
      const { status } = await noOne(route.method, fill(route.path, gateway.merchantId));
      expect([route, status]).toEqual([route, 401]);
    }
  });

  test('every route of the console ignores parameters of a query that are not its own', async () => {
    const owner = people.get('OWNER');
    for (const path of ['api/me', `api/merchants/${gateway.merchantId}/payout-batches`]) {
      const answer = await owner?.call('GET', `${path}?_=1731715200`);
      expect([path, answer?.status, answer?.body?.failureReason]).toEqual([path, 200, undefined]);
    }
  });

  test.each(ROLES)(
    'every route of the console lets %s do what the role permits, and nothing else',
    async (role) => {
      for (const route of routes) {
        const { permission, permissions } = route;
        if (permission === null) continue;
        const answer = await tryAs(role, route, gateway.merchantId);
        const isOfMerchant = MERCHANT_PERMISSIONS.some((one) => one === permission);
        if (permissions.every((one) => permissionsOf(role).includes(one)))
          expect([route, answer]).not.toEqual([route, 'NOT_PERMITTED']);
        else
          expect([route, answer]).toEqual([
            route,
            isOfMerchant || isHostRole(role) ? 'NOT_PERMITTED' : 'NOT_FOUND',
          ]);
      }
    },
  );

  test.each(MERCHANT_ROLES)(
    'every route of the console shows %s nothing of another merchant',
    async (role) => {
      const ofMerchants = routes.filter(({ path }) => path.includes('{merchantId}'));
      expect(ofMerchants.length).toBeGreaterThan(0);
      for (const route of ofMerchants) {
        expect([route, await tryAs(role, route, other)]).toEqual([route, 'NOT_FOUND']);
      }
    },
  );
});

describe('B12: statements name payers', () => {
  test('asking for one and downloading it need the right to reveal personal data, besides the right to make one', () => {
    const ofStatements = routes.filter(
      ({ method, path }) => method === 'POST' && path.includes('/statements'),
    );
    const needed = ofStatements.map(({ path, permissions }) => [path.split('/').at(-1), permissions]);
    expect(needed).toEqual([
      ['statements', ['statements:make', 'payments:reveal']],
      ['fetch', ['statements:make', 'payments:reveal']],
    ]);
  });
});
