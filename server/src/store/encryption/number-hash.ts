// The keyed hash of a phone number: the same for every merchant and in every cell.
import { PLATFORM, type Keyring } from './encryption.ts';

/** Under every search key that may have hashed it; the one of today first. */
export function numberHashes(
  keyring: Keyring,
  phoneNumber: string,
): readonly [Buffer, ...(readonly Buffer[])] {
  const value = `numbers/${phoneNumber}`;
  return [keyring.searchHash(PLATFORM, value), ...keyring.olderSearchHashes(PLATFORM, value)];
}
