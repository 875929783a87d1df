// Verifies callbacks: that they are from the gateway, whole, and young.
import type { PublicKeys } from './api.ts';

/** A callback as it was received. */
export type ReceivedCallback = {
  readonly method?: string;
  /** The public address it was sent to, whole: behind a proxy it is not that of the Host header. */
  readonly url: string;
  readonly headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>;
  /** The bytes, or the text of them; never JSON that was parsed and written again. */
  readonly body: Uint8Array | string;
};

export type VerifiedCallback = {
  readonly verified: true;
  readonly kind: string;
  readonly id: string;
  /** The record: the same as `get(id)` would tell. */
  readonly payment: Readonly<Record<string, unknown>>;
  /** Equal for every attempt at one announcement. */
  readonly eventId: string | null;
};

export type RefusedCallback = { readonly verified: false; readonly rule: string; readonly cause: string };

export type VerifyOptions = {
  readonly keys: PublicKeys;
  readonly now?: Date;
  readonly ageMaxSeconds?: number;
};

export async function verifyCallback(
  _received: ReceivedCallback,
  _options: VerifyOptions,
): Promise<VerifiedCallback | RefusedCallback> {
  throw new Error('not built yet');
}

export type CallbackVerifierOptions = {
  readonly readKeys: () => Promise<PublicKeys>;
  readonly ageMaxSeconds?: number;
};

export class CallbackVerifier {
  constructor(_options: CallbackVerifierOptions) {}

  async verify(_received: ReceivedCallback): Promise<VerifiedCallback | RefusedCallback> {
    throw new Error('not built yet');
  }
}
