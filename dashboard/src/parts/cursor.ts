import { useState } from 'react';
import type { Paging } from './data-table.tsx';

/**
 * Pages by cursor: the API gives `next`, the cursor of the page after this one, or null at the end. The way back is
 * remembered here, so nothing has to be counted.
 *   const { cursor, pagingOf, restart } = useCursor();
 *   <DataTable paging={pagingOf(query.data?.next ?? null)} … />
 * Call `restart` when what is searched for changes.
 */
export function useCursor() {
  const [before, setBefore] = useState<readonly string[]>([]);
  const pagingOf = (next: string | null): Paging => ({
    page: before.length + 1,
    hasNext: next !== null,
    onPrevious: () => setBefore(before.slice(0, -1)),
    onNext: () => setBefore(next === null ? before : [...before, next]),
  });
  return { cursor: before.at(-1), pagingOf, restart: () => setBefore([]) };
}
