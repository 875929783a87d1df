// Where a look for due steps begins, and that nothing is passed over for long.
import { beforeEach, expect, test } from 'vitest';
import { DueFloors, groupName, type StepGroup } from '../../src/store/payments/due-floors.ts';

const MTN = { provider: 'MTN_MOMO_RWA', kind: 'DEPOSIT' } as const;
const AIRTEL = { provider: 'AIRTEL_RWA', kind: 'DEPOSIT' } as const;
const REMOVED = { provider: 'NO_LONGER_SERVED', kind: 'PAYOUT' } as const;
const at = (seconds: number) => new Date(1_800_000_000_000 + seconds * 1_000);
const BEGINNING = new Date(0);

let floors: DueFloors;
/** By a clock that no one moves. */
let elapsedSeconds: number;
beforeEach(() => {
  elapsedSeconds = 0;
  floors = new DueFloors(() => elapsedSeconds * 1_000);
});

/** Time passes for both clocks, if nothing else is said. */
const groupsAt = (seconds: number, found: readonly StepGroup[] = [], elapsed = seconds) => {
  elapsedSeconds = elapsed;
  return floors.groupsAt(at(seconds), () => Promise.resolve(found));
};
const floorAt = async (seconds: number, { provider, kind }: StepGroup) =>
  (await groupsAt(seconds)).find((group) => group.provider === provider && group.kind === kind)?.floor;

test('the first look is from the beginning, at every provider of the catalogue and those that were found', async () => {
  const groups = await groupsAt(0, [REMOVED]);
  for (const group of [MTN, AIRTEL, REMOVED]) expect(groups).toContainEqual({ ...group, floor: BEGINNING });
  expect(groups.every(({ floor }) => floor.getTime() === 0)).toBe(true);
});

test('the next look begins ten seconds before the first step that was found, or before the last look', async () => {
  floors.record(await groupsAt(0), {
    until: at(0),
    due: [
      { ...MTN, nextActionAt: at(-600) },
      { ...MTN, nextActionAt: at(-500) },
    ],
  });
  expect(await floorAt(1, MTN)).toEqual(at(-610));
  expect(await floorAt(1, AIRTEL)).toEqual(at(-10));
});

test('a floor rises as steps are taken', async () => {
  floors.record(await groupsAt(0), { until: at(0), due: [{ ...MTN, nextActionAt: at(-600) }] });
  floors.record(await groupsAt(5), { until: at(5), due: [] });
  expect(await floorAt(6, MTN)).toEqual(at(-5));
});

test('a look that was full raises no floor above the last step it found', async () => {
  floors.record(await groupsAt(0), { until: at(-300), due: [{ ...MTN, nextActionAt: at(-300) }] });
  expect(await floorAt(1, AIRTEL)).toEqual(at(-310));
});

test('a provider that was not looked at keeps its floor', async () => {
  await groupsAt(0);
  floors.record([MTN], { until: at(0), due: [] });
  expect(await floorAt(1, AIRTEL)).toEqual(BEGINNING);
});

test('a look is from the beginning again 30 seconds later', async () => {
  floors.record(await groupsAt(0), { until: at(0), due: [] });
  expect(await floorAt(29, MTN)).toEqual(at(-10));
  expect(await floorAt(30, MTN)).toEqual(BEGINNING);
});

const activeAt = (seconds: number, found: readonly StepGroup[] = []) => {
  elapsedSeconds = seconds;
  return floors.groupsAt(at(seconds), () => Promise.resolve(found), 'ACTIVE');
};

test('only those are active in which something was ever found, and the others stay known', async () => {
  const known = await groupsAt(0);
  expect(await activeAt(0)).toEqual([]);
  floors.record([AIRTEL, MTN], { until: at(0), due: [{ ...MTN, nextActionAt: at(-1) }] });
  expect(await activeAt(1)).toEqual([{ ...MTN, floor: at(-11) }]);
  floors.add([REMOVED]);
  expect(await activeAt(2)).toEqual([
    { ...MTN, floor: at(-11) },
    { ...REMOVED, floor: BEGINNING },
  ]);
  expect(await groupsAt(3)).toHaveLength(known.length + 1);
  const active = await activeAt(30, [AIRTEL]);
  expect(active.map(groupName)).toEqual([MTN, AIRTEL].map(groupName));
  expect(active.every(({ floor }) => floor.getTime() === 0)).toBe(true);
});

test('after a whole look that took long every group is looked at from its own floor, until the next', async () => {
  await activeAt(0);
  elapsedSeconds = 0.1;
  floors.record([], { until: at(0), due: [] });
  const each = await activeAt(1);
  expect(each).toEqual(await groupsAt(1));
  floors.record(each, { until: at(1), due: [] });
  expect(await floorAt(2, AIRTEL)).toEqual(at(-9));
  floors.record(await activeAt(30), { until: at(30), due: [] });
  expect(await activeAt(31)).toEqual([]);
});

test.each([
  ['forward', 7_200],
  ['back', -60],
])('after the clock was moved %s, looks are from the beginning for 30 seconds', async (_, moved) => {
  floors.record(await groupsAt(0), { until: at(0), due: [] });
  for (const seconds of [1, 2, 29]) {
    const groups = await groupsAt(moved + seconds, [], seconds);
    expect(groups.every(({ floor }) => floor.getTime() === 0)).toBe(true);
    floors.record(groups, { until: at(moved + seconds), due: [] });
  }
  floors.record(await groupsAt(moved + 31, [], 31), { until: at(moved + 31), due: [] });
  const [group] = await groupsAt(moved + 32, [], 32);
  expect(group?.floor).toEqual(at(moved + 21));
});
