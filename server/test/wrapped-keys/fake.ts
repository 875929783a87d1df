// A fake of Vault and OpenBao, as far as the gateway uses them: the Transit engine, tokens, and the logins by AppRole
// and Kubernetes. Paths, envelopes, statuses and texts of errors are those of the services' API documents.
import { createCipheriv, createDecipheriv, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { listen } from '../../src/sandbox/fakes/listen.ts';
import { readText, send, type Answer } from '../../src/sandbox/fakes/answer.ts';

export type KeyServiceFake = {
  readonly url: string;
  /** Every request that was answered: "POST transit/decrypt/malipo 200". */
  readonly requests: readonly string[];
  /** A token that may use the engine, as an administrator issues it. */
  readonly issueToken: (token?: Partial<TokenTerms>) => string;
  /** Tokens of logins are good for so long, and can be renewed up to the sum. */
  readonly setTerms: (terms: Partial<TokenTerms>) => void;
  readonly encrypt: (plain: Buffer) => string;
  readonly rotate: () => void;
  readonly setMinDecryptionVersion: (version: number) => void;
  readonly seal: () => void;
  readonly unseal: () => void;
  /** No policy allows the engine any more; logins go on. */
  readonly deny: () => void;
  readonly allow: () => void;
  readonly revokeTokens: () => void;
  /** The secret_id of the AppRole and the service account are not accepted any more. */
  readonly refuseLogins: () => void;
  readonly acceptLogins: () => void;
  /** Connections are refused. */
  readonly goAway: () => Promise<void>;
  readonly comeBack: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

export type TokenTerms = {
  /** 0: it does not end. */
  readonly ttlSeconds: number;
  readonly maxTtlSeconds: number;
  readonly isRenewable: boolean;
};

export const FAKE_KEY_NAME = 'malipo';
export const FAKE_ROLE_ID = '59d6d1ca-47bb-4e7e-a40b-8be3bc5a0ba8';
export const FAKE_SECRET_ID = '84896a0c-1347-aa90-a4f6-aca8b7558780';
export const FAKE_ROLE = 'malipo';
export const FAKE_JWT = 'eyJhbGciOiJSUzI1NiJ9.e30.c2lnbmF0dXJl';

type Token = TokenTerms & { readonly issuedAt: number; endsAt: number };

type State = {
  isSealed: boolean;
  isAllowed: boolean;
  areLoginsAccepted: boolean;
  terms: TokenTerms;
  minDecryptionVersion: number;
  readonly versions: Buffer[];
  readonly tokens: Map<string, Token>;
  readonly requests: string[];
};

type Body = Readonly<Record<string, unknown>>;

export async function startKeyServiceFake(): Promise<KeyServiceFake> {
  const state: State = {
    isSealed: false,
    isAllowed: true,
    areLoginsAccepted: true,
    terms: { ttlSeconds: 3_600, maxTtlSeconds: 86_400, isRenewable: true },
    minDecryptionVersion: 1,
    versions: [randomBytes(32)],
    tokens: new Map(),
    requests: [],
  };
  const open = (): Server => createServer((request, response) => void answer(state, request, response));
  let server = open();
  const port = await listen(server, { host: '127.0.0.1', port: 0 });
  const close = async () => {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  };
  return {
    url: `http://127.0.0.1:${port}`,
    requests: state.requests,
    issueToken: (terms) => issue(state, { ...state.terms, ...terms }),
    setTerms: (terms) => void (state.terms = { ...state.terms, ...terms }),
    encrypt: (plain) => encrypt(state, plain),
    rotate: () => void state.versions.push(randomBytes(32)),
    setMinDecryptionVersion: (version) => void (state.minDecryptionVersion = version),
    seal: () => void (state.isSealed = true),
    unseal: () => void (state.isSealed = false),
    deny: () => void (state.isAllowed = false),
    allow: () => void (state.isAllowed = true),
    revokeTokens: () => state.tokens.clear(),
    refuseLogins: () => void (state.areLoginsAccepted = false),
    acceptLogins: () => void (state.areLoginsAccepted = true),
    goAway: close,
    comeBack: async () => {
      server = open();
      await listen(server, { host: '127.0.0.1', port });
    },
    stop: close,
  };
}

async function answer(state: State, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = (request.url ?? '').replace(/^\/v1\//, '');
  // The services take PUT for POST.
  const method = request.method === 'PUT' ? 'POST' : (request.method ?? '');
  const text = (await readText(request)) ?? '';
  const token = String(request.headers['x-vault-token'] ?? '');
  const answered = route(state, { method, path, token, body: parse(text) });
  state.requests.push(`${method} ${path} ${answered.status}`);
  send(response, answered);
}

type Call = { readonly method: string; readonly path: string; readonly token: string; readonly body: Body };

function route(state: State, { method, path, token: value, body }: Call): Answer {
  if (state.isSealed) return errors(503, 'Vault is sealed');
  if (path === 'auth/approle/login') return logInByRole(state, body);
  if (path === 'auth/kubernetes/login') return logInByAccount(state, body);
  const token = state.tokens.get(value);
  if (token === undefined || hasEnded(token))
    return errors(403, '2 errors occurred:\n\t* permission denied\n\t* invalid token\n\n');
  if (path === 'auth/token/lookup-self' && method === 'GET') return lookUp(value, token);
  if (path === 'auth/token/renew-self' && method === 'POST') return renew(value, token);
  const [mount = '', action = '', name = ''] = path.split('/');
  if (!state.isAllowed || mount !== 'transit')
    return errors(403, '1 error occurred:\n\t* permission denied\n\n');
  if (method !== 'POST') return errors(405, '1 error occurred:\n\t* unsupported operation\n\n');
  if (name !== FAKE_KEY_NAME) return errors(400, 'encryption key not found');
  return useKey(state, action, body);
}

function useKey(state: State, action: string, body: Body): Answer {
  const { plaintext, ciphertext } = body;
  switch (action) {
    case 'encrypt':
      return success({
        data: {
          ciphertext: encrypt(state, Buffer.from(String(plaintext), 'base64')),
          key_version: state.versions.length,
        },
      });
    case 'decrypt': {
      const plain = decrypt(state, String(ciphertext));
      return typeof plain === 'string'
        ? errors(400, plain)
        : success({ data: { plaintext: plain.toString('base64') } });
    }
    case 'rewrap': {
      const plain = decrypt(state, String(ciphertext));
      return typeof plain === 'string'
        ? errors(400, plain)
        : success({ data: { ciphertext: encrypt(state, plain), key_version: state.versions.length } });
    }
    default:
      return errors(404, '1 error occurred:\n\t* unsupported path\n\n');
  }
}

/** Wrong credentials are a 400 here. */
function logInByRole(state: State, { role_id: roleId, secret_id: secretId }: Body): Answer {
  const isRight = roleId === FAKE_ROLE_ID && secretId === FAKE_SECRET_ID && state.areLoginsAccepted;
  return isRight ? grant(state) : errors(400, 'invalid role or secret ID');
}

/** And here a wrong role is a 400, a wrong service account a 403. */
function logInByAccount(state: State, { role, jwt }: Body): Answer {
  if (role !== FAKE_ROLE) return errors(400, `invalid role name "${String(role)}"`);
  return jwt === FAKE_JWT && state.areLoginsAccepted ? grant(state) : errors(403, 'permission denied');
}

function grant(state: State): Answer {
  return success({
    auth: authOf(issue(state, state.terms), state.terms.ttlSeconds, state.terms.isRenewable),
  });
}

function issue(state: State, terms: TokenTerms): string {
  const value = `hvs.${randomBytes(18).toString('base64url')}`;
  const issuedAt = Date.now();
  const endsAt = terms.ttlSeconds === 0 ? Infinity : issuedAt + terms.ttlSeconds * 1_000;
  state.tokens.set(value, { ...terms, issuedAt, endsAt });
  return value;
}

function lookUp(id: string, token: Token): Answer {
  const ttl = token.ttlSeconds === 0 ? 0 : Math.ceil((token.endsAt - Date.now()) / 1_000);
  return success({ data: { id, ttl, renewable: token.isRenewable, num_uses: 0, policies: ['default'] } });
}

/** Never beyond the longest time that the service allows. */
function renew(value: string, token: Token): Answer {
  if (!token.isRenewable) return errors(400, 'lease is not renewable');
  const lastAt = token.issuedAt + token.maxTtlSeconds * 1_000;
  token.endsAt = Math.min(Date.now() + token.ttlSeconds * 1_000, lastAt);
  return success({ auth: authOf(value, Math.max(0, Math.round((token.endsAt - Date.now()) / 1_000)), true) });
}

function authOf(clientToken: string, leaseSeconds: number, renewable: boolean): Body {
  return {
    client_token: clientToken,
    accessor: randomUUID(),
    policies: ['default', 'malipo'],
    metadata: null,
    lease_duration: leaseSeconds,
    renewable,
  };
}

function hasEnded({ endsAt }: Token): boolean {
  return Date.now() >= endsAt;
}

function encrypt({ versions }: State, plain: Buffer): string {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', versions.at(-1) ?? Buffer.alloc(32), nonce);
  const bytes = Buffer.concat([nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
  return `vault:v${versions.length}:${bytes.toString('base64')}`;
}

/** Answers the bytes, or the text of the error. */
function decrypt({ versions, minDecryptionVersion }: State, ciphertext: string): Buffer | string {
  const [, version = '', text = ''] = /^vault:v(\d+):(.+)$/.exec(ciphertext) ?? [];
  const key = versions[Number(version) - 1];
  if (text === '' || key === undefined) return 'invalid ciphertext: no prefix';
  if (Number(version) < minDecryptionVersion)
    return 'ciphertext or signature version is disallowed by policy (too old)';
  const bytes = Buffer.from(text, 'base64');
  if (bytes.length < 28) return 'invalid ciphertext: too short';
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12), { authTagLength: 16 });
  decipher.setAuthTag(bytes.subarray(-16));
  try {
    return Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]);
  } catch {
    return 'cipher: message authentication failed';
  }
}

/** The envelope of every success. */
function success(parts: Body): Answer {
  const json = {
    request_id: randomUUID(),
    lease_id: '',
    renewable: false,
    lease_duration: 0,
    data: null,
    wrap_info: null,
    warnings: null,
    auth: null,
    ...parts,
  };
  return { status: 200, json };
}

function errors(status: number, text: string): Answer {
  return { status, json: { errors: [text] } };
}

function parse(text: string): Body {
  try {
    return text === '' ? {} : (JSON.parse(text) as Body);
  } catch {
    return {};
  }
}
