// How something comes to wait in a state, and how a person ends that. Registries name the states as the page about
// waiting does.
import { expect, test } from 'vitest';
import type { TestGateway } from '../gateway.ts';
import { countWaiting, isOfDatabase } from './states.ts';

export type Way<World> = {
  /**
   * Makes something wait, and answers how the person of its row ends that. Everything that is made must be its own:
   * what other ways of the same registry left behind is there too.
   */
  readonly make: (world: World) => Promise<Ending>;
  /** How much waits in the state, where it is not a state of the database. */
  readonly count?: (world: World) => Promise<number>;
};

/** The act that ends it; with a count where what waits is no row of the database, which is zero afterwards. */
type Ending =
  | (() => Promise<unknown>)
  | { readonly end: () => Promise<unknown>; readonly count: () => Promise<number> };

export type Ways<World> = Readonly<Record<string, Way<World>>>;

/** Tests that each way makes something wait in its state, and that nothing more waits in it afterwards than before. */
export function testWays<World extends { readonly gateway: Pick<TestGateway, 'engine'> }>(
  ways: Ways<World>,
  world: () => World,
): void {
  test.each(Object.entries(ways))('%s waits, and a person ends it', async (state, { make, count }) => {
    const inDatabase = () => count?.(world()) ?? countWaiting(world().gateway.engine.store.database, state);
    const before = isOfDatabase(state) ? await inDatabase() : 0;
    const made = await make(world());
    const { end, count: read } = typeof made === 'function' ? { end: made, count: inDatabase } : made;
    expect(await read()).toBeGreaterThan(before);
    await end();
    await expect.poll(read).toBeLessThanOrEqual(before);
  });
}
