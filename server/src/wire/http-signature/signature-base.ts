// The signature base of RFC 9421: what is signed, one line per component.
import { httpbis } from 'http-message-signatures';
import type { Headers } from './members.ts';

/** `url` is the whole address as the client saw it. */
export type SignableRequest = { readonly method: string; readonly url: string; readonly headers: Headers };
export type SignableAnswer = { readonly status: number; readonly headers: Headers };

/**
 * `inputText` is the member of Signature-Input: components and parameters exactly as the client wrote them. Throws if
 * the message lacks one of them.
 */
export function createSignatureBase(message: SignableRequest | SignableAnswer, inputText: string): string {
  const fields = listComponents(inputText);
  const headers = Object.fromEntries(Object.entries(message.headers).flatMap(toMutable));
  const lines =
    'status' in message
      ? httpbis.createSignatureBase({ fields }, { status: message.status, headers })
      : httpbis.createSignatureBase({ fields }, { method: message.method, url: message.url, headers });
  lines.push(['"@signature-params"', [inputText]]);
  return httpbis.formatSignatureBase(lines);
}

/** The components with their quotes and parameters: `"@query-param";name="Pet"`. */
function listComponents(inputText: string): string[] {
  const [list = ''] = /^\((?:"(?:\\.|[^"\\])*"|[^")])*\)/.exec(inputText) ?? [];
  return (
    list.slice(1, -1).match(/"(?:\\.|[^"\\])*(?:"|\\?$)(?:;[^\s"]*(?:"(?:\\.|[^"\\])*(?:"|\\?$))?)*/g) ?? []
  );
}

function toMutable([name, value]: [string, string | readonly string[] | undefined]) {
  return value === undefined ? [] : [[name, typeof value === 'string' ? value : [...value]] as const];
}
