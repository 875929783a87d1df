// Why a call was not answered as asked.

/** What exactly is wrong, where the API says it: parts/reason-words.ts has the words. */
export type FailureCause = { readonly code: string; readonly parameters: Readonly<Record<string, string>> };

export class Failure extends Error {
  /** A code of the console's API, of its sign-in, or one of ours: UNREACHABLE, UNKNOWN. */
  readonly code: string;
  readonly reason: FailureCause | undefined;

  constructor(code: string, reason?: FailureCause) {
    super(code);
    this.name = 'Failure';
    this.code = code;
    this.reason = reason;
  }
}

/** Both forms: `{ failureReason: { failureCode } }`, and `{ code }` of the sign-in. Their messages are not shown. */
export async function readFailure(response: Response): Promise<Failure> {
  const body = (await response.json().catch(() => null)) as Partial<Body> | null;
  const code =
    body?.failureReason?.failureCode ??
    body?.code ??
    (response.status === 429 ? 'TOO_MANY_TRIES' : 'UNKNOWN');
  return new Failure(code, body?.failureReason?.reason);
}

type Body = {
  readonly failureReason: {
    readonly failureCode: string;
    readonly reason?: FailureCause;
  };
  readonly code: string;
};
