// One request to Vault or OpenBao, and what its answer means. Texts of its errors are read and never repeated: some of
// them quote the credential.
import { Agent, request } from 'undici';
import { failed, type KeyAnswer, type KeyFailure } from './port.ts';

export type ServiceRequest = {
  readonly method: 'GET' | 'POST';
  /** Behind /v1/. */
  readonly path: string;
  readonly token?: string;
  readonly body?: Readonly<Record<string, unknown>>;
};

export type ServiceAddress = { readonly url: string; readonly namespace: string | null };

export type Requester = {
  readonly send: (wanted: ServiceRequest) => Promise<KeyAnswer<ServiceBody>>;
  readonly close: () => Promise<void>;
};

export type ServiceBody = Readonly<Record<string, unknown>>;

/** The service answers within milliseconds; checks come again soon. */
const TIMEOUT_MS = 5_000;

/** Answers are of a few KB. */
const ANSWER_BYTES_MAX = 1_048_576;

export function createRequester({ url, namespace }: ServiceAddress): Requester {
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS }, maxResponseSize: ANSWER_BYTES_MAX });
  return {
    send: async ({ method, path, token, body }) => {
      try {
        const answer = await request(`${url}/v1/${path}`, {
          dispatcher: agent,
          method,
          headers: {
            'content-type': 'application/json',
            // A Vault Agent that guards against forged requests wants to see it.
            'x-vault-request': 'true',
            ...(token !== undefined && { 'x-vault-token': token }),
            ...(namespace !== null && { 'x-vault-namespace': namespace }),
          },
          body: body === undefined ? null : JSON.stringify(body),
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        return readAnswer(answer.statusCode, parse(await answer.body.text()));
      } catch (error) {
        return failed('KEY_SERVICE_UNREACHABLE', nameOf(error));
      }
    },
    close: () => agent.close(),
  };
}

function readAnswer(status: number, body: ServiceBody | null): KeyAnswer<ServiceBody> {
  // A success may have no body.
  if (status === 204) return { type: 'DONE', value: {} };
  if (status === 200 && body !== null) return { type: 'DONE', value: body };
  const errors = body?.['errors'];
  // Whatever is between us and the service can say 403 as well, and would not say it like this.
  if (!Array.isArray(errors)) return failed('KEY_SERVICE_UNREACHABLE', `HTTP ${status} of another server`);
  return readErrors(status, errors.join(' '));
}

function readErrors(status: number, errors: string): KeyFailure {
  if (status === 403) return failed('KEY_SERVICE_DENIED', 'HTTP 403');
  if (status === 503 && /sealed/i.test(errors)) return failed('KEY_SERVICE_SEALED', 'HTTP 503, sealed');
  if (![400, 404, 405].includes(status)) return failed('KEY_SERVICE_UNREACHABLE', `HTTP ${status}`);
  const [, why = ''] = REASONS.find(([words]) => words.test(errors)) ?? [];
  return failed('KEY_SERVICE_REFUSED', `HTTP ${status}${why}`);
}

/** What a host can do something about. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [/too old/, ', the version of the wrapping key may not be used any more: run keys wrap'],
  [/key not found/, ', there is no wrapping key of this name'],
  [/unsupported path|no handler/, ', there is no such path: check the mounts'],
];

function parse(text: string): ServiceBody | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as ServiceBody) : null;
  } catch {
    return null;
  }
}

/** Messages of network errors contain addresses and add nothing to their code. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unknown error';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
