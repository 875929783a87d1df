// The main entry of `@malipo/sdk`. Callbacks, the file journal and the test kit are separate entries.
export type * from './api.ts';
export type { CheckoutAddress } from './checkouts.ts';
export type { EventsPage, ReadEventsOptions } from './events.ts';
export { createMemoryJournal, type Journal, type JournalEntry } from './journal.ts';
export { Malipo, type MalipoOptions } from './malipo.ts';
export { MalipoError, type ErrorCode } from './malipo-error.ts';
export type { Acted, Final, Found, Rejected, Started, Still, Unknown } from './outcome.ts';
export type { PageOpened } from './payment-pages.ts';
export type { SigningOptions } from './request-signer.ts';
export type { PrivateKey, SignatureAlgorithm } from './signing-key.ts';
export type { StatementRequested } from './statements.ts';
export type { Prediction } from './toolkit.ts';
export type { WaitOptions } from './wait-for-final.ts';
