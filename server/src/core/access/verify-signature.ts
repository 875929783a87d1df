// Whether a merchant's request is signed as it must be.
import type { Merchant } from '../../store/merchants/merchants.ts';
import {
  checkSignature,
  type SignedRequest,
  type Verdict,
} from '../../wire/http-signature/check-signature.ts';
import { signatureFault } from '../../wire/http-signature/read-signature.ts';
import type { Engine } from '../engine.ts';

/** Judged by real time: a client knows no other, also where a sandbox's clock was moved. */
export function verifySignature(engine: Engine, merchant: Merchant, request: SignedRequest): Verdict {
  const { publicKeys } = merchant;
  try {
    return checkSignature(request, { now: engine.wallClock.now(), publicKeys });
  } catch {
    // A signature that makes the check fail unexpectedly is not believed.
    const fault = signatureFault('HEADERS', 'the signature cannot be read');
    return { fault, signature: null, base: null };
  }
}
