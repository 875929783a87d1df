// The same request in either API version: both are in use at once, so both are in the load.
import type { ApiVersion } from '../../../server/src/domain/payments/payment.ts';
import type { Random } from '../random.ts';
import type { Request } from './requests.ts';

type Body = Readonly<Record<string, unknown>>;
type Wallet = { readonly accountDetails: { readonly phoneNumber: string; readonly provider: string } };

/** The generated request, or its v1 form; API v1 has no redirects. */
export function inEither(random: Random, request: Request): Request {
  const isKnownThere = !('successfulUrl' in request.body);
  return isKnownThere && random.chance(0.5) ? inEarlierWords(request) : request;
}

/** Only for kinds that API v1 has. */
export function inEarlierWords(request: Request): Request {
  const { path, body } = request;
  const earlier = (one: Body) => earlierBody(request.kind, one);
  return {
    ...request,
    apiVersion: 'v1',
    path: path.replace(/^\/v2/, ''),
    body: Array.isArray(body) ? (body as Body[]).map(earlier) : earlier(body as Body),
  };
}

function earlierBody(kind: Request['kind'], body: Body): Body {
  // A v1 refund has no currency, and needs nothing else.
  if (kind === 'REFUND') return { ...body, currency: undefined };
  const role = kind === 'DEPOSIT' ? 'payer' : 'recipient';
  const { phoneNumber, provider } = (body[role] as Wallet).accountDetails;
  return {
    ...body,
    [role]: { type: 'MSISDN', address: { value: phoneNumber } },
    correspondent: provider,
    customerTimestamp: '2026-01-02T03:04:05Z',
    statementDescription: 'Chaos run',
  };
}

/** The API version of a callback. */
export function apiVersionOf(record: Body): ApiVersion {
  return 'correspondent' in record ? 'v1' : 'v2';
}
