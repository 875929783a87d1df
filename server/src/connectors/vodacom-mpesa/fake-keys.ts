// The fake's accounts, a real key pair, and sessions with the operator's behaviour.
import { constants, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { FakeCall, FakeContext } from '../../sandbox/fakes/kit.ts';
import { FakeTokens } from '../../sandbox/fakes/tokens.ts';
import { vodacomMpesa } from './connector.ts';
import { marketOf } from './markets.ts';

const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });

/** A new session is refused for this long; the operator takes 30 seconds. */
export const WARM_UP_MS = 30;

/** Derived and not secret: they only protect a fake. */
export function keyOf(provider: string, name: string): string {
  return createHash('sha256').update(`${provider} ${name}`).digest('hex').slice(0, 32);
}

export type Holder = {
  readonly provider: string;
  readonly apiKey: string;
  readonly serviceProviderCode: string;
  readonly origin: string;
  readonly initiatorIdentifier: string;
  readonly securityCredential: string;
};

export const HOLDERS: readonly Holder[] = vodacomMpesa.providers.map(holderOf);

function holderOf(provider: string): Holder {
  return {
    provider,
    apiKey: keyOf(provider, 'key'),
    serviceProviderCode: keyOf(provider, 'short code').slice(0, 6).toUpperCase(),
    origin: 'gateway.example',
    initiatorIdentifier: keyOf(provider, 'initiator').slice(0, 10),
    securityCredential: keyOf(provider, 'credential'),
  };
}

export function accountOf({ url, settings }: FakeContext, provider: string) {
  const { provider: _provider, ...keys } = holderOf(provider);
  const isOlder = marketOf(provider).form === 'OLDER';
  return {
    ...keys,
    baseUrl: isOlder ? url : `${url}/openapi`,
    publicKey: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sessionLifetimeSeconds: String(settings.tokenLifetimeSeconds),
    sessionWarmUpSeconds: String((2 * WARM_UP_MS) / 1_000),
  };
}

/** Decrypts the bearer of a call with the private key. */
export function readBearer({ headers }: FakeCall): string {
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  try {
    const padding = constants.RSA_PKCS1_PADDING;
    return privateDecrypt({ key: privateKey, padding }, Buffer.from(bearer, 'base64')).toString('utf8');
  } catch {
    return '';
  }
}

export class Sessions {
  readonly #context: FakeContext;
  readonly #tokens: FakeTokens<Holder>;
  readonly #warmUpMs: number;
  readonly #validFrom = new Map<string, number>();

  constructor(context: FakeContext, warmUpMs: number) {
    this.#context = context;
    this.#warmUpMs = warmUpMs;
    this.#tokens = new FakeTokens<Holder>(context.clock);
  }

  open(holder: Holder): string {
    const session = this.#tokens.issue(holder, this.#context.settings.tokenLifetimeSeconds);
    this.#validFrom.set(session, performance.now() + this.#warmUpMs);
    return session;
  }

  isValid(session: string, holder: Holder): boolean {
    const validFrom = this.#validFrom.get(session) ?? Infinity;
    return validFrom <= performance.now() && this.#tokens.holderOf(`Bearer ${session}`) === holder;
  }
}
