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

export class Session {
  readonly #requester: Requester;
  readonly #login: LoginSettings;
  readonly #observer: KeyServiceObserver;
  #token: Token | null = null;

  constructor(requester: Requester, login: LoginSettings, observer: KeyServiceObserver) {
    this.#requester = requester;
    this.#login = login;
    this.#observer = observer;
  }

  /** A token that is good as far as we know; `isFresh` where it comes from a login just now. */
  async take(): Promise<KeyAnswer<{ readonly token: string; readonly isFresh: boolean }>> {
    const token = this.#token;
    if (token === null) return this.logIn();
    if (isDue(token)) await this.#renew(token);
    return { type: 'DONE', value: { token: this.#token?.value ?? token.value, isFresh: false } };
  }

  async logIn(): Promise<KeyAnswer<{ readonly token: string; readonly isFresh: true }>> {
    const answer = await this.#askForToken();
    if (answer.type === 'FAILED') return answer;
    this.#keep(answer.value);
    return { type: 'DONE', value: { token: answer.value.value, isFresh: true } };
  }

  /** One that does not succeed leaves the token that there is: it may be good for a while. */
  async #renew(token: Token): Promise<void> {
    const renewed = token.isRenewable ? await this.#renewSelf(token) : null;
    if (renewed !== null) {
      this.#keep(renewed);
      return this.#observer.renewed('RENEWED');
    }
    const { type } = await this.logIn();
    this.#observer.renewed(type === 'DONE' ? 'LOGGED_IN' : 'FAILED');
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
    if (answer.type === 'FAILED') return asDenial(answer);
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

/** A wrong role or secret is a 400 of the login, not a 403. */
function asDenial(failure: KeyFailure): KeyFailure {
  return failure.detail === 'HTTP 400' ? failed('KEY_SERVICE_DENIED', 'HTTP 400 to the login') : failure;
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
