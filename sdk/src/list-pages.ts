// Reads a list page after page, each when it is needed.
import { fieldsOf, type Fields } from './answer.ts';
import type { ListFilter } from './api.ts';
import { unreadable, type Answered } from './connection.ts';

/** Yields records until the gateway names no next page. A page may be empty and still be followed by another. */
export async function* listPages(
  path: string,
  filter: ListFilter<string>,
  read: (path: string) => Promise<Answered>,
): AsyncGenerator<Fields, void, undefined> {
  let cursor: string | undefined;
  do {
    const { status, body } = await read(`${path}${queryOf(filter, cursor)}`);
    const { data, next } = fieldsOf(body);
    if (!Array.isArray(data)) throw unreadable(status);
    for (const record of data) yield fieldsOf(record);
    cursor = typeof next === 'string' ? next : undefined;
  } while (cursor !== undefined);
}

function queryOf(filter: ListFilter<string>, cursor: string | undefined): string {
  const { from, to, clientReferenceId, metadata, phoneNumber, status, provider, pageSize } = filter;
  const values = {
    from: textOf(from),
    to: textOf(to),
    clientReferenceId,
    metadata,
    phoneNumber,
    status,
    provider,
    limit: pageSize,
    cursor,
  };
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(values)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? '' : `?${query.toString()}`;
}

function textOf(time: string | Date | undefined): string | undefined {
  return time instanceof Date ? time.toISOString() : time;
}
