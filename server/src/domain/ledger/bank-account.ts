// The bank account that a merchant's money is settled to.

export type BankAccount = {
  readonly bank: string;
  /** The name that the account is held under. */
  readonly holder: string;
  /** Letters and digits: an IBAN, or what the bank uses. */
  readonly number: string;
};

/** The canonical form: people copy numbers with spaces and hyphens. Null if it is invalid. */
export function parseAccountNumber(text: string): string | null {
  const number = text.replaceAll(/[\s-]/g, '').toUpperCase();
  return /^[A-Z0-9]{5,34}$/.test(number) ? number : null;
}

/** The longest cooling-off that can be set. */
export const BANK_COOLING_OFF_HOURS_MAX = 720;

/** How a request for settlement is decided. */
export const SETTLEMENT_DECISIONS = ['PAID', 'REJECTED'] as const;
export type SettlementDecision = (typeof SETTLEMENT_DECISIONS)[number];
export type SettlementStatus = 'REQUESTED' | SettlementDecision;

/** What keeps a merchant's money from being paid to its bank, also money that was reserved before. */
export const SETTLEMENT_STOPS = ['RECOVERING', 'SUSPENDED', 'FROZEN', 'WALLET_OWES'] as const;
export type SettlementStop = (typeof SETTLEMENT_STOPS)[number];
