// For tests of whoever receives callbacks: genuine signed callbacks without a gateway.
import type { PublicKeys } from './api.ts';
import type { ReceivedCallback } from './callbacks.ts';

export type SignedCallback = {
  readonly request: ReceivedCallback & {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
  };
  /** What GET /v2/public-key/http would answer. */
  readonly keys: PublicKeys;
};

export async function signedCallback(_of: {
  readonly url: string;
  readonly payment: object;
}): Promise<SignedCallback> {
  throw new Error('not built yet');
}
