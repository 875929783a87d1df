// Whatever people have stopped, invited or replaced can be ended by a person.
import { afterAll, beforeAll, describe } from 'vitest';
import { PLATFORM_WAYS } from './platform.ts';
import { testWays } from './ways.ts';
import { openWorld, type World } from './world.ts';

let world: World;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.gateway.stop());

describe('what people did', () => testWays(PLATFORM_WAYS, () => world));
