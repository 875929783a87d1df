// Who holds the account of a phone number, as fakes and the simulator tell it. Invented names: the same number always
// has the same one. A test number whose payouts end with RECIPIENT_NOT_FOUND has no account.
import { plannedVerdict } from './outcomes.ts';

type Holder = { readonly givenName: string; readonly familyName: string };

const GIVEN_NAMES = ['Amina', 'Kofi', 'Zawadi', 'Moussa', 'Grace', 'Thabo', 'Fatou'];
const FAMILY_NAMES = ['Uwase', 'Mensah', 'Banda', 'Diallo', 'Okello', 'Phiri', 'Ndiaye'];

/** Null without an account. */
export function holderOf(party: { readonly provider: string; readonly phoneNumber: string }): Holder | null {
  const { failureCode } = plannedVerdict({ ...party, operation: 'PAYOUT' });
  if (failureCode === 'BENEFICIARY_UNKNOWN') return null;
  const number = Number(party.phoneNumber.slice(-6)) || 0;
  return {
    givenName: GIVEN_NAMES[number % GIVEN_NAMES.length] ?? '',
    familyName: FAMILY_NAMES[Math.floor(number / 10) % FAMILY_NAMES.length] ?? '',
  };
}
