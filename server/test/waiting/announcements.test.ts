// Whatever the gateway has still to tell, or was told and has not applied, can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { topUp } from '../payments.ts';
import { ANNOUNCEMENT_WAYS } from './announcements.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
  await topUp(world.gateway, world.gateway.merchantId, '100000');
});
afterAll(() => world.gateway.stop());

describe('an announcement', () => testWays(ANNOUNCEMENT_WAYS, () => world));
