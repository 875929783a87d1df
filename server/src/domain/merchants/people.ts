// Rules about people who sign in.

/** Long enough that length alone protects it; the authentication library hashes it. */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** How long a confirmation with the password lasts. */
export const CONFIRMATION_MS = 10 * 60_000;
