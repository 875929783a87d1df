// What the page of a simulated phone is rendered from.
import type { Phone, PhonePrompt } from '../fakes/payers/phone.ts';

export type PhoneView = {
  readonly phone: Phone;
  readonly now: Date;
  /** Whose network the number probably belongs to. */
  readonly network: string;
  readonly prompts: readonly ShownPrompt[];
  /** Where payers of this number get one-time codes; null where they need none. */
  readonly codeMenu: CodeMenu | null;
  readonly isMenuOpen: boolean;
  /** What was wrong with what was typed into the menu. */
  readonly menuFault: 'amount' | 'pin' | null;
};

export type ShownPrompt = PhonePrompt & {
  /** Who asks; the merchant's text where that is not known. */
  readonly merchantName: string;
  readonly depositId: string | null;
};

export type CodeMenu = { readonly provider: string; readonly currency: string; readonly shortCode: string };

/** Below /sandbox, like everything else that is only there. */
export const PHONES_PATH = '/sandbox/phone';

export function phonePath(phoneNumber: string): string {
  return `${PHONES_PATH}/${phoneNumber}`;
}
