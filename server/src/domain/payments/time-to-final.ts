// How long payments take to end, from a histogram instead of every payment's time.

/** Upper bounds of the histogram; longer times are counted separately. The table has these columns. */
export const TIME_BOUNDS_SECONDS = [1, 2, 5, 10, 20, 30, 60, 120, 300, 900, 3_600, 21_600, 86_400] as const;

/**
 * The time within which this share of the payments ended, interpolated within its interval. Beyond the last bound, that
 * bound is returned: "a day or longer". Null if nothing ended.
 */
export function timeOfShare(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = total * share;
  let before = 0;
  for (const [index, count] of counts.entries()) {
    const upper = TIME_BOUNDS_SECONDS[index];
    if (upper === undefined) break;
    if (count > 0 && before + count >= wanted) {
      const lower = TIME_BOUNDS_SECONDS[index - 1] ?? 0;
      return lower + (upper - lower) * ((wanted - before) / count);
    }
    before += count;
  }
  return TIME_BOUNDS_SECONDS.at(-1) ?? null;
}

/** Both have a count for each interval. */
export function addCounts(a: readonly number[], b: readonly number[]): readonly number[] {
  return b.map((count, index) => count + (a[index] ?? 0));
}
