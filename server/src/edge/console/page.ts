// Which page of a list somebody asks for.
import { readPage, type Page } from '../../wire/console/page.ts';
import { failureBecause } from './failure.ts';

export function requirePage(...asked: Parameters<typeof readPage>): Page {
  const parsed = readPage(...asked);
  if (parsed.type === 'PARSED') return parsed.request;
  throw failureBecause('INVALID_INPUT', 'CURSOR_INVALID');
}

/** A place in a list that goes by time, and by identifier where times are equal. */
export function placeAfter({ after }: Page): { readonly at: Date; readonly id: string } | null {
  if (after === null) return null;
  const [at = '', id = ''] = after;
  return { at: new Date(at), id };
}
