// Starts payments so that each is started at most once. The identifier is stored before anything is sent; after an
// unclear result the gateway is asked what it has; and what it does not have is sent again with the same identifier,
// which the gateway processes once. A new identifier is never created.
import { readLookup, readRefusal, readStarted, refusedAs, startedByRecord, type Fields } from './answer.ts';
import { unclear, unreadable, type Answered, type Connection, type Trouble } from './connection.ts';
import { sendStored, type Journal, type JournalEntry } from './journal.ts';
import type { Kind } from './kind.ts';
import type { MalipoError } from './malipo-error.ts';
import type { Started } from './outcome.ts';
import { backoffMs, pause } from './pause.ts';
import { sendUntilClear } from './send-until-clear.ts';

export type Parts = {
  readonly connection: Connection;
  readonly journal: Journal;
  /** How long to continue after a request went wrong. */
  readonly retryForMs: number;
};

export type SentRequests = {
  readonly kind: Kind;
  /** The requests, each with its identifier. */
  readonly bodies: readonly Fields[];
  readonly isList: boolean;
};

/** The outcome of each, in the same order. Throws only if the gateway certainly has none of them. */
export async function startRequests(parts: Parts, requests: SentRequests): Promise<readonly Started[]> {
  const entries = requests.bodies.map((body) => journalEntry(requests.kind, body));
  return sendStored(parts.journal, entries, () => new Pursuit(parts, requests).run());
}

export function journalEntry({ name, idName }: Kind, body: Fields): JournalEntry {
  const { clientReferenceId } = body;
  return {
    kind: name,
    id: String(body[idName]),
    at: new Date().toISOString(),
    ...(typeof clientReferenceId === 'string' && { clientReferenceId }),
  };
}

/** Requests in progress, until each outcome is known or the time is over. */
class Pursuit {
  readonly #parts: Parts;
  readonly #requests: SentRequests;
  readonly #deadline: number;
  readonly #results = new Map<string, Started>();
  /** Set once a request may have been accepted without an answer, and never unset. */
  #isInDoubt = false;

  constructor(parts: Parts, requests: SentRequests) {
    this.#parts = parts;
    this.#requests = requests;
    this.#deadline = Date.now() + parts.retryForMs;
  }

  async run(): Promise<readonly Started[]> {
    let trouble = await this.#send();
    for (
      let attempts = 1;
      trouble !== null && (await this.#isWorthAnother(trouble, attempts));
      attempts += 1
    ) {
      trouble = (this.#isInDoubt ? await this.#ask(this.#openIds()) : null) ?? (await this.#send());
    }
    if (this.#isInDoubt) await this.#askAgain();
    const cause = trouble?.cause ?? unreadable(200);
    return this.#ids().map((id) => this.#results.get(id) ?? { outcome: 'unknown', id, cause });
  }

  #ids(): readonly string[] {
    return this.#requests.bodies.map((body) => this.#idOf(body));
  }

  #idOf(body: Fields): string {
    return String(body[this.#requests.kind.idName]);
  }

  #openIds(): readonly string[] {
    return this.#ids().filter((id) => !this.#results.has(id));
  }

  async #isWorthAnother({ retryAfterMs = 0 }: Trouble, attempts: number): Promise<boolean> {
    const waitMs = Math.max(backoffMs(attempts), retryAfterMs);
    if (Date.now() + waitMs > this.#deadline) return false;
    await pause(waitMs);
    return true;
  }

  /** Sends what has no answer yet. Null if everything has an answer. */
  async #send(): Promise<Trouble | null> {
    const { kind, isList, bodies } = this.#requests;
    const open = bodies.filter((body) => !this.#results.has(this.#idOf(body)));
    if (open.length === 0) return null;
    const path = isList ? `${kind.path}/bulk` : kind.path;
    const body = isList ? open : open[0];
    const answer = await this.#parts.connection.send({ method: 'POST', path, body, isInitiation: true });
    const trouble = answer.type === 'answered' ? this.#read(answer) : answer;
    if (trouble?.type === 'unclear') this.#isInDoubt = true;
    return trouble;
  }

  #read(answer: Answered): Trouble | null {
    const refusal = readRefusal(answer);
    // A refusal means that this request did nothing; it says nothing about earlier ones.
    if (refusal !== null && !this.#isInDoubt) throw refusal;
    if (refusal !== null) return unclear(refusal);
    const started = readStarted(this.#requests.kind, this.#openIds(), answer);
    if (started === null) return unclear(unreadable(answer.status));
    for (const one of started) this.#keep(one);
    return null;
  }

  /** In doubt, a duplicate means our own earlier request. */
  #keep(one: Started): void {
    const isOurs = one.outcome === 'duplicate' && this.#isInDoubt;
    this.#results.set(one.id, isOurs ? { ...one, outcome: 'accepted' } : one);
  }

  /** Finds out which of these the gateway has. Returns the problem that prevented it. */
  async #ask(ids: readonly string[]): Promise<Trouble | null> {
    for (const id of ids) {
      const answer = await this.#lookUp(id);
      // A token may be allowed to pay but not to read. Sending again with the same identifier is as safe as asking.
      if (answer.type !== 'answered') return answer;
    }
    return null;
  }

  async #lookUp(id: string): Promise<Answered | Trouble> {
    const { kind } = this.#requests;
    const call = { method: 'GET', path: `${kind.path}/${encodeURIComponent(id)}` } as const;
    const answer = await sendUntilClear(this.#parts.connection, call, this.#deadline);
    const looked = answer.type === 'answered' ? readLookup(answer) : null;
    if (looked?.found === true) this.#results.set(id, startedByRecord(kind, id, looked.payment));
    return answer;
  }

  /** A second attempt may be rejected because the first one was accepted late. Unless verified, it is unknown. */
  async #askAgain(): Promise<void> {
    let cause: MalipoError | null = null;
    for (const { id, outcome } of this.#results.values()) {
      if (outcome !== 'rejected') continue;
      cause ??= whyUnverified(await this.#lookUp(id));
      if (cause !== null) this.#results.set(id, { outcome: 'unknown', id, cause });
    }
  }
}

/** Null if the gateway said whether it has the request. */
function whyUnverified(answer: Answered | Trouble): MalipoError | null {
  if (answer.type !== 'answered') return answer.cause;
  return readLookup(answer) === null ? refusedAs(answer) : null;
}
