// Airtel's public keys, fetched when needed and cached in each process. They are not secret.
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../../domain/clock.ts';
import type { CallResult } from '../call.ts';
import { parseObject, isObject, textOf } from '../json.ts';
import type { Account } from '../operator.ts';
import { parsePublicKey } from './encryption.ts';

/**
 * Airtel sends an expiry date without a time zone, and day and month can be confused. So a key is fetched again after
 * this time, and at once when Airtel refuses something encrypted with it.
 */
const KEPT_MS = 10 * 60_000;

export type TakenKey =
  | {
      readonly key: KeyObject;
      /** True if the key came from the cache: Airtel may have changed it since. */
      readonly isKept: boolean;
    }
  | { readonly error: string };

export type EncryptionKeys = {
  readonly take: (account: Account, ask: () => Promise<CallResult>) => Promise<TakenKey>;
  /** Drops the cached key after Airtel refused something encrypted with it. */
  readonly forget: (account: Account) => void;
};

export function createEncryptionKeys(clock: Clock): EncryptionKeys {
  const kept = new Map<string, { readonly asked: Promise<Asked>; readonly untilMs: number }>();
  return {
    take: async (account, ask) => {
      const given = account.values['publicKey'];
      if (given !== undefined) return { isKept: false, ...readKey(given) };
      const nowMs = clock.now().getTime();
      const held = kept.get(account.name);
      if (held !== undefined && nowMs < held.untilMs) return { isKept: true, ...(await held.asked) };
      const asked = ask().then(parseKeyAnswer);
      kept.set(account.name, { asked, untilMs: nowMs + KEPT_MS });
      const answer = await asked;
      if ('error' in answer) kept.delete(account.name);
      return { isKept: false, ...answer };
    },
    forget: (account) => void kept.delete(account.name),
  };
}

type Asked = { readonly key: KeyObject } | { readonly error: string };

function parseKeyAnswer(result: CallResult): Asked {
  if (result.type === 'SILENCE') return { error: result.error };
  const data = result.httpStatus === 200 ? parseObject(result.text)?.['data'] : undefined;
  const text = isObject(data) ? textOf(data['key']) : undefined;
  return text === undefined ? { error: `NO_KEY_HTTP_${result.httpStatus}` } : readKey(text);
}

function readKey(text: string): Asked {
  const key = parsePublicKey(text);
  return key === null ? { error: 'KEY_UNREADABLE' } : { key };
}
