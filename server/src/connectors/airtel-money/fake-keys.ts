// The credentials that the fake shares with an app, and the fake's RSA keys. Like Airtel, it changes its keys without
// notice: every day it uses the other pair.
import { createCipheriv, createHash, generateKeyPairSync, privateDecrypt } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import { PADDINGS } from './encryption.ts';
import { unpadJavaOaep } from './java-oaep.ts';
import type { Encryption } from './markets.ts';

const BITS = { PKCS1: 1_024, OAEP: 2_048, OAEP_MGF1_SHA1: 2_048 } as const satisfies Record<
  Encryption,
  number
>;

/** Two pairs per API version, generated once because it takes almost a second. */
const NEWER = [makePair('OAEP'), makePair('OAEP')] as const;
const PAIRS = {
  PKCS1: [makePair('PKCS1'), makePair('PKCS1')],
  OAEP: NEWER,
  OAEP_MGF1_SHA1: NEWER,
} as const;

const DAY_MS = 24 * 3_600_000;

export class FakeKeys {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * In Airtel's format: base64 without PEM lines, and a date without a time zone and with day and month open to doubt.
   */
  render(encryption: Encryption): object {
    const day = this.#day();
    const [date = '', time = ''] = new Date((day + 1) * DAY_MS).toISOString().split(/[T.]/);
    const key = this.#pair(encryption).publicKey.export({ format: 'der', type: 'spki' }).toString('base64');
    return { key_id: day, key, valid_upto: `${date.split('-').toReversed().join('-')} ${time}` };
  }

  /** Null if it was not encrypted for this key. The older padding may return garbage instead. */
  decrypt(encryption: Encryption, text: string): string | null {
    try {
      const { privateKey: key } = this.#pair(encryption);
      const plain = privateDecrypt({ key, ...PADDINGS[encryption] }, Buffer.from(text, 'base64'));
      const read = encryption === 'OAEP_MGF1_SHA1' ? unpadJavaOaep(plain) : plain;
      return read?.toString('utf8') ?? null;
    } catch {
      return null;
    }
  }

  /** Encrypts the body with the key from the header and compares the result. */
  isSignatureOf(body: string, encryption: Encryption, { signature, key }: Signature): boolean {
    const [aesKey = '', iv = ''] = (this.decrypt(encryption, key) ?? '').split(':');
    try {
      const cipher = createCipheriv('aes-256-cbc', Buffer.from(aesKey, 'base64'), Buffer.from(iv, 'base64'));
      return cipher.update(body, 'utf8', 'base64') + cipher.final('base64') === signature;
    } catch {
      return false;
    }
  }

  #pair(encryption: Encryption) {
    const [even, odd] = PAIRS[encryption];
    return this.#day() % 2 === 0 ? even : odd;
  }

  #day(): number {
    return Math.floor(this.#clock.now().getTime() / DAY_MS);
  }
}

type Signature = { readonly signature: string; readonly key: string };

function makePair(encryption: Encryption) {
  return generateKeyPairSync('rsa', { modulusLength: BITS[encryption] });
}

/** Derived and not secret: they only protect a fake. */
export function secretsOf(provider: string) {
  const secretOf = (name: string) => createHash('sha256').update(`${provider} ${name}`).digest('hex');
  return {
    clientId: secretOf('client').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5'),
    clientSecret: secretOf('secret').slice(0, 36),
    pin: String(Number.parseInt(secretOf('pin').slice(0, 12), 16))
      .padEnd(8, '7')
      .slice(0, 8),
    callbackKey: secretOf('callback').slice(0, 32),
  };
}
