// Translates a v1 request, or a list of them, to v2, for `malipo-server` and the command line.
import { renderFault } from '../v2/failure.ts';
import { translateRequest, type TranslatedKind } from './translate-request.ts';

export type TranslatedBody =
  | { readonly bodies: object | readonly object[]; readonly changes: readonly string[] }
  | { readonly fault: string };

/** The text of a body, or of a list of bodies as in bulk payouts. */
export function translateBody(kind: TranslatedKind, json: string): TranslatedBody {
  const body = parseBody(json);
  if (body === undefined) return { fault: 'The body is not valid JSON.' };
  const all = Array.isArray(body) ? body : [body];
  const translated = all.map((one: unknown, index) =>
    translate(kind, one, Array.isArray(body) ? `[${index}] ` : ''),
  );
  const faulty = translated.find((one) => 'fault' in one);
  if (faulty !== undefined && 'fault' in faulty) return faulty;
  const good = translated.flatMap((one) => ('fault' in one ? [] : [one]));
  const bodies = good.map((one) => one.body);
  return {
    bodies: Array.isArray(body) ? bodies : (bodies[0] ?? {}),
    changes: good.flatMap(({ lines }) => lines),
  };
}

type Translated = { readonly body: object; readonly lines: readonly string[] };

function translate(
  kind: TranslatedKind,
  body: unknown,
  place: string,
): Translated | { readonly fault: string } {
  const parsed = translateRequest(kind, body);
  if (parsed.type === 'FAULT') {
    const { failureMessage } = renderFault(parsed.fault);
    return { fault: `${place}This is not a ${kind} of API v1. ${failureMessage}` };
  }
  const { changes } = parsed.request;
  const lines = changes.map(({ earlier, current }) => `${place}${earlier} -> ${current}`);
  return { body: parsed.request.body, lines };
}

/** Undefined if it is not JSON: JSON has no such value. */
function parseBody(json: string): unknown {
  try {
    return JSON.parse(json) as unknown;
  } catch {
    return undefined;
  }
}
