// How personal data looks to anyone who has not asked for it: enough to tell one from another, too little to use.

/** The last three digits: what a caller can be asked to confirm. */
export function maskPhoneNumber(phoneNumber: string): string {
  return `••••••${phoneNumber.slice(-3)}`;
}

/** A name, or anything else a merchant marked as personal. Its length would tell something too. */
export const MASKED = '••••••';
