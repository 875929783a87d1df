// Which values there are at the beginning of an index, without reading what they have in common.

/**
 * For `with recursive`: the distinct values of columns by which an index on payments begins, one step in the index for
 * each. `select distinct` would read every entry. `from` is a condition that the first of them meets: where the index
 * is large, it says that nothing is read behind that one.
 */
export function distinct(name: string, columns: string, where: string, from = 'true'): string {
  const before = columns.replaceAll(/\w+/g, 'before.$&');
  const first = `select ${columns} from payments where ${where}`;
  return `${name} as (
    (${first} and ${from} order by ${columns} limit 1)
    union all
    select next.* from ${name} before cross join lateral (
      ${first} and (${columns}) > (${before}) order by ${columns} limit 1) next)`;
}

/** The actions, providers and kinds of steps, due or not. */
export const STEP_GROUPS = distinct('step_groups', 'next_action, provider, kind', 'next_action is not null');

/** In the words of the index `payments_enqueued`. What was released has a step and counts among those. */
export const ENQUEUED = `state = 'ENQUEUED' and next_action is null and held is null`;

/** Enqueued or held, in the words of the two indexes. */
export const WAITING = `((${ENQUEUED}) or held is not null)`;
