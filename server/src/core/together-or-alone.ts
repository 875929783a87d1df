import { isReadOnlyServer } from '../store/database.ts';

/**
 * Runs a batch; if it throws, each of its items again alone, so that one bad row costs only itself. A read-only server
 * would refuse each of them as well. An error is reported with its item, where it is about one.
 */
export async function togetherOrAlone<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  onError: (error: unknown, item: Item | undefined) => void,
): Promise<readonly Answer[]> {
  try {
    return await work(items);
  } catch (error) {
    const isEnd = items.length <= 1 || isReadOnlyServer(error);
    if (isEnd && items.length > 0) onError(error, items.length === 1 ? items[0] : undefined);
    if (isEnd) return [];
  }
  const answers: Answer[] = [];
  for (const item of items) answers.push(...(await togetherOrAlone([item], work, onError)));
  return answers;
}
