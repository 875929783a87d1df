/** The version of all packages; a test compares it with each package.json. */
export const VERSION = '0.1.0';
