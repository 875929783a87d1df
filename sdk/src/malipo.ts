// The client of one gateway and one account.
import type {
  Deposit,
  DepositRequest,
  ListedRemittance,
  NextStep,
  Payout,
  PayoutRequest,
  Refund,
  RefundRequest,
  Remittance,
  RemittanceRequest,
} from './api.ts';
import { Checkouts } from './checkouts.ts';
import { Connection } from './connection.ts';
import { Events } from './events.ts';
import { createMemoryJournal, type Journal, type JournalEntry } from './journal.ts';
import { CHECKOUT, DEPOSIT, PAYOUT, REFUND, REMITTANCE, SPLIT_PAYMENT, STATEMENT } from './kind.ts';
import { PaymentPages } from './payment-pages.ts';
import type { SigningOptions } from './request-signer.ts';
import { AnnouncedResource, CancellableResource, ListedResource } from './resource.ts';
import { SplitPayments } from './split-payments.ts';
import { Statements } from './statements.ts';
import { PublicKeyList, Toolkit, Wallets } from './toolkit.ts';

export type MalipoOptions = {
  /** The address of the gateway, without /v2. */
  readonly baseUrl: string;
  readonly token: string;
  /** Stores identifiers before sending; default: in memory. */
  readonly journal?: Journal;
  /** For accounts that require signed requests. */
  readonly signing?: SigningOptions;
  readonly fetch?: typeof fetch;
  /** The time-out of one request; default: 30 seconds. */
  readonly timeoutMs?: number;
  /** How long to ask and send again after a problem; default: one minute. */
  readonly retryForMs?: number;
};

/** Ten times a slow answer; after that it is better to ask for the outcome. */
const TIMEOUT_MS = 30_000;
const RETRY_FOR_MS = 60_000;

/**
 * The client of one gateway and one account. It runs in Node 22.12 and newer and in browsers; a token belongs on
 * a server, though.
 *
 * @example
 * ```ts
 * import { Malipo } from '@malipo/sdk';
 *
 * const { BASE = 'http://127.0.0.1:8080', TOKEN = '' } = process.env;
 * const malipo = new Malipo({ baseUrl: BASE, token: TOKEN });
 * const { id } = await malipo.deposits.create({
 *   amount: '100',
 *   currency: 'RWF',
 *   payer: { type: 'MMO', accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' } },
 * });
 * const deposit = await malipo.deposits.waitForFinal(id);
 * if (deposit.paid) console.log('paid'); // paid
 * ```
 */
export class Malipo {
  readonly deposits: AnnouncedResource<DepositRequest, Deposit, { readonly nextStep?: NextStep }>;
  readonly payouts: ListedResource<PayoutRequest, Payout>;
  readonly refunds: CancellableResource<RefundRequest, Refund>;
  /**
   * Payouts that say who sends the money, and why.
   *
   * @example
   * ```ts
   * const started = await malipo.remittances.create({
   *   amount: '100',
   *   currency: 'RWF',
   *   recipient: {
   *     type: 'MMO',
   *     accountDetails: { provider: 'MTN_MOMO_RWA', phoneNumber: '250783456789' },
   *     recipientDetails: { firstName: 'Eric', lastName: 'Uwase' },
   *   },
   *   sender: {
   *     transactionDetails: {
   *       transactionReference: 'TX-1',
   *       originalAmount: '12.50',
   *       originalCurrency: 'EUR',
   *       buyFxRate: '0.00061',
   *       senderFees: '0',
   *       purposeOfFunds: 'FAMILY_SUPPORT',
   *       sourceOfFunds: 'SALARY',
   *     },
   *     senderDetails: {
   *       firstName: 'Aline',
   *       lastName: 'Uwase',
   *       nationality: 'RWA',
   *       phoneNumber: '32470123456',
   *       address: { addressLine: 'Rue Neuve 1', postalCode: '1000', city: 'Brussels', country: 'BEL' },
   *       identification: { type: 'PASSPORT', number: 'PC123456' },
   *     },
   *   },
   * });
   * console.log(started.outcome); // accepted
   * ```
   */
  readonly remittances: ListedResource<RemittanceRequest, Remittance, ListedRemittance>;
  readonly splitPayments: SplitPayments;
  readonly checkouts: Checkouts;
  readonly paymentPages: PaymentPages;
  readonly statements: Statements;
  readonly events: Events;
  readonly wallets: Wallets;
  readonly toolkit: Toolkit;
  readonly publicKeys: PublicKeyList;
  readonly #journal: Journal;

  constructor(options: MalipoOptions) {
    const { journal = createMemoryJournal(), retryForMs = RETRY_FOR_MS } = options;
    const { baseUrl, token, signing, timeoutMs = TIMEOUT_MS } = options;
    const send: typeof fetch = options.fetch ?? ((...request) => fetch(...request));
    const connection = new Connection({ baseUrl, token, signing, timeoutMs, fetch: send });
    const parts = { connection, journal, retryForMs };
    this.deposits = new AnnouncedResource(parts, DEPOSIT);
    this.payouts = new ListedResource(parts, PAYOUT);
    this.refunds = new CancellableResource(parts, REFUND);
    this.remittances = new ListedResource(parts, REMITTANCE);
    this.splitPayments = new SplitPayments(parts, SPLIT_PAYMENT);
    this.checkouts = new Checkouts(parts, CHECKOUT);
    this.paymentPages = new PaymentPages(parts);
    this.statements = new Statements(parts, STATEMENT);
    this.events = new Events(parts);
    this.wallets = new Wallets(parts);
    this.toolkit = new Toolkit(parts);
    this.publicKeys = new PublicKeyList(parts);
    this.#journal = journal;
  }

  /**
   * Requests in the journal whose outcome is not known. Ask for each before you send another.
   *
   * @example
   * ```ts
   * for (const { kind, id, clientReferenceId } of await malipo.unsettled()) {
   *   if (kind === 'payout') console.log(clientReferenceId, (await malipo.payouts.get(id)).found);
   * }
   * ```
   */
  async unsettled(): Promise<readonly JournalEntry[]> {
    return this.#journal.unsettled();
  }
}
