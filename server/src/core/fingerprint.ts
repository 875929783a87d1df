import type { Engine } from './engine.ts';

/** Of a request as accepted: equal for equal requests. Keyed, because it is made of personal data. */
export function fingerprintOf(engine: Engine, merchantId: string, asked: object): Buffer {
  const text = JSON.stringify(asked, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
  return engine.store.keyring.searchHash(merchantId, text);
}
