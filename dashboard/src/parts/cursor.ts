import { useState } from 'react';
import type { Paging } from './data-table.tsx';

/**
 * Pages by cursor: the API gives `older`, the cursor of the page after this one, or null at the end. The way back is
 * remembered here, so nothing has to be counted.
 *   const { cursor, pagingOf, restart } = useCursor();
 *   <DataTable paging={pagingOf(query.data?.older ?? null)} … />
 * Call `restart` when what is searched for changes.
 */
export function useCursor() {
  const [before, setBefore] = useState<readonly string[]>([]);
  const pagingOf = (older: string | null): Paging => ({
    hasNewer: before.length > 0,
    hasOlder: older !== null,
    onNewer: () => setBefore(before.slice(0, -1)),
    onOlder: () => setBefore(older === null ? before : [...before, older]),
  });
  return { cursor: before.at(-1), pagingOf, restart: () => setBefore([]) };
}
