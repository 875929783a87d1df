// What the rooms above are given: the database of one cell, its keys and its bell.
import type { Database } from './database.ts';
import type { Bell } from './bell.ts';
import type { PaymentReader } from './payment-reader.ts';
import type { Keyring } from './sealing.ts';

export type Store = {
  readonly database: Database;
  readonly keyring: Keyring;
  readonly bell: Bell;
  readonly reader: PaymentReader;
};
