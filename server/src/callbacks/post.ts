// Posts a callback to a merchant's endpoint. Any 2xx acknowledges; redirects are not followed. Only the beginning of
// the answer is stored, and reading stops at a limit.
import type { Readable } from 'node:stream';
import { Agent, request } from 'undici';
import { createGuardedConnector, type GuardedConnectOptions } from './guarded-connect.ts';

export type CallbackPost = {
  readonly url: string;
  readonly body: string;
  /** In lower case. The signature headers; see sign.ts. */
  readonly headers: Readonly<Record<string, string>>;
  /** Default: that of the poster. */
  readonly timeoutMs?: number;
};

export type PostResult =
  | {
      readonly type: 'ANSWERED';
      readonly httpStatus: number;
      readonly retryAfter: string | undefined;
      /** The first bytes of the body. */
      readonly answer: Buffer;
      /** False where the rest is missing: the connection broke, or not all was kept. */
      readonly isWhole: boolean;
    }
  /** `code` gives the reason only: error texts can contain addresses and payloads. */
  | { readonly type: 'NO_ANSWER'; readonly code: string };

/** Read up to here, so that the connection can be reused; a longer answer closes it. */
const RESPONSE_BYTES_MAX = 16 * 1024;

/** Enough to recognise an error page or a message. */
const ANSWER_BYTES_KEPT = 512;

export class CallbackPoster {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(options: GuardedConnectOptions) {
    this.#timeoutMs = options.timeoutMs;
    this.#agent = new Agent({
      connect: createGuardedConnector(options),
      // Merchants' servers and load balancers close idle connections; ours must close first.
      keepAliveTimeout: 4_000,
    });
  }

  async post({ url, body, headers, timeoutMs = this.#timeoutMs }: CallbackPost): Promise<PostResult> {
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { ...headers, 'user-agent': 'malipo' },
        body,
        signal: AbortSignal.timeout(timeoutMs),
      });
      const retryAfter = answer.headers['retry-after'];
      return {
        type: 'ANSWERED',
        httpStatus: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
        ...(await readBeginning(answer.body)),
      };
    } catch (error) {
      return { type: 'NO_ANSWER', code: codeOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

/** The status acknowledges, even if the body is too large or breaks off. */
async function readBeginning(
  body: Readable,
): Promise<{ readonly answer: Buffer; readonly isWhole: boolean }> {
  const kept: Buffer[] = [];
  let bytesRead = 0;
  let isBroken = false;
  try {
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytesRead < ANSWER_BYTES_KEPT) kept.push(chunk.subarray(0, ANSWER_BYTES_KEPT - bytesRead));
      bytesRead += chunk.length;
      if (bytesRead > RESPONSE_BYTES_MAX) break;
    }
  } catch {
    // What was received is kept.
    isBroken = true;
  }
  return { answer: Buffer.concat(kept), isWhole: !isBroken && bytesRead <= ANSWER_BYTES_KEPT };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  const code = (error as Error & { readonly code?: unknown }).code;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
