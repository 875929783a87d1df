// The console's API, typed by its document. Being signed out, lacking two-factor authentication and having to confirm
// are dealt with here, so that no screen has to.
//   const team = await answer(api.GET('/console/api/host/team'));
import createClient from 'openapi-fetch';
import { askForConfirmation } from './confirmation.ts';
import { Failure, readFailure } from './failure.ts';
import { leaveFor } from './leave.ts';
import type { operations, paths } from './schema.ts';

export const api = createClient<paths>({ baseUrl: window.location.origin, fetch: send });

/** What an operation answers, by its name: `AnswerOf<'readTeam'>`. */
export type AnswerOf<Name extends keyof operations> = operations[Name]['responses'][200]['content'] extends {
  'application/json': infer Answer;
}
  ? Answer
  : never;

/** The answer of a call, or the reason why there is none, thrown as a Failure. */
export async function answer<Data>(
  call: Promise<{ readonly data?: Data; readonly error?: unknown; readonly response: Response }>,
): Promise<Data> {
  const { data } = await call;
  if (data === undefined) throw new Failure('UNKNOWN');
  return data;
}

async function send(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await reach(request);
  if (response.ok) return response;
  const failure = await readFailure(response);
  switch (failure.code) {
    case 'NOT_SIGNED_IN':
      leaveFor('/sign-in');
      return never();
    case 'TWO_FACTOR_NEEDED':
      leaveFor('/two-factor');
      return never();
    case 'CONFIRMATION_NEEDED':
      if (await askForConfirmation()) return send(again);
      throw failure;
    default:
      throw failure;
  }
}

export async function reach(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    // No one waits for a call that was cancelled.
    if (request.signal.aborted) throw error;
    throw new Failure('UNREACHABLE');
  }
}

/** The page is about to be left: nothing shall be drawn of what did not come. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}
