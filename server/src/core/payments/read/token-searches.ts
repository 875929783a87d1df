// Searches by phone number through the API. A search tells whose payments these are, so it is recorded who asked and
// when. Of the number only the last digits are: entries cannot be erased, nor hashed again under another key.
import { maskPhoneNumber } from '../../../domain/masking.ts';
import type { ProcessTime } from '../../../domain/clock.ts';
import { insertAuditEntryOnce } from '../../../store/audit.ts';
import type { TimedStore } from '../../engine.ts';
import { inTimedTransaction } from '../../timed-transaction.ts';

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
    const masked = maskPhoneNumber(phoneNumber);
    const nameAt = (time: ProcessTime) =>
      `PHONE_NUMBER_SEARCHED/${tokenId}/${masked}/${Math.floor(time.getTime() / HOUR_MS)}`;
    const remembered = nameAt(this.#engine.clock.now());
    if (this.#recorded.has(remembered)) return;
    await inTimedTransaction(this.#engine, (tx, at) =>
      insertAuditEntryOnce(tx, nameAt(at), {
        at,
        actor: `API token ${tokenId}`,
        act: 'PHONE_NUMBER_SEARCHED',
        merchantId,
        subject: merchantId,
        detail: { phoneNumber: masked },
      }),
    );
    if (this.#recorded.size >= REMEMBERED_MAX) this.#recorded.clear();
    this.#recorded.add(remembered);
  }
}
