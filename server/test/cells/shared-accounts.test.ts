// Whether two cells are at an operator under the same account, from the credentials that people set in each.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeCredentials, removeCredentials } from '../../src/core/operators/administer-operators.ts';
import { accountSharing } from '../../src/core/operators/shared-account.ts';
import { openTwoCells, type TestCell, type TwoCells } from '../two-cells.ts';

const CONNECTOR = 'mtn-momo';
const PROVIDER = 'MTN_MOMO_RWA';
const OF_HOST = {
  baseUrl: 'https://proxy.momoapi.mtn.com',
  apiUser: '6b1a0f4e-6f0b-4f7e-9f5f-1a2b3c4d5e6f',
  apiKey: 'first',
  subscriptionKey: 'first',
  targetEnvironment: 'mtnrwanda',
};
const OF_OTHER = { ...OF_HOST, apiUser: '0d9c8b7a-1111-4222-8333-444455556666' };

let cells: TwoCells;
beforeAll(async () => {
  cells = await openTwoCells({ role: 'api' });
});
afterAll(() => cells.stop());
beforeEach(async () => {
  for (const { engine } of [cells.one, cells.two])
    for (const table of ['operator_account_ids', 'operator_credentials', 'replaced_credentials'])
      await engine.store.database.query(`delete from ${table}`);
});

type Set = { readonly account?: string; readonly product?: string };

const set = (
  { engine }: TestCell,
  values: Readonly<Record<string, string>>,
  { account = PROVIDER, product = 'collection' }: Set = {},
) => changeCredentials(engine, { by: 'Ana', connector: CONNECTOR, account, product, values });

/** Asked from the first cell, and from the second: both must answer the same. */
async function isShared(): Promise<boolean> {
  const { one, two } = cells;
  const answers: boolean[] = [];
  for (const [here, there] of [
    [one, two],
    [two, one],
  ] as const) {
    const part = { store: here.engine.store, connectorOf: () => CONNECTOR };
    answers.push(await (await accountSharing(part, PROVIDER))(there.engine.store.database));
  }
  expect(answers[0]).toBe(answers[1]);
  return answers[0]!;
}

describe('an operator account is the same in two cells', () => {
  test('whose secrets were rotated in one of them', async () => {
    await set(cells.one, OF_HOST);
    await set(cells.two, OF_HOST);
    await set(cells.one, { ...OF_HOST, apiKey: 'second', subscriptionKey: 'second' });
    expect(await isShared()).toBe(true);
  });

  test('that call it by another name, and have its values in another order and its address with a slash', async () => {
    await set(cells.one, OF_HOST);
    const { baseUrl, ...rest } = OF_HOST;
    const values = Object.fromEntries(Object.entries({ ...rest, baseUrl: `${baseUrl}/` }).toReversed());
    await set(cells.two, values, { account: 'the-account-of-kigali' });
    expect(await isShared()).toBe(true);
  });

  test('of which one has other accounts too', async () => {
    await set(cells.one, OF_HOST);
    await set(cells.two, OF_HOST);
    await set(cells.two, { ...OF_OTHER, targetEnvironment: 'mtnuganda' }, { account: 'MTN_MOMO_UGA' });
    await set(cells.two, OF_OTHER, { product: 'disbursement' });
    expect(await isShared()).toBe(true);
  });

  test('after it was replaced in one of them, or removed: its transactions come late', async () => {
    await set(cells.one, OF_HOST);
    await set(cells.two, OF_HOST);
    await set(cells.one, OF_OTHER);
    expect(await isShared()).toBe(true);
    const key = { connector: CONNECTOR, account: PROVIDER, product: 'collection' };
    expect(await removeCredentials(cells.two.engine, { by: 'Ana', ...key })).toBe(true);
    expect(await isShared()).toBe(true);
  });

  test('as far as anybody knows, where one of them has noted none, or none of the same product', async () => {
    await set(cells.one, OF_HOST);
    expect(await isShared()).toBe(true);
    await set(cells.two, OF_OTHER, { product: 'disbursement' });
    expect(await isShared()).toBe(true);
  });
});

describe('an operator account is another one in two cells', () => {
  test('where what identifies it at the operator differs, whatever else is the same', async () => {
    await set(cells.one, OF_HOST);
    await set(cells.two, OF_OTHER);
    expect(await isShared()).toBe(false);
  });

  test('also when they share the account of another provider', async () => {
    const ugandan = { ...OF_HOST, targetEnvironment: 'mtnuganda' };
    for (const cell of [cells.one, cells.two]) await set(cell, ugandan, { account: 'MTN_MOMO_UGA' });
    await set(cells.one, OF_HOST);
    await set(cells.two, OF_OTHER);
    expect(await isShared()).toBe(false);
  });
});
