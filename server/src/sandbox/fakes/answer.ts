// Plain HTTP: reads a request's text and sends an answer. No framework: Fastify belongs to the gateway's edge.
import type { IncomingMessage, ServerResponse } from 'node:http';

export type Answer = {
  readonly status: number;
  readonly json?: unknown;
  readonly page?: { readonly text: string; readonly headers: Readonly<Record<string, string>> };
  readonly location?: string;
};

/** Requests are below 4 KB; much longer ones are refused. */
const BODY_LENGTH_MAX = 64 * 1_024;

export const NOT_FOUND: Answer = { status: 404, json: { code: 'NOT_FOUND' } };

export function refusal(problem: string): Answer {
  return { status: 400, json: { code: 'INVALID_REQUEST', problem } };
}

/** The body's text, or null if it is too long. */
export async function readText(request: IncomingMessage): Promise<string | null> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > BODY_LENGTH_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

export function send(response: ServerResponse, answer: Answer): void {
  if (response.destroyed || response.writableEnded) return;
  const location = answer.location === undefined ? {} : { location: answer.location };
  const headers = answer.page?.headers ?? { 'content-type': 'application/json' };
  response.writeHead(answer.status, { ...headers, ...location });
  response.end(answer.page?.text ?? JSON.stringify(answer.json ?? {}));
}
