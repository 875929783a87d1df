// What the layers above are given: the database of one cell, its keys and its wake-up notifier.
import type { Database } from './database.ts';
import type { WakeupNotifier } from './wake-ups.ts';
import type { PaymentReader } from './payments/payment-reader.ts';
import type { Keyring } from './encryption/encryption.ts';

export type Store = {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly wakeupNotifier: WakeupNotifier;
  readonly reader: PaymentReader;
};
