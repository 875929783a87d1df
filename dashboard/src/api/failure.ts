// Why a call was not answered as asked.

export class Failure extends Error {
  /** A code of the console's API, of its sign-in, or one of ours: UNREACHABLE, UNKNOWN. */
  readonly code: string;

  constructor(code: string, message: string) {
    super(message);
    this.name = 'Failure';
    this.code = code;
  }
}

/** Both forms: `{ failureReason: { failureCode, failureMessage } }`, and `{ code, message }` of the sign-in. */
export async function readFailure(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as Partial<Body> | null;
  const code =
    body?.failureReason?.failureCode ??
    body?.code ??
    (response.status === 429 ? 'TOO_MANY_TRIES' : 'UNKNOWN');
  return new Failure(code, body?.failureReason?.failureMessage ?? body?.message ?? '');
}

type Body = {
  readonly failureReason: { readonly failureCode: string; readonly failureMessage: string };
  readonly code: string;
  readonly message: string;
};
