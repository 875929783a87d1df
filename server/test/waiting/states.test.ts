// docs/operating/waiting.md has a row for every state in which something can wait, and each row has a way out of it
// that a test goes. What is in neither place fails here with what to do.
import { readFileSync } from 'node:fs';
import { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { COMMANDS } from '../../src/commands/commands.ts';
import { listOperations } from '../edge/description.ts';
import { ANNOUNCEMENT_WAYS } from './announcements.ts';
import { APPROVAL_WAYS } from './approvals.ts';
import { CELL_WAYS } from './cells.ts';
import { DAY_WAYS } from './days.ts';
import { FILE_WAYS } from './files.ts';
import { MONEY_WAYS } from './money.ts';
import { codesIn, PERMISSIONS, readWaitingPage, SETTINGS } from './page.ts';
import { PAYMENT_WAYS } from './payments.ts';
import { PLATFORM_WAYS } from './platform.ts';
import { derivedName, deriveStates, findDisagreements } from './states.ts';
import { WAITS_FOR_NOTHING } from './waits-for-nothing.ts';

const ROWS = readWaitingPage();
const NAMED = ROWS.flatMap(({ states }) => states);
const WAYS = [
  PAYMENT_WAYS,
  MONEY_WAYS,
  DAY_WAYS,
  FILE_WAYS,
  APPROVAL_WAYS,
  ANNOUNCEMENT_WAYS,
  PLATFORM_WAYS,
  CELL_WAYS,
];

const client = new Client({ connectionString: inject('templateUrl') });
let derived: readonly string[];
beforeAll(async () => {
  await client.connect();
  derived = await deriveStates(client);
});
afterAll(() => client.end());

/** A state is left out alone, or with its whole column. */
const isLeftOut = (state: string) =>
  WAITS_FOR_NOTHING.has(state) || WAITS_FOR_NOTHING.has(state.slice(0, state.indexOf(' ')));

const repeated = (names: readonly string[]) => names.filter((name, index) => names.indexOf(name) !== index);

describe('the states in which something can wait', () => {
  test('have the same values in the database as in the code', async () => {
    expect(await findDisagreements(client)).toEqual([]);
  });

  test('are on the page or in the list of what waits for nothing', () => {
    const named = new Set(NAMED.map(derivedName));
    const forgotten = derived.filter((state) => !named.has(state) && !isLeftOut(state));
    expect(
      forgotten,
      'new states: give each a row in docs/operating/waiting.md with a way in server/test/waiting, ' +
        'or a reason in waits-for-nothing.ts why nothing waits in it',
    ).toEqual([]);
  });

  test('are on the page only where they exist, and once', () => {
    const known = new Set(derived);
    expect(NAMED.filter((state) => !known.has(derivedName(state)))).toEqual([]);
    expect(repeated(NAMED)).toEqual([]);
    expect(NAMED.map(derivedName).filter(isLeftOut)).toEqual([]);
  });

  test('are left out only where they exist', () => {
    const columns = derived.map((state) => state.slice(0, state.indexOf(' ')));
    const known = new Set([...derived, ...columns]);
    expect([...WAITS_FOR_NOTHING.keys()].filter((name) => !known.has(name))).toEqual([]);
  });

  test('each have a way in and out that a test goes, and there is no way for anything else', () => {
    const ways = WAYS.flatMap((registry) => Object.keys(registry));
    expect(ways.toSorted()).toEqual(NAMED.toSorted());
  });
});

describe('a row of the page', () => {
  const routes = ['v2', 'console'].flatMap((name) => {
    const path = new URL(`../../../openapi/${name}.json`, import.meta.url);
    return listOperations(JSON.parse(readFileSync(path, 'utf8')));
  });
  const known = new Set([...COMMANDS.keys(), ...routes.map(({ method, path }) => `${method} ${path}`)]);

  test('says why something waits, who can end it, and with what', () => {
    for (const row of ROWS) expect([row, Object.values(row).includes('')]).toEqual([row, false]);
  });

  test('names permissions, commands, routes and settings that exist', () => {
    expect(ROWS.flatMap(({ who }) => codesIn(who)).filter((name) => !PERMISSIONS.has(name))).toEqual([]);
    const means = ROWS.flatMap(({ how }) => codesIn(how));
    expect(means.filter((name) => !known.has(name) && !SETTINGS.has(name) && !name.startsWith('--'))).toEqual(
      [],
    );
  });

  test('names a person who is permitted something, or the engineer, the merchant or whoever ends something else', () => {
    const someone = /`[a-z-]+:[a-z]+`|[Ee]ngineer|the merchant|whoever|the permission/;
    expect(ROWS.filter(({ who }) => !someone.test(who))).toEqual([]);
  });
});
