import type { Entry } from '../area.ts';
import { AREAS } from '../areas.ts';
import type { Scope } from '../me.ts';

/** What a person sees of the navigation: nothing they may not open. */
export function entriesFor(scope: Scope): readonly Entry[] {
  return AREAS.flatMap(({ entries }) => entries).filter(
    (entry) => entry.scope === scope.type && scope.permissions.includes(entry.needs),
  );
}
