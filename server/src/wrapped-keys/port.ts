// The port to a service that wraps encryption keys. The key that wraps them never leaves the service; a process that
// the service grants access to has the encryption keys unwrapped, and holds them in memory.

/** Why the service does not unwrap keys now. */
export type KeyProblem =
  /** No answer, or none of the service's own. */
  | 'KEY_SERVICE_UNREACHABLE'
  | 'KEY_SERVICE_SEALED'
  /** It does not let us in. That may be because the Kubernetes API is out of reach, so keys that are held stay. */
  | 'KEY_SERVICE_LOGIN_REFUSED'
  /** It says no to the token of a fresh login, or has refused logins for long. */
  | 'KEY_SERVICE_DENIED'
  /** It lets us in and cannot do it: there is no such key, or its version may not be used any more. */
  | 'KEY_SERVICE_REFUSED';

export type KeyFailure = {
  readonly type: 'FAILED';
  readonly problem: KeyProblem;
  /** Words of ours, for a log: what the service says can repeat a secret. */
  readonly detail: string;
};

export type KeyAnswer<Value> = { readonly type: 'DONE'; readonly value: Value } | KeyFailure;

export type KeyService = {
  readonly wrap: (key: Buffer) => Promise<KeyAnswer<string>>;
  readonly unwrap: (wrapped: string) => Promise<KeyAnswer<Buffer>>;
  /** The same key, wrapped by the newest version of the key that wraps. */
  readonly rewrap: (wrapped: string) => Promise<KeyAnswer<string>>;
  readonly close: () => Promise<void>;
};

/** What a process may know of its keys without having them. */
export type KeyAccess = {
  /** Why this process must not serve now. Null: it has its keys. */
  readonly problem: () => KeyProblem | null;
  /** Also for a while after a denial: operators report the outcomes of calls already made. */
  readonly mayHearOperators: () => boolean;
};

/** How the token of the service was prolonged: the same one, a new one, or not at all. */
export type RenewalResult = 'RENEWED' | 'LOGGED_IN' | 'FAILED';

/** What is measured, in words of ours. */
export type KeyServiceObserver = {
  readonly asked: (result: 'GRANTED' | KeyProblem) => void;
  readonly held: (areKeysHeld: boolean) => void;
  readonly renewed: (result: RenewalResult) => void;
  /** When the token ends, in real time. Null: never. */
  readonly tokenEnds: (at: Date | null) => void;
};

export function failed(problem: KeyProblem, detail: string): KeyFailure {
  return { type: 'FAILED', problem, detail };
}
