// Posts finished spans to a collector, in the background. Nothing of it may disturb a payment: anyone who adds a span
// never waits, what a collector cannot take in time is dropped and counted, and stopping has a bound.
import { renderExport, type OtlpSpan } from './otlp.ts';

export type ExporterOptions = {
  /** A name and a password in it are sent as Basic authorisation. */
  readonly url: string;
  /** Which process speaks. */
  readonly resource: Readonly<Record<string, string>>;
  readonly onSpans: (result: 'exported' | 'dropped', count: number) => void;
  /** Told once when the collector stops taking spans, not each time; `reason` is a status or a code. */
  readonly onTrouble: (reason: string) => void;
};

/** About 3,300 spans at most: 829 payments/s of a cell with eight spans each. */
const INTERVAL_MS = 500;
/** A few seconds of that, and some ten megabytes. */
const QUEUE_MAX = 10_000;
/** What OpenTelemetry's own exporters send at once. */
const BATCH_MAX = 512;
const POST_TIMEOUT_MS = 5_000;
const PAUSE_MAX_MS = 10_000;
/** Within the half minute that a host allows for a stop. */
const CLOSE_WITHIN_MS = 3_000;

/** By OTLP's rules these mean "later"; any other refusal would be the same again. */
const LATER: ReadonlySet<number> = new Set([429, 502, 503, 504]);

type PostAnswer = { readonly type: 'TAKEN' } | { readonly type: 'REFUSED' | 'AWAY'; readonly reason: string };

export class SpanExporter {
  readonly #options: ExporterOptions;
  readonly #address: { readonly url: string; readonly headers: Record<string, string> };
  readonly #ending = new AbortController();
  #queue: OtlpSpan[] = [];
  #timer: NodeJS.Timeout | undefined;
  #sending: Promise<void> | undefined;
  #pauseMs = INTERVAL_MS;
  #isInTrouble = false;
  #isClosed = false;

  constructor(options: ExporterOptions) {
    this.#options = options;
    this.#address = addressOf(options.url);
  }

  add(span: OtlpSpan): void {
    if (this.#isClosed || this.#queue.length >= QUEUE_MAX) return this.#options.onSpans('dropped', 1);
    this.#queue.push(span);
    this.#schedule();
  }

  /** Sends what is left, if the collector takes it now. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    const bound = setTimeout(() => this.#ending.abort(), CLOSE_WITHIN_MS);
    await this.#sending;
    await this.#sendAll();
    clearTimeout(bound);
    this.#settle('dropped', this.#queue.length);
  }

  /** One sending at a time: the timer is set again only when it is over. */
  #schedule(): void {
    if (this.#timer !== undefined || this.#isClosed) return;
    this.#timer = setTimeout(() => {
      this.#sending = this.#work();
    }, this.#pauseMs).unref();
  }

  async #work(): Promise<void> {
    await this.#sendAll();
    this.#timer = undefined;
    if (this.#queue.length > 0) this.#schedule();
  }

  async #sendAll(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.slice(0, BATCH_MAX);
      const answer = await this.#post(batch);
      this.#note(answer);
      if (answer.type === 'AWAY') {
        this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MAX_MS);
        return;
      }
      this.#pauseMs = INTERVAL_MS;
      this.#settle(answer.type === 'TAKEN' ? 'exported' : 'dropped', batch.length);
    }
  }

  async #post(batch: readonly OtlpSpan[]): Promise<PostAnswer> {
    try {
      const { url, headers } = this.#address;
      const answer = await fetch(url, {
        method: 'POST',
        redirect: 'error',
        headers: { 'content-type': 'application/json', 'user-agent': 'malipo', ...headers },
        body: renderExport(batch, this.#options.resource),
        signal: AbortSignal.any([AbortSignal.timeout(POST_TIMEOUT_MS), this.#ending.signal]),
      });
      // The status decides; a body that breaks off does not take that back.
      await answer.body?.cancel().catch(() => undefined);
      if (answer.ok) return { type: 'TAKEN' };
      return { type: LATER.has(answer.status) ? 'AWAY' : 'REFUSED', reason: `HTTP ${answer.status}` };
    } catch (error) {
      return { type: 'AWAY', reason: reasonOf(error) };
    }
  }

  #note(answer: PostAnswer): void {
    if (answer.type !== 'TAKEN' && !this.#isInTrouble) this.#options.onTrouble(answer.reason);
    this.#isInTrouble = answer.type !== 'TAKEN';
  }

  #settle(result: 'exported' | 'dropped', count: number): void {
    this.#queue = this.#queue.slice(count);
    if (count > 0) this.#options.onSpans(result, count);
  }
}

/** An address with a name in it would be refused by fetch. */
function addressOf(text: string) {
  const url = new URL(text);
  const { username, password } = url;
  if (username === '') return { url: url.href, headers: {} };
  const pair = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
  url.username = '';
  url.password = '';
  return {
    url: url.href,
    headers: { authorization: `Basic ${Buffer.from(pair).toString('base64')}` },
  };
}

/** "ECONNREFUSED", "TimeoutError": a code or a kind, never the message. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN';
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined;
  return typeof code === 'string' ? code : error.name;
}
