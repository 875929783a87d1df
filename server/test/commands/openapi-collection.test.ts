// The documents and the collection as API clients read them: with programs of their makers, which are not ours.
import { readFileSync } from 'node:fs';
import { validate } from '@scalar/openapi-parser';
// @ts-expect-error It has no types.
import postman from 'postman-collection';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exampleOf } from '../../src/commands/contributor/openapi/collection.ts';
import { listOperations } from '../edge/description.ts';
import { call, openTestGateway, type TestGateway } from '../gateway.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../../openapi/${name}`, import.meta.url), 'utf8'));

test.each(['v2.json', 'v1.json', 'sandbox.json', 'console.json'])(
  '%s is an OpenAPI 3.1 document to a reader that is strict',
  async (name) => {
    const { valid, errors, version } = await validate(read(name));
    expect({ valid, errors, version }).toEqual({ valid: true, errors: [], version: '3.1' });
  },
);

test('the reader notices a document that is none', async () => {
  const { info: _info, ...broken } = read('v2.json');
  expect((await validate(broken)).valid).toBe(false);
});

/** As far as it is used here. */
type Item = {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly url: { readonly getPath: (options?: { readonly unresolved: boolean }) => string };
    readonly body?: { readonly raw: string };
    readonly description: string;
  };
};

describe('the collection', () => {
  const collection = new postman.Collection(read('collection.json'));
  const items: Item[] = [];
  collection.forEachItem((item: Item) => void items.push(item));

  let gateway: TestGateway;
  beforeAll(async () => {
    gateway = await openTestGateway();
  });
  afterAll(() => gateway.stop());

  /** As an API client sends it: `$guid` is made again each time. */
  function resolve({ request }: Item) {
    const raw: string = postman.Property.replaceSubstitutions(request.body?.raw ?? '', {});
    return { method: request.method, path: request.url.getPath(), body: raw === '' ? undefined : raw };
  }

  test('the collection has every operation of the documents for merchants, and no other', () => {
    const operations = ['v2.json', 'sandbox.json', 'v1.json'].flatMap((name) => listOperations(read(name)));
    const described = operations.map(
      ({ method, path }) => `${method} ${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    const collected = items.map(
      ({ request }) => `${request.method} ${request.url.getPath({ unresolved: true })}`,
    );
    expect(collected.toSorted()).toEqual(described.toSorted());
  });

  test('the collection has every request in a folder of its group, inside one of its document', () => {
    const folders = collection.items.map(({ name }: Item) => name);
    expect(folders).toEqual(['API v2', 'Sandbox', 'API v1']);
    expect(items.filter(({ name }) => name === '')).toEqual([]);
  });

  test.each(
    items.filter(({ request }) => request.method === 'GET').map((item) => [item.request.url.getPath(), item]),
  )('GET %s is answered 200 as it stands', async (_, item) => {
    const { method, path } = resolve(item);
    expect(await call(gateway, method, path)).toMatchObject({ status: 200 });
  });

  test('a deposit is accepted as it stands, and once more with an identifier of its own', async () => {
    const item = items.find(({ name }) => name === 'Initiate a deposit')!;
    for (const _ of [1, 2]) {
      const { method, path, body } = resolve(item);
      expect((await call(gateway, method, path, body)).body).toMatchObject({ status: 'ACCEPTED' });
    }
  });
});

test.each([
  [{ type: 'string', examples: ['a', 'b'] }, 'a'],
  [{ type: 'string', enum: ['A', 'B'] }, 'A'],
  [{ const: 7 }, 7],
  [{ anyOf: [{ type: 'integer', minimum: 3 }, { type: 'null' }] }, 3],
  [{ type: 'array', items: { type: 'boolean' } }, [true]],
  [
    { type: 'object', required: ['a'], properties: { a: { type: 'string' }, b: { type: 'string' } } },
    { a: '' },
  ],
])('the example of %j is %j', (schema, example) => {
  expect(exampleOf(schema)).toEqual(example);
});

test('a schema no one knows has no example', () => {
  expect(() => exampleOf({ type: 'date' })).toThrow('There is no example');
});
