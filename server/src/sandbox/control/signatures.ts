// The signature workbench: takes a signed request under another path, and reports what should have been signed and what
// is wrong. It never starts a payment.
import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { Engine } from '../../core/engine.ts';
import { verifySignature } from '../../core/access/verify-signature.ts';
import type { Merchant } from '../../store/merchants/merchants.ts';
import { guessMistake } from '../../wire/http-signature/guess.ts';
import type { SignedRequest, Verdict } from '../../wire/http-signature/check-signature.ts';
import { headerText } from '../../wire/http-signature/members.ts';
import {
  renderSignatureReport,
  signatureReportSchema,
  workbenchPathSchema,
} from './wire/signature-report.ts';
import { requireToken } from '../../edge/request.ts';
import { signedRequestOf } from '../../edge/signed-request.ts';
import { failures } from './answer.ts';

/** The prefix of the path of the tested request. */
const PREFIX = '/sandbox/signatures';

/** The two path formats of signed requests. */
const PATHS = { explainSignature: '/v2/:group', explainBulkSignature: '/v2/:group/bulk' };

export function registerSignatures(app: FastifyInstance, engine: Engine): void {
  for (const [operationId, path] of Object.entries(PATHS)) {
    app.post(
      `${PREFIX}${path}`,
      {
        schema: {
          operationId,
          tags: ['sandbox'],
          summary: 'Try a signed request',
          description:
            `Sign a request for its own path and send it here, with ${PREFIX} in front of the path. The answer has ` +
            'the signature base that was expected and the first thing that is wrong. No payment is started.',
          params: workbenchPathSchema,
          response: { 200: signatureReportSchema, ...failures([401, 500]) },
        },
      },
      async (request) => {
        const { merchant } = await requireToken(engine, request);
        return report(engine, merchant, request);
      },
    );
  }
}

function report(engine: Engine, merchant: Merchant, request: FastifyRequest) {
  const { signedRequestsOnly } = merchant;
  const signed = signedRequestOf(engine, request, request.url.slice(PREFIX.length));
  const verdict = verifySignature(engine, merchant, signed);
  const otherUrls = listOtherUrls(engine, request);
  const guess = guessAt(verdict, { request: signed, publicKeys: merchant.publicKeys, otherUrls });
  const ownBase = readOwnBase(request);
  return renderSignatureReport({ request: signed, verdict, guess, ownBase, signedRequestsOnly });
}

type Surroundings = Pick<Parameters<typeof guessMistake>[0], 'publicKeys' | 'otherUrls'> & {
  readonly request: SignedRequest;
};

function guessAt({ fault, signature, base }: Verdict, surroundings: Surroundings): string | null {
  if (fault?.rule !== 'SIGNATURE' || signature === null || base === null) return null;
  return guessMistake({ ...surroundings, signature, base });
}

/**
 * Addresses that a client may have signed by mistake: this one, the host it connected to, the same without its port.
 */
function listOtherUrls(engine: Engine, request: FastifyRequest) {
  const { protocol, host, hostname, url } = request;
  const own = signedRequestOf(engine, request, '').url;
  const path = url.slice(PREFIX.length);
  const expected = `We expect the @authority of ${own}.`;
  return [
    { url: `${own}${url}`, advice: `You signed the path of the workbench. Sign ${path}.` },
    { url: `${protocol}://${host}${url}`, advice: `You signed the path of the workbench. ${expected}` },
    { url: `${protocol}://${host}${path}`, advice: `You signed the authority ${host}. ${expected}` },
    {
      url: `${protocol}://${hostname}${path}`,
      advice: `You signed the authority without its port. ${expected}`,
    },
    { url: `${protocol}://localhost${path}`, advice: `You signed the authority localhost. ${expected}` },
  ];
}

function readOwnBase(request: FastifyRequest): string | null {
  const text = headerText(request.headers, 'malipo-signature-base');
  return text === undefined ? null : Buffer.from(text, 'base64').toString();
}
