// Posts a callback to a merchant's endpoint. Any 2xx acknowledges; redirects are not followed; the answer's body is
// not kept and not read beyond a limit.
import { Agent, request } from 'undici';

export type CallbackPost = {
  readonly url: string;
  readonly body: string;
  /** In lower case: those of the signature, see sign.ts. */
  readonly headers: Readonly<Record<string, string>>;
};

export type PostResult =
  | { readonly type: 'ANSWERED'; readonly httpStatus: number; readonly retryAfter: string | undefined }
  /** `code` says why without saying what: error texts can hold addresses and payloads. */
  | { readonly type: 'NO_ANSWER'; readonly code: string };

const RESPONSE_BYTES_MAX = 16 * 1024;

export class CallbackPoster {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  constructor(options: { readonly timeoutMs: number }) {
    this.#timeoutMs = options.timeoutMs;
    this.#agent = new Agent({
      connect: { timeout: options.timeoutMs },
      maxResponseSize: RESPONSE_BYTES_MAX,
      // Merchants' servers and balancers close idle connections; ours must go first.
      keepAliveTimeout: 4_000,
    });
  }

  async post({ url, body, headers }: CallbackPost): Promise<PostResult> {
    try {
      const answer = await request(url, {
        method: 'POST',
        dispatcher: this.#agent,
        headers: { ...headers, 'user-agent': 'malipo' },
        body,
        signal: AbortSignal.timeout(this.#timeoutMs),
      });
      const retryAfter = answer.headers['retry-after'];
      // The status acknowledges; a body that is too large or breaks off does not take that back.
      await answer.body.dump({ limit: RESPONSE_BYTES_MAX }).catch(() => undefined);
      return {
        type: 'ANSWERED',
        httpStatus: answer.statusCode,
        retryAfter: Array.isArray(retryAfter) ? retryAfter[0] : retryAfter,
      };
    } catch (error) {
      return { type: 'NO_ANSWER', code: codeOf(error) };
    }
  }

  async close(): Promise<void> {
    await this.#agent.destroy();
  }
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  const code = (error as Error & { readonly code?: unknown }).code;
  return typeof code === 'string' ? code : 'UNKNOWN';
}
