// What a language must have for everything a payer reads: short sentences, the words that operators use, and always
// what to do. Each language is a file in languages/.
import {
  fillTemplate,
  type InstructionChannel,
  type StepName,
} from '../../../domain/checkouts/instructions.ts';
import type { PaymentFailureCode } from '../../../domain/failure.ts';
import type { CountryFacts } from '../../../domain/operators/catalogue.ts';
import { groupsFromRight } from '../../../domain/shown-amount.ts';

/** What went wrong and what the payer can do about it. */
export type Explanation = readonly [what: string, next: string];

export type Words = {
  readonly languageName: string;
  /** By which Intl names countries. */
  readonly locale: string;
  readonly chooseLanguage: string;
  /** What stands between a label and its value, before the space. */
  readonly colon: string;
  readonly testMode: string;
  readonly payTo: (merchant: string) => string;
  readonly forReason: string;
  readonly country: string;
  readonly chooseCountry: string;
  readonly change: string;
  readonly otherNumber: string;
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
  readonly from: string;
  readonly prompted: (merchant: string) => string;
  readonly pay: (amount: string) => string;
  /** Where the amount follows from what is chosen. */
  readonly payNow: string;
  readonly code: string;
  readonly codeHint: string;
  readonly trouble: (provider: string) => string;
  /** Where the payer's own provider has it, and another would not do. */
  readonly ownTrouble: (provider: string) => string;
  readonly allTrouble: string;
  readonly inTrouble: string;
  readonly cancel: string;
  readonly cancelled: string;
  /** Said only where it is known. */
  readonly noMoneyTaken: string;
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
  /** The provider contradicts the failure that it reported before. */
  readonly disputed: Explanation;
  readonly updates: string;
  readonly reload: string;
  readonly paid: string;
  readonly paidTo: (amount: string, merchant: string) => string;
  readonly reference: string;
  readonly returning: (merchant: string) => string;
  readonly returnTo: (merchant: string) => string;
  readonly failed: string;
  readonly tryAgain: string;
  readonly toTryAgain: (merchant: string) => string;
  readonly expired: string;
  readonly toStartAgain: (merchant: string) => string;
  /** On the page of a payment link: that each visit is a payment of its own. */
  readonly linkNote: string;
  readonly lastPayment: string;
  readonly linkOver: Explanation;
  readonly unknownPage: Explanation;
  readonly notServed: Explanation;
  readonly noOffer: (merchant: string) => string;
  readonly noProvider: (merchant: string) => string;
  readonly contactShop: string;
  readonly notAccepted: (merchant: string, provider: string) => string;
  readonly otherProvider: (provider: string) => string;
  readonly hostedBy: (host: string) => string;
  readonly problem: string;
  readonly problems: {
    readonly phone: (country: string) => string;
    readonly amount: string;
    readonly bounds: (provider: string, min: string, max: string) => string;
    readonly decimals: (provider: string) => string;
    readonly provider: string;
    readonly code: string;
    readonly form: string;
    readonly prompts: string;
    readonly notAllowed: (merchant: string) => string;
    readonly unknown: string;
  };
  readonly failures: Readonly<Partial<Record<PaymentFailureCode, Explanation>>> & {
    readonly UNSPECIFIED_FAILURE: Explanation;
  };
  /** Between groups of three digits, and before decimals. */
  readonly separators: readonly [thousands: string, decimals: string];
  /** Templates of what payers do in an operator's menu. Left out: those of the catalogue. */
  readonly steps?: Readonly<Record<StepName, string>>;
};

/** The country's name: the catalogue's in its two languages, else the one of the platform's locale data. */
export function renderCountry({ alpha2, displayName }: CountryFacts, { locale }: Words): string {
  if (locale === 'en' || locale === 'fr') return displayName[locale];
  return new Intl.DisplayNames([locale], { type: 'region' }).of(alpha2) ?? displayName.en;
}

/** What a payer does in an operator's menu, step by step. */
export function renderSteps(
  { instructions, stepNames, variables }: InstructionChannel,
  { steps, locale }: Words,
): readonly string[] {
  if (steps !== undefined) return stepNames.map((name) => fillTemplate(steps[name], variables));
  return instructions[locale === 'fr' ? 'fr' : 'en'].map(({ text }) => text);
}

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
