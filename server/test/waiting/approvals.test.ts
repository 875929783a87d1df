// A request of every kind can be ended by the people who decide on it, or by whoever requested it.
import { afterAll, beforeAll, describe } from 'vitest';
import { APPROVAL_WAYS } from './approvals.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.gateway.stop());

describe('a request', () => testWays(APPROVAL_WAYS, () => world));
