/** Runs a batch; if it throws, each of its items again alone, so that one bad row costs only itself. */
export async function togetherOrAlone<Item, Answer>(
  items: readonly Item[],
  work: (items: readonly Item[]) => Promise<readonly Answer[]>,
  onError: (error: unknown) => void,
): Promise<readonly Answer[]> {
  try {
    return await work(items);
  } catch (error) {
    if (items.length === 1) onError(error);
    if (items.length <= 1) return [];
  }
  const answers: Answer[] = [];
  for (const item of items) answers.push(...(await togetherOrAlone([item], work, onError)));
  return answers;
}
