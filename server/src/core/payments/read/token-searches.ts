// Searches by phone number through the API. A search tells whose payments these are, so it is recorded who asked and
// when. Of the number only the last digits are: entries cannot be erased, nor hashed again under another key.
import { maskPhoneNumber } from '../../../domain/masking.ts';
import { insertAuditEntryOnce } from '../../../store/audit.ts';
import type { TimedStore } from '../../engine.ts';

type TokenSearch = {
  readonly merchantId: string;
  readonly tokenId: string;
  readonly phoneNumber: string;
};

const HOUR_MS = 3_600_000;
/** An entry that is forgotten here is tried again, and not written again. */
const REMEMBERED_MAX = 10_000;

/** One entry for each token, masked number and hour: programs search far more often than people. */
export class TokenSearches {
  readonly #engine: TimedStore;
  readonly #recorded = new Set<string>();

  constructor(engine: TimedStore) {
    this.#engine = engine;
  }

  async record({ merchantId, tokenId, phoneNumber }: TokenSearch): Promise<void> {
    const { clock, store } = this.#engine;
    const at = clock.now();
    const masked = maskPhoneNumber(phoneNumber);
    const name = `PHONE_NUMBER_SEARCHED/${tokenId}/${masked}/${Math.floor(at.getTime() / HOUR_MS)}`;
    if (this.#recorded.has(name)) return;
    await insertAuditEntryOnce(store.database, name, {
      at,
      actor: `API token ${tokenId}`,
      act: 'PHONE_NUMBER_SEARCHED',
      merchantId,
      subject: merchantId,
      detail: { phoneNumber: masked },
    });
    if (this.#recorded.size >= REMEMBERED_MAX) this.#recorded.clear();
    this.#recorded.add(name);
  }
}
