// Everything a payer reads, in each language. Short sentences, the words that operators use, and always what to do.
import { groupsFromRight } from '../../../domain/shown-amount.ts';
import type { PaymentFailureCode } from '../../../domain/failure.ts';
import type { Language } from '../../../domain/checkouts/page-terms.ts';
import { ENGLISH } from './words-en.ts';
import { FRENCH } from './words-fr.ts';

/** What went wrong and what the payer can do about it. */
export type Explanation = readonly [what: string, next: string];

export type Words = {
  readonly languageName: string;
  readonly chooseLanguage: string;
  readonly payTo: (merchant: string) => string;
  readonly forReason: string;
  readonly amount: string;
  readonly total: string;
  readonly country: string;
  readonly chooseCountry: string;
  readonly change: string;
  readonly continue: string;
  readonly phone: string;
  readonly phoneHint: (digits: string, prefix: string) => string;
  readonly enterAmount: (currency: string) => string;
  readonly limits: (min: string, max: string) => string;
  readonly noDecimals: string;
  readonly twoDecimals: string;
  readonly provider: string;
  readonly providerHint: string;
  readonly review: string;
  readonly to: string;
  readonly from: string;
  readonly prompted: (merchant: string) => string;
  readonly pay: (amount: string) => string;
  readonly code: string;
  readonly codeHint: string;
  readonly trouble: (provider: string) => string;
  readonly allTrouble: string;
  readonly inTrouble: string;
  readonly cancel: string;
  readonly cancelled: string;
  readonly cancelledNext: string;
  readonly timeLeft: string;
  readonly checkPhone: string;
  readonly promptSent: (amount: string, merchant: string, phone: string) => string;
  readonly manualPrompt: (provider: string) => string;
  readonly noPrompt: string;
  readonly dialNow: string;
  readonly redirecting: (provider: string) => string;
  readonly goTo: (provider: string) => string;
  readonly confirming: (provider: string) => string;
  readonly uncertain: Explanation;
  readonly updates: string;
  readonly reload: string;
  readonly paid: string;
  readonly paidTo: (amount: string, merchant: string) => string;
  readonly reference: string;
  readonly returning: (merchant: string) => string;
  readonly returnTo: (merchant: string) => string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly askAgain: (merchant: string) => string;
  readonly expired: string;
  readonly expiredNext: (merchant: string) => string;
  readonly unknownPage: Explanation;
  readonly notServed: Explanation;
  readonly noOffer: (merchant: string) => string;
  readonly noProvider: (merchant: string) => string;
  readonly askShop: string;
  readonly notTaken: (merchant: string, provider: string) => string;
  readonly otherProvider: (provider: string) => string;
  readonly problem: string;
  readonly problems: {
    readonly phone: (country: string) => string;
    readonly amount: string;
    readonly bounds: (provider: string, min: string, max: string) => string;
    readonly decimals: (provider: string) => string;
    readonly provider: string;
    readonly code: string;
    readonly unavailable: (provider: string) => string;
    readonly form: string;
    readonly prompts: string;
    readonly unknown: string;
  };
  readonly failures: Readonly<Partial<Record<PaymentFailureCode, Explanation>>> & {
    readonly UNSPECIFIED_FAILURE: Explanation;
  };
  /** Between groups of three digits, and before decimals. */
  readonly separators: readonly [thousands: string, decimals: string];
};

export const WORDS: Readonly<Record<Language, Words>> = { en: ENGLISH, fr: FRENCH };

/** An amount as people read it: "2,000,000 RWF". */
export function renderMoney(amountText: string, currency: string, { separators }: Words): string {
  const [whole = '', fraction] = amountText.split('.');
  const [thousands, decimals] = separators;
  const grouped = groupsFromRight(whole, 3).join(thousands);
  return `${grouped}${fraction === undefined ? '' : `${decimals}${fraction}`}\u00A0${currency}`;
}

/** A whole number, grouped so that its payer can check it: "+250 783 456 201". */
export function renderPhone(phoneNumber: string, prefix: string): string {
  const national = phoneNumber.slice(prefix.length);
  return [`+${prefix}`, ...nationalGroups(national)].join('\u00A0');
}

/** In threes where that comes out even; otherwise in twos, with three digits first where their number is odd. */
function nationalGroups(digits: string): readonly string[] {
  if (digits.length % 3 === 0) return groupsFromRight(digits, 3);
  if (digits.length < 3 || digits.length % 2 === 0) return groupsFromRight(digits, 2);
  return [digits.slice(0, 3), ...groupsFromRight(digits.slice(3), 2)];
}

/** A number that others may look at: only its country and its last digits. */
export function maskPhone(phoneNumber: string): string {
  return `+${phoneNumber.slice(0, 3)}\u00A0••••\u00A0${phoneNumber.slice(-3)}`;
}
