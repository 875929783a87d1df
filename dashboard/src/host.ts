// What the server wrote into the page about itself, known before anybody has signed in.

function read(name: string): string | null {
  return document.querySelector(`meta[name="${name}"]`)?.getAttribute('content') ?? null;
}

/** What the host calls this gateway. */
export const GATEWAY = read('gateway') ?? 'Malipo';
export const IS_SANDBOX = read('environment') !== 'production';
/** Styles that are written while the application runs carry it. */
export const STYLE_NONCE = read('style-nonce') ?? '';
