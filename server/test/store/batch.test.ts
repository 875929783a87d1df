import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { createBatcher } from '../../src/store/batch.ts';

/** A runner whose batches stand still until they are released, and that remembers them. */
function createHeldRunner() {
  const batches: (readonly string[])[] = [];
  const holds: PromiseWithResolvers<void>[] = [];
  const batcher = createBatcher<string, string>(async (items) => {
    batches.push(items);
    const hold = Promise.withResolvers<void>();
    holds.push(hold);
    await hold.promise;
    return items.map((item) => item.toUpperCase());
  });
  return {
    batcher,
    batches,
    /** Lets the oldest batch in progress end, and waits until what follows from that has happened. */
    release: async () => {
      holds.shift()!.resolve();
      await nextTurn();
    },
  };
}

describe('batches', () => {
  test('the first item runs at once, alone: nothing waits for a timer', () => {
    const { batcher, batches } = createHeldRunner();
    void batcher('a');
    // Not even a turn of the event loop has passed.
    expect(batches).toEqual([['a']]);
  });

  test('what arrives while a batch runs becomes the next one, in order of arrival', async () => {
    const { batcher, batches, release } = createHeldRunner();
    const answers = ['a', 'b', 'c', 'd'].map(batcher);
    await nextTurn();
    expect(batches).toEqual([['a']]);
    await release();
    expect(batches).toEqual([['a'], ['b', 'c', 'd']]);
    await release();
    expect(await Promise.all(answers)).toEqual(['A', 'B', 'C', 'D']);
  });

  test('one batch runs at a time, and the next begins as soon as it ends', async () => {
    const { batcher, batches, release } = createHeldRunner();
    for (const item of ['a', 'b']) void batcher(item);
    await release();
    for (const item of ['c', 'd']) void batcher(item);
    await nextTurn();
    expect(batches).toEqual([['a'], ['b']]);
    await release();
    expect(batches).toEqual([['a'], ['b'], ['c', 'd']]);
  });

  test('after a pause the next item runs at once again', async () => {
    const { batcher, batches, release } = createHeldRunner();
    const first = batcher('a');
    await release();
    await first;
    void batcher('b');
    expect(batches).toEqual([['a'], ['b']]);
  });

  test('no batch is larger than 256', async () => {
    const sizes: number[] = [];
    const batcher = createBatcher<number, number>(async (items) => {
      sizes.push(items.length);
      return items;
    });
    const items = Array.from({ length: 700 }, (_, index) => index);
    expect(await Promise.all(items.map(batcher))).toEqual(items);
    expect(sizes).toEqual([1, 256, 256, 187]);
  });
});

describe('answers', () => {
  test('each item gets its own, whichever comes first', async () => {
    const batcher = createBatcher<number, string>(async (items) => items.map((item) => `answer ${item}`));
    const answers = await Promise.all([5, 3, 5, 1].map(batcher));
    expect(answers).toEqual(['answer 5', 'answer 3', 'answer 5', 'answer 1']);
  });

  test('one bad item costs only itself: the others of its batch run again alone', async () => {
    const batches: (readonly number[])[] = [];
    const batcher = createBatcher<number, number>(async (items) => {
      batches.push(items);
      if (items.includes(3)) throw new RangeError('not 3');
      return items.map((item) => item * 10);
    });
    const results = await Promise.allSettled([1, 2, 3, 4].map(batcher));
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    expect(results[2]).toMatchObject({ reason: new RangeError('not 3') });
    expect(results[3]).toMatchObject({ value: 40 });
    expect(batches).toEqual([[1], [2, 3, 4], [2], [3], [4]]);
  });

  test('an item that fails alone is not tried again', async () => {
    let runs = 0;
    const batcher = createBatcher<number, number>(() => {
      runs += 1;
      throw new Error('no');
    });
    await expect(batcher(1)).rejects.toThrow('no');
    expect(runs).toBe(1);
  });

  test('after a failure the batcher goes on', async () => {
    const batcher = createBatcher<number, number>(async (items) => {
      if (items.includes(0)) throw new Error('no zero');
      return items;
    });
    await expect(batcher(0)).rejects.toThrow('no zero');
    await expect(batcher(1)).resolves.toBe(1);
    const together = await Promise.allSettled([0, 0, 2].map(batcher));
    expect(together.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  });
});
