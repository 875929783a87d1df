// What the server wrote into the page about itself, known before anybody has signed in.
import type { Role } from './me.ts';

function read(name: string): string | null {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;
}

/** What the host calls this gateway. */
export const GATEWAY = read('gateway') ?? 'Malipo';
export const IS_SANDBOX = read('environment') !== 'production';

export type DemoLogins = {
  readonly password: string;
  readonly people: readonly { readonly email: string; readonly name: string; readonly role: Role }[];
};

/** Of a sandbox on a developer's machine; null everywhere else. */
export const DEMO_LOGINS = JSON.parse(read('demo-logins') ?? 'null') as DemoLogins | null;
/** Styles that are written while the application runs carry it. */
export const STYLE_NONCE = read('style-nonce') ?? '';
