// Checks whether an answer is what the specification requires.
import type { Answer, Exchange } from './connection.ts';
import { fieldOf } from './schema.ts';
import type { Case } from './world.ts';

export type FaultKind = 'SERVER_ERROR' | 'HANG' | 'WRONG_ACCEPT';

export type Fault = { readonly kind: FaultKind; readonly why: string };

export function checkAnswer({ expected, methods }: Case, { answers, end }: Exchange): Fault | null {
  const error = answers.find(({ status }) => status >= 500 || Number.isNaN(status));
  if (error !== undefined) return { kind: 'SERVER_ERROR', why: `answered ${error.status}` };
  if (end === 'SILENT') return { kind: 'HANG', why: 'no whole answer in time' };
  if (answers.length > methods.length)
    return wrong(`answered ${answers.length} times, asked ${methods.length}`);
  switch (expected.type) {
    case 'REFUSED': {
      const taken = answers.find(({ status }) => status < 400);
      return taken === undefined ? null : wrong(`answered ${taken.status}, but ${expected.why}`);
    }
    case 'UNACCEPTED':
      return answers.some((answer) => isAccepted(answer, expected.at))
        ? wrong(`accepted, but ${expected.why}`)
        : null;
    case 'ANYTHING':
    case 'SOUND':
      return null;
  }
}

function wrong(why: string): Fault {
  return { kind: 'WRONG_ACCEPT', why };
}

/** Whether something was started; in a list, at the given position. */
export function isAccepted({ status, body }: Answer, at: number | null): boolean {
  if (status >= 300) return false;
  const parsed = parse(body);
  const part = at !== null && Array.isArray(parsed) ? (parsed[at] as unknown) : parsed;
  if (Array.isArray(part)) return part.some((one) => hasStarted(one));
  return hasStarted(part);
}

function hasStarted(parsed: unknown): boolean {
  const status = fieldOf(parsed, 'status');
  if (['ACCEPTED', 'ENQUEUED', 'DUPLICATE_IGNORED'].includes(String(status))) return true;
  return status === undefined && fieldOf(parsed, 'redirectUrl') !== undefined;
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString()) as unknown;
  } catch {
    return undefined;
  }
}
