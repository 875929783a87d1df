// Whether a merchant's request is signed as it must be.
import type { Merchant } from '../../store/merchants/merchants.ts';
import { judgeRequest, type SignedRequest, type Verdict } from '../../wire/http-signature/judge-request.ts';
import { signatureFault } from '../../wire/http-signature/read-signature.ts';
import type { Engine } from '../engine.ts';

/** Judged by real time: a client knows no other, also where a sandbox's clock was moved. */
export function verifySignature(engine: Engine, merchant: Merchant, request: SignedRequest): Verdict {
  const { publicKeys } = merchant;
  try {
    return judgeRequest(request, { now: engine.wallClock.now(), publicKeys });
  } catch {
    // What makes the judge stumble is not a signature we could believe.
    const fault = signatureFault('HEADERS', 'the signature cannot be read');
    return { fault, signature: null, base: null };
  }
}
