// How the end of a route is announced to programs. No route is deprecated today.
import swagger from '@fastify/swagger';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addRoute } from '../../src/edge/add-route.ts';

test('a deprecated route says so in the OpenAPI document and in each answer, failures included', async () => {
  const app = fastify();
  await app.register(swagger, { openapi: { openapi: '3.1.0' } });
  await app.register(async (scope) => {
    addRoute(scope, 'GET', '/old', {
      deprecation: {
        announcedAt: new Date('2027-01-01T00:00:00Z'),
        endsAt: new Date('2028-01-01T00:00:00Z'),
      },
      handle: () => {
        throw new Error('a failure');
      },
    });
    addRoute(scope, 'GET', '/new', { handle: () => ({}) });
  });
  await app.ready();
  const old = await app.inject('/old');
  expect(old.statusCode).toBe(500);
  expect(old.headers).toMatchObject({ deprecation: '@1798761600', sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' });
  const { headers } = await app.inject('/new');
  expect(headers).not.toHaveProperty('deprecation');
  expect(app.swagger().paths).toMatchObject({ '/old': { get: { deprecated: true } } });
  expect(app.swagger().paths?.['/new']?.get).not.toHaveProperty('deprecated');
  await app.close();
});
