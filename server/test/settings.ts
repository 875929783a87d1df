// The least settings a gateway needs, and what is said about wrong ones.
import { readConfig } from '../src/config.ts';
import { ConfigError } from '../src/config-values.ts';

export const MINIMAL_SETTINGS = {
  MALIPO_ENVIRONMENT: 'sandbox',
  DATABASE_URL: 'postgres://127.0.0.1/malipo',
  MALIPO_ENCRYPTION_KEYS: `1:${keyOf(1)}`,
  MALIPO_SEARCH_KEY: keyOf(2),
  MALIPO_REFERENCE_KEY: keyOf(3),
};

/** A key made of one byte, as settings hold it. */
export function keyOf(byte: number): string {
  return Buffer.alloc(32, byte).toString('base64');
}

/** The message a person reads when these settings are wrong; "accepted" when they are not. */
export function complaintAbout(settings: NodeJS.ProcessEnv): string {
  try {
    readConfig({ ...MINIMAL_SETTINGS, ...settings });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'accepted';
}
