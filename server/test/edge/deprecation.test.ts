// How the end of a route or field is announced to programs. Nothing is deprecated today.
import swagger from '@fastify/swagger';
import { fastify } from 'fastify';
import { expect, test } from 'vitest';
import { addRoute } from '../../src/edge/add-route.ts';

test('a deprecated route says so in the OpenAPI document and in each answer, failures included, a field in the document', async () => {
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
    const properties = { old: { type: 'string', deprecated: true }, new: { type: 'string' } };
    addRoute(scope, 'GET', '/new', { response: { 200: { type: 'object', properties } }, handle: () => ({}) });
  });
  await app.ready();
  const old = await app.inject('/old');
  expect(old.statusCode).toBe(500);
  expect(old.headers).toMatchObject({ deprecation: '@1798761600', sunset: 'Sat, 01 Jan 2028 00:00:00 GMT' });
  const { headers } = await app.inject('/new');
  expect(headers).not.toHaveProperty('deprecation');
  expect(app.swagger().paths).toMatchObject({ '/old': { get: { deprecated: true } } });
  const documented = app.swagger().paths?.['/new']?.get;
  expect(documented).not.toHaveProperty('deprecated');
  const fields = { old: { type: 'string', deprecated: true }, new: { type: 'string' } };
  expect(documented).toMatchObject({
    responses: { 200: { content: { 'application/json': { schema: { properties: fields } } } } },
  });
  await app.close();
});
