// Examples of whole bodies in the OpenAPI documents: they fit their schemas and do not contradict themselves.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { addExamples } from '../../src/wire/openapi-examples.ts';
import { faultsOf, listOperations, type Schema } from './description.ts';

type Example = { readonly name: string; readonly schema: Schema; readonly value: unknown };

const FINAL_REASONS = ['REJECTED', 'FAILED'];
const REASONS = ['failureReason', 'rejectionReason'];
const SHARE = 'payoutId,status,amount,recipient';

function readDocument(name: string): Schema {
  return JSON.parse(
    readFileSync(new URL(`../../../openapi/${name}.json`, import.meta.url), 'utf8'),
  ) as Schema;
}

function listExamples(document: Schema): readonly Example[] {
  return listBodies(document).flatMap(({ name: body, media }) =>
    Object.entries(examplesOf(media)).map(([outcome, value]) => ({
      name: `${body} ${outcome}`,
      schema: media['schema'],
      value,
    })),
  );
}

/** Every body in JSON: "POST /v2/deposits 400". */
function listBodies(document: Schema) {
  return listOperations(document).flatMap(({ method, path, described }) =>
    Object.entries<Schema>({ request: described['requestBody'], ...described['responses'] }).flatMap(
      ([part, body]) => {
        const media: Schema | undefined = body?.content?.['application/json'];
        return media === undefined ? [] : [{ name: `${method} ${path} ${part}`, media, body }];
      },
    ),
  );
}

/** By outcome. */
function examplesOf(media: Schema): Readonly<Record<string, unknown>> {
  if ('example' in media) return { '': media['example'] };
  return Object.fromEntries(
    Object.entries<Schema>(media['examples'] ?? {}).map(([outcome, { value }]) => [outcome, value]),
  );
}

/** Of checkouts and shares, the deposit and the payout have the reason. */
const hasReasonElsewhere = (one: Schema) => 'depositsHistory' in one || Object.keys(one).join() === SHARE;

/** The names of what an operation answers with 200. */
function outcomesOf(document: Schema, operation: string): readonly string[] {
  const [found] = listBodies(document).filter(({ name }) => name === `${operation} 200`);
  return Object.keys(examplesOf(found!.media)).toSorted();
}

/** Every object inside a value. */
function objectsIn(value: unknown): readonly Schema[] {
  if (typeof value !== 'object' || value === null) return [];
  const inside = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inside : [value, ...inside];
}

describe.each(['v1', 'v2'])('the examples of %s', (version) => {
  const document = readDocument(version);
  const examples = listExamples(document);

  test('every request, every outcome and every error has one, and says what it means', () => {
    const bodies = listBodies(document);
    expect(bodies.length).toBeGreaterThan(150);
    expect(bodies.filter(({ media }) => Object.keys(examplesOf(media)).length === 0)).toEqual([]);
    expect(bodies.filter(({ body }) => body['description'] === 'Default Response')).toEqual([]);
  });

  test('payments are shown accepted, repeated and rejected, and then completed, in progress, failed and unknown', () => {
    const prefix = version === 'v2' ? '/v2' : '';
    for (const kind of ['deposit', 'payout', 'refund']) {
      expect(outcomesOf(document, `POST ${prefix}/${kind}s`)).toEqual(
        expect.arrayContaining(['accepted', 'duplicateIgnored', 'rejected']),
      );
      expect(outcomesOf(document, `GET ${prefix}/${kind}s/{${kind}Id}`)).toEqual(
        ['completed', 'failed', 'notFound', version === 'v2' ? 'processing' : 'submitted'].toSorted(),
      );
    }
  });

  test('examples do not contradict themselves', () => {
    for (const { value } of examples.filter((one) => Array.isArray(one.value))) {
      const ids = (value as readonly Schema[]).map(
        (one) => Object.entries(one).find(([field]) => /(^id|Id)$/.test(field))?.[1] ?? one,
      );
      expect(new Set(ids).size).toBe(ids.length);
    }
    for (const one of examples.flatMap(({ value }) => objectsIn(value))) {
      if (one['deposit'] !== undefined && one['depositStatus'] !== undefined)
        expect(one['depositStatus']).toBe(one['deposit'].status);
      if (one['expiresAfter'] !== undefined && one['expiresAt'] !== undefined)
        expect(Date.parse(one['expiresAt']) - Date.parse(one['created'])).toBe(one['expiresAfter'] * 60_000);
      if (one['checkoutCode'] !== undefined)
        expect(one['redirectUrl']).toMatch(new RegExp(`/checkout/${one['checkoutCode']}$`));
      if (one['startDate'] !== undefined)
        expect(Date.parse(one['endDate'])).toBeGreaterThan(Date.parse(one['startDate']));
      if (one['splits'] !== undefined) {
        const shares = (one['splits'] as readonly Schema[]).reduce(
          (sum, { amount }) => sum + Number(amount),
          0,
        );
        expect(shares).toBeLessThan(Number(one['amount']));
      }
      if (one['buyFxRate'] !== undefined)
        expect(Number(one['originalAmount']) * Number(one['buyFxRate'])).toBeCloseTo(15);
    }
  });

  test('the introduction has what a reader needs before the first request', () => {
    const { description } = document['info'] as { readonly description: string };
    for (const topic of ['Authentication', 'Idempotency', 'Errors', 'Callbacks', 'Limits', 'Versions'])
      expect(description).toContain(`**${topic}`);
    expect(description).toContain('(/docs/reference/api)');
  });

  test('examples fit their schemas', () => {
    expect(examples.length).toBeGreaterThan(20);
    const faults = examples.flatMap(({ name, schema, value }) =>
      faultsOf(schema, value).map((fault) => `${name}: ${fault}`),
    );
    expect(faults).toEqual([]);
  });

  test('examples have a reason exactly where something was rejected or failed', () => {
    const told = examples.flatMap(({ value }) => objectsIn(value)).filter((one) => 'status' in one);
    const contradicting = told.filter(
      (one) =>
        (FINAL_REASONS.includes(one['status']) && !hasReasonElsewhere(one)) !==
        REASONS.some((reason) => reason in one),
    );
    expect(contradicting).toEqual([]);
  });

  test('examples never show a placeholder', () => {
    expect(JSON.stringify(examples.map(({ value }) => value))).not.toMatch(/:"(text|string)"/);
  });
});

test('examples of the console are left out, and other documents keep everything else', () => {
  const schema = { type: 'object', properties: { status: { enum: ['ACCEPTED', 'REJECTED'] } } };
  const responses = { 200: { content: { 'application/json': { schema } } } };
  const paths = (path: string) => structuredClone({ paths: { [path]: { get: { responses } } } });
  expect(addExamples(paths('/console/api/x'))).toEqual(paths('/console/api/x'));
  expect(addExamples(paths('/v2/x'))).toMatchObject(paths('/v2/x'));
  expect(addExamples(paths('/v2/x'))).not.toEqual(paths('/v2/x'));
});
