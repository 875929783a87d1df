// Repeats a request until its answer is clear or the time is over.
import type { Answered, Call, Connection, Trouble } from './connection.ts';
import { backoffMs, pause } from './pause.ts';

/** `deadline` is compared with `Date.now`. */
export async function sendUntilClear(
  connection: Connection,
  call: Call,
  deadline: number,
): Promise<Answered | Trouble> {
  for (let attempts = 1; ; attempts += 1) {
    const answer = await connection.send(call);
    if (answer.type === 'answered') return answer;
    const waitMs = Math.max(backoffMs(attempts), answer.retryAfterMs ?? 0);
    if (Date.now() + waitMs > deadline) return answer;
    await pause(waitMs, call.signal);
  }
}
