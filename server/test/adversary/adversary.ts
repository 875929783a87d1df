// A run: steps chosen by a seed, with the promises checked all the time.
import { ACTIONS, WEIGHTS, work } from './actions.ts';
import { checkPromises, Violation } from './promises.ts';
import { harvestIdentifiers, moveTime, openWorld, ordinaryOf, type AdversaryCounts } from './world.ts';

export type AdversaryRun = {
  readonly steps: number;
  readonly taken: Readonly<Record<string, number>>;
  readonly counts: AdversaryCounts;
  readonly violation: string | null;
  /** What the run has written, for a later run of the same seed. */
  readonly identifiers: readonly string[];
};

const CHECKED_EVERY = 200;
const MINUTE_MS = 60_000;

export async function runAdversary({
  seed,
  steps,
  earlier = [],
  onProgress = () => undefined,
}: {
  readonly seed: number;
  readonly steps: number;
  readonly earlier?: readonly string[];
  readonly onProgress?: (done: number) => void;
}): Promise<AdversaryRun> {
  const world = await openWorld(seed, { earlier });
  const { counts } = world;
  const taken: Record<string, number> = {};
  let done = 0;
  try {
    for (; done < steps; done += 1) {
      world.ordinary = ordinaryOf(seed, done);
      const name = world.ordinary.weighted(WEIGHTS);
      taken[name] = (taken[name] ?? 0) + 1;
      await ACTIONS[name]?.(world);
      if (done % CHECKED_EVERY !== CHECKED_EVERY - 1) continue;
      // What could not be made at once is tried again after a minute.
      await moveTime(world, 2 * MINUTE_MS);
      await work(world);
      await checkPromises(world);
      onProgress(done + 1);
    }
    const identifiers = await harvestIdentifiers(world);
    return { steps: done, taken, counts, violation: null, identifiers };
  } catch (error) {
    if (!(error instanceof Violation)) throw error;
    const which = earlier.length === 0 ? 'first' : 'second';
    const violation = `step ${done} of the ${which} run with seed ${seed}: ${error.message}`;
    return { steps: done, taken, counts, violation, identifiers: [] };
  } finally {
    await world.cells.stop();
  }
}
