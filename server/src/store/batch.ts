// Group commit in the process: whatever arrives while a batch commits becomes the next batch. There is no timer.
import { isReadOnlyServer } from './database.ts';

/** As many rows as one transaction takes. Beyond this, latency grows and throughput no longer does. */
const BATCH_SIZE_MAX = 256;

/**
 * Makes a function that takes one item and answers when its batch has run. `run` answers in the order of its items.
 * If a batch throws, each of its items runs again alone, so that one bad row costs only itself. A read-only server
 * would refuse each of them as well.
 */
export function createBatcher<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (item: Item) => Promise<Answer> {
  type Waiting = { readonly item: Item; readonly settle: PromiseWithResolvers<Answer> };
  let waiting: Waiting[] = [];
  let isRunning = false;

  async function runBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const answers = await run(batch.map(({ item }) => item));
      for (const [index, { settle }] of batch.entries()) settle.resolve(answers[index] as Answer);
    } catch (error) {
      if (batch.length === 1 || isReadOnlyServer(error)) for (const { settle } of batch) settle.reject(error);
      else await Promise.all(batch.map((one) => runBatch([one])));
    }
  }

  async function flush(): Promise<void> {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, BATCH_SIZE_MAX);
      waiting = waiting.slice(BATCH_SIZE_MAX);
      await runBatch(batch);
    }
    isRunning = false;
  }

  return (item) => {
    const settle = Promise.withResolvers<Answer>();
    waiting.push({ item, settle });
    if (!isRunning) void flush();
    return settle.promise;
  };
}

/** The same for lists: each caller gets the answers to its own items. */
export function createListBatcher<Item, Answer>(
  run: (items: readonly Item[]) => Promise<readonly Answer[]>,
): (items: readonly Item[]) => Promise<readonly Answer[]> {
  return createBatcher<readonly Item[], readonly Answer[]>(async (lists) => {
    const answers = await run(lists.flat());
    let taken = 0;
    return lists.map((list) => answers.slice(taken, (taken += list.length)));
  });
}
