// Whatever waits of an operator's report, or of a payment that a restore lost, can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { topUp } from '../payments.ts';
import { FILE_WAYS } from './files.ts';
import { followDays } from './report-files.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await topUp(world.gateway, world.gateway.merchantId, '100000');
  await followDays(world);
});
afterAll(() => world.gateway.stop());

describe('a report', () => testWays(FILE_WAYS, () => world));
