// How personal data is masked: enough to distinguish people, too little to use.

/** The last three digits, which a caller can be asked to confirm. */
export function maskPhoneNumber(phoneNumber: string): string {
  return `••••••${phoneNumber.slice(-3)}`;
}

/** A name, or metadata marked as personal. Its length would reveal something too. */
export const MASKED = '••••••';
