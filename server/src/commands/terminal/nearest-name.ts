// What a person meant who wrote a name that there is not.

/** The candidate that is most like `name`, or null when none is like it. Order of words does not count. */
export function findNearest(name: string, candidates: readonly string[]): string | null {
  const ranked = candidates
    .map((candidate) => ({ candidate, distance: distanceOf(name, candidate) }))
    .toSorted((a, b) => a.distance - b.distance);
  const [nearest] = ranked;
  // A third of the letters wrong is a mistake in typing; more is another word.
  return nearest !== undefined && nearest.distance <= name.length / 3 ? nearest.candidate : null;
}

/** `create-merchant` and `create merchant` are as near to `merchant create` as can be. */
function distanceOf(name: string, candidate: string): number {
  return Math.min(editDistance(name, candidate), editDistance(sortWords(name), sortWords(candidate)));
}

function sortWords(name: string): string {
  return name.split(/[ -]/).toSorted().join(' ');
}

/** How many letters must be inserted, removed or replaced (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (const [i, letter] of a.split('').entries()) {
    const next = [i + 1];
    for (const [j, other] of b.split('').entries()) {
      const replaced = (row[j] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
