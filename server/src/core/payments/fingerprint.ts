import type { StorePart } from '../engine.ts';

/** Of a request as accepted: equal for equal requests. Keyed, because it is made of personal data. */
export function fingerprintOf(engine: StorePart, merchantId: string, asked: object): Buffer {
  return engine.store.keyring.searchHash(merchantId, textOf(asked));
}

/** All that an equal request may have been given, also under older search keys; the one of today first. */
export function fingerprintsOf(engine: StorePart, merchantId: string, asked: object): readonly Buffer[] {
  return engine.store.keyring.searchHashes(merchantId, textOf(asked));
}

function textOf(asked: object): string {
  return JSON.stringify(asked, (_name, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  );
}
