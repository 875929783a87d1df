// The data for rendering the page of a simulated phone.
import type { Phone, PhonePrompt } from '../fakes/payers/phone.ts';

export type PhoneView = {
  readonly phone: Phone;
  readonly now: Date;
  /** The network that the number probably belongs to. */
  readonly network: string;
  readonly prompts: readonly ShownPrompt[];
  /** The menu for one-time codes; null if payers of this number need none. */
  readonly codeMenu: CodeMenu | null;
  readonly isMenuOpen: boolean;
  /** The error in what was typed into the menu. */
  readonly menuFault: 'amount' | 'pin' | null;
};

export type ShownPrompt = PhonePrompt & {
  /** The merchant's name; the merchant's message if unknown. */
  readonly merchantName: string;
  readonly depositId: string | null;
};

export type CodeMenu = { readonly provider: string; readonly currency: string; readonly shortCode: string };

/** Under /sandbox, like everything that exists only there. */
export const PHONES_PATH = '/sandbox/phone';

export function phonePath(phoneNumber: string): string {
  return `${PHONES_PATH}/${phoneNumber}`;
}
