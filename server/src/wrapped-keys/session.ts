// The token that a process has of Vault or OpenBao: by a login, renewed before it ends, replaced by a fresh login where
// it cannot be renewed.
import { failed, type KeyAnswer, type KeyFailure, type KeyServiceObserver } from './port.ts';
import type { Requester, ServiceBody } from './request.ts';

export type LoginMethod = 'token' | 'approle' | 'kubernetes';

export type LoginSettings = {
  readonly method: LoginMethod;
  /** Where the login is mounted, behind auth/. */
  readonly mount: string;
  /** The role_id of an AppRole, or the name of a role of Kubernetes. Null for a token. */
  readonly role: string | null;
  /** A token, a secret_id or the token of a service account. Read again for each login: files of such are replaced. */
  readonly credential: () => string;
};

type Token = {
  readonly value: string;
  readonly isRenewable: boolean;
  /** For how long it was good when it was issued. Null: it does not end. */
  readonly lifetimeMs: number | null;
  readonly issuedAtMs: number;
};

/** What is left of the lifetime is for attempts that fail. */
const RENEW_AT_SHARE = 2 / 3;

/** Each login that succeeds leaves a token in the service, and refused ones can lock the role: pauses double. */
const LOGIN_PAUSE_MS = 60_000;
const LOGIN_PAUSE_MS_MAX = 600_000;

/** Vault also says 403 to a service account while the Kubernetes API is out of reach, so it must say so for a while. */
const REFUSAL_LASTS_MS = 600_000;

/** After a login, until its token is accepted. */
type Pause = {
  readonly lengthMs: number;
  readonly untilMs: number;
  /** The token it brought. Null: it was refused. */
  readonly token: string | null;
  /** What is answered meanwhile instead of another login. */
  readonly failure: KeyFailure;
};

export class Session {
  readonly #requester: Requester;
  readonly #login: LoginSettings;
  readonly #observer: KeyServiceObserver;
  #token: Token | null = null;
  #pause: Pause | null = null;
  #refusedSinceMs: number | null = null;

  constructor(requester: Requester, login: LoginSettings, observer: KeyServiceObserver) {
    this.#requester = requester;
    this.#login = login;
    this.#observer = observer;
  }

  /** A token that is good as far as we know; `isFresh` where it comes from a login just now. */
  async take(): Promise<KeyAnswer<{ readonly token: string; readonly isFresh: boolean }>> {
    const token = this.#token;
    if (token === null) return this.logIn();
    if (isDue(token) && !this.#isPausing()) await this.#renew(token);
    return { type: 'DONE', value: { token: this.#token?.value ?? token.value, isFresh: false } };
  }

  /** At once, unless a login just now brought no token that is accepted: then what that one came to. */
  async logIn(): Promise<KeyAnswer<{ readonly token: string; readonly isFresh: true }>> {
    if (this.#pause !== null && this.#isPausing()) return this.#pause.failure;
    const answer = await this.#askForToken();
    if (answer.type === 'FAILED') return this.#judge(answer);
    this.#refusedSinceMs = null;
    this.#keep(answer.value);
    this.#rest(answer.value.value, STILL_DENIED);
    return { type: 'DONE', value: { token: answer.value.value, isFresh: true } };
  }

  /** What a request with this token was answered. */
  note(token: string, answer: KeyAnswer<unknown>): void {
    if (answer.type === 'FAILED' && answer.problem === 'KEY_SERVICE_DENIED') return;
    this.#refusedSinceMs = null;
    if (answer.type === 'DONE' && this.#pause?.token === token) this.#pause = null;
  }

  #isPausing(): boolean {
    return this.#pause !== null && performance.now() < this.#pause.untilMs;
  }

  #rest(token: string | null, failure: KeyFailure): void {
    const { lengthMs: lastMs = LOGIN_PAUSE_MS / 2 } = this.#pause ?? {};
    const lengthMs = Math.min(2 * lastMs, LOGIN_PAUSE_MS_MAX);
    this.#pause = { lengthMs, untilMs: performance.now() + lengthMs, token, failure };
  }

  /** A refused login is a denial when logins have been refused for long and without a break. */
  #judge(failure: KeyFailure): KeyFailure {
    if (!isRefusal(failure)) {
      this.#refusedSinceMs = null;
      return failure;
    }
    this.#refusedSinceMs ??= performance.now();
    const isLasting = performance.now() - this.#refusedSinceMs >= REFUSAL_LASTS_MS;
    const problem = isLasting ? 'KEY_SERVICE_DENIED' : 'KEY_SERVICE_LOGIN_REFUSED';
    const judged = failed(problem, `${failure.detail} to the login`);
    this.#rest(null, judged);
    return judged;
  }

  /** One that does not succeed leaves the token that there is: it may be good for a while. */
  async #renew(token: Token): Promise<void> {
    const renewed = token.isRenewable ? await this.#renewSelf(token) : null;
    if (renewed !== null) {
      this.#keep(renewed);
      return this.#observer.renewed('RENEWED');
    }
    const answer = await this.logIn();
    // Who logs in with a token and finds the same one has not prolonged it.
    const isReplaced = answer.type === 'DONE' && answer.value.token !== token.value;
    this.#observer.renewed(isReplaced ? 'LOGGED_IN' : 'FAILED');
  }

  /** Null where it was not renewed, or for so short a time that its end is near: the service limits the sum. */
  async #renewSelf(token: Token): Promise<Token | null> {
    const answer = await this.#requester.send({
      method: 'POST',
      path: 'auth/token/renew-self',
      token: token.value,
      body: {},
    });
    const renewed = answer.type === 'DONE' ? readGrant(answer.value) : null;
    if (renewed === null || (renewed.lifetimeMs ?? Infinity) < (token.lifetimeMs ?? 0) / 2) return null;
    return renewed;
  }

  #keep(token: Token): void {
    this.#token = token;
    const { lifetimeMs, issuedAtMs } = token;
    const leftMs = lifetimeMs === null ? null : issuedAtMs + lifetimeMs - performance.now();
    this.#observer.tokenEnds(leftMs === null ? null : new Date(Date.now() + leftMs));
  }

  async #askForToken(): Promise<KeyAnswer<Token>> {
    const credential = readCredential(this.#login);
    if (typeof credential !== 'string') return credential;
    const { method, mount, role } = this.#login;
    switch (method) {
      case 'token':
        return this.#lookUp(credential);
      case 'approle':
        return this.#logInAt(mount, { role_id: role, secret_id: credential });
      case 'kubernetes':
        return this.#logInAt(mount, { role, jwt: credential });
    }
  }

  async #logInAt(mount: string, body: ServiceBody): Promise<KeyAnswer<Token>> {
    const answer = await this.#requester.send({ method: 'POST', path: `auth/${mount}/login`, body });
    if (answer.type === 'FAILED') return answer;
    const token = readGrant(answer.value);
    return token === null ? NO_TOKEN : { type: 'DONE', value: token };
  }

  /** A token needs no login; that the service knows it is as much. */
  async #lookUp(value: string): Promise<KeyAnswer<Token>> {
    const path = 'auth/token/lookup-self';
    const answer = await this.#requester.send({ method: 'GET', path, token: value });
    if (answer.type === 'FAILED') return answer;
    const { ttl, renewable } = (answer.value['data'] ?? {}) as ServiceBody;
    return { type: 'DONE', value: tokenOf(value, ttl, renewable) };
  }
}

const NO_TOKEN = failed('KEY_SERVICE_UNREACHABLE', 'a login was answered without a token');

const STILL_DENIED = failed('KEY_SERVICE_DENIED', 'HTTP 403, also after a fresh login');

/** A wrong role or secret is a 400 of the login, not a 403. */
function isRefusal({ problem, detail }: KeyFailure): boolean {
  return problem === 'KEY_SERVICE_DENIED' || detail === 'HTTP 400';
}

function readCredential({ credential }: LoginSettings): string | KeyFailure {
  try {
    return credential();
  } catch {
    return failed('KEY_SERVICE_UNREACHABLE', 'the file of the credential cannot be read');
  }
}

function readGrant(body: ServiceBody): Token | null {
  const auth = (body['auth'] ?? {}) as ServiceBody;
  const { client_token: value, lease_duration: seconds, renewable } = auth;
  return typeof value === 'string' && value !== '' ? tokenOf(value, seconds, renewable) : null;
}

/** Of a token that does not end, the service says 0 seconds. */
function tokenOf(value: string, seconds: unknown, renewable: unknown): Token {
  const lifetimeMs = typeof seconds === 'number' && seconds > 0 ? seconds * 1_000 : null;
  return { value, isRenewable: renewable === true, lifetimeMs, issuedAtMs: performance.now() };
}

function isDue({ lifetimeMs, issuedAtMs }: Token): boolean {
  return lifetimeMs !== null && performance.now() - issuedAtMs > lifetimeMs * RENEW_AT_SHARE;
}
