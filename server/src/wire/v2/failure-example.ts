// A message for each code that is an example in the OpenAPI documents.
import { failureReason, type FailureCode } from '../../domain/failure.ts';

export type ExampleValues = Readonly<Record<string, string>>;

/** What the messages name, as a request could have contained it. */
const VALUES: Partial<Record<FailureCode, ExampleValues>> = {
  AUTHENTICATION_ERROR: { cause: 'the API token is not valid' },
  AUTHORISATION_ERROR: { scope: 'deposits:write' },
  CURSOR_EXPIRED: { cause: 'they are older than this gateway keeps events' },
  INVALID_CALLBACK_URL: { cause: 'it must be an https URL' },
  INVALID_PARAMETER: { parameter: 'depositId', cause: 'it must be a UUID v4' },
  INVALID_PROVIDER: { provider: 'MTN_MOMO_ZMB', operation: 'DEPOSIT' },
  INVALID_STATE: { cause: 'is COMPLETED' },
  PAYOUT_EXCEEDS_DEPOSIT: { needed: '20', currency: 'ZMW', amount: '15' },
  RATE_LIMITED: { cause: 'with this API token', seconds: '1' },
  REQUEST_TOO_LARGE: { limit: '1048576' },
  WALLET_OUT_OF_FUNDS: { country: 'ZMB', needed: '15', currency: 'ZMW' },
  UNSUPPORTED_PARAMETER: { parameter: 'colour' },
  UNSUPPORTED_MEDIA_TYPE: { cause: 'its Content-Encoding must be identity' },
};

export function exampleMessage(code: FailureCode, values: ExampleValues = {}): string {
  return failureReason(code, { ...VALUES[code], ...values }).failureMessage;
}
