// Answers to signed requests: with a digest where Accept-Digest asks for one, signed where Accept-Signature takes the
// algorithm of our keys.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../core/engine.ts';
import {
  chooseDigest,
  renderContentDigest,
  type DigestAlgorithm,
} from '../wire/http-signature/content-digest.ts';
import { headerText } from '../wire/http-signature/members.ts';
import { signMessage, takesServiceAlgorithm, type SigningKey } from '../wire/http-signature/sign-message.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** What its answer shall carry; null for a request that need not be signed. */
    signedAnswer: SignedAnswer | null;
  }
}

type SignedAnswer = { readonly digest: DigestAlgorithm | null; readonly key: SigningKey | null };

const COMPONENTS = ['@status', 'signature-date', 'content-digest', 'content-type', 'content-length'];

/** Must be called before the routes are registered. */
export function registerSignedAnswers(app: FastifyInstance, engine: Engine): void {
  app.decorateRequest('signedAnswer', null);
  app.addHook('onSend', async ({ signedAnswer }, reply, payload) => {
    if (signedAnswer === null || typeof payload !== 'string') return;
    const body = Buffer.from(payload);
    const { digest, key } = signedAnswer;
    if (digest !== null) reply.header('content-digest', renderContentDigest(body, digest));
    if (key === null) return;
    const now = engine.wallClock.now();
    reply.header('signature-date', now.toISOString()).header('content-length', String(body.length));
    const headers = Object.fromEntries(
      Object.entries(reply.getHeaders()).map(([name, value]) => [name, String(value)]),
    );
    reply.headers(
      signMessage({ message: { status: reply.statusCode, headers }, components: COMPONENTS, key, now }),
    );
  });
}

/** Before anything is started: a key that cannot be had must not turn an accepted payment into an error. */
export async function prepareSignedAnswer(engine: Engine, request: FastifyRequest): Promise<void> {
  const acceptedDigest = headerText(request.headers, 'accept-digest');
  const acceptedSignature = headerText(request.headers, 'accept-signature');
  const isSigned = acceptedSignature !== undefined && takesServiceAlgorithm(acceptedSignature);
  // A signature covers the digest, so there must be one.
  const chosen = acceptedDigest === undefined ? null : chooseDigest(acceptedDigest);
  request.signedAnswer = {
    digest: chosen ?? (isSigned ? 'sha-512' : null),
    key: isSigned ? await engine.signingKeys.current() : null,
  };
}
