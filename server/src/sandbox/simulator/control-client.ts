// The gateway's client for the simulator's control interface, for the sandbox only. It never throws: a simulator that
// is down, or has no control interface, is a returned result.
import { Agent, request } from 'undici';
import type { Code, CodeRequest } from '../fakes/payers/codes.ts';
import type { Phone } from '../fakes/payers/phone.ts';
import type { Prompt, PromptAnswer } from '../fakes/payers/prompts.ts';
import type { Script, NewScript } from '../fakes/faults/script.ts';

export type ControlAnswer<Value> =
  | { readonly type: 'DONE'; readonly value: Value }
  /** There is no such script or prompt, or no control interface at all. */
  | { readonly type: 'NOT_FOUND' }
  | { readonly type: 'REFUSED'; readonly problem: string }
  | { readonly type: 'AWAY' };

export type SimulatorControl = {
  readonly addScript: (request: NewScript) => Promise<ControlAnswer<Script>>;
  readonly listScripts: () => Promise<ControlAnswer<readonly Script[]>>;
  /** One, or all of them. */
  readonly removeScripts: (scriptId?: string) => Promise<ControlAnswer<{ readonly removed: number }>>;
  readonly listPrompts: () => Promise<ControlAnswer<readonly Prompt[]>>;
  readonly answerPrompt: (promptId: string, answer: PromptAnswer) => Promise<ControlAnswer<Prompt>>;
  /** The numbers with activity. */
  readonly listPhones: () => Promise<ControlAnswer<readonly string[]>>;
  /** Looking at a phone means holding it: for a while its payer does nothing automatically. */
  readonly lookAtPhone: (phoneNumber: string) => Promise<ControlAnswer<Phone>>;
  readonly putPhoneDown: (phoneNumber: string) => Promise<ControlAnswer<object>>;
  readonly makeCode: (request: CodeRequest) => Promise<ControlAnswer<Code>>;
  readonly close: () => Promise<void>;
};

/** The simulator answers within milliseconds; the caller is a person or a test. */
const TIMEOUT_MS = 5_000;

export function createSimulatorControl(baseUrl: string): SimulatorControl {
  const agent = new Agent({ connect: { timeout: TIMEOUT_MS } });
  const call = <Value>(method: Method, path: string, body?: object) =>
    callControl<Value>(agent, { method, url: `${baseUrl}/control/${path}`, body });
  return {
    addScript: (script) => call('POST', 'scripts', script),
    listScripts: () => call('GET', 'scripts'),
    removeScripts: (scriptId) =>
      call('DELETE', scriptId === undefined ? 'scripts' : `scripts/${encodeURIComponent(scriptId)}`),
    listPrompts: () => call('GET', 'prompts'),
    answerPrompt: (promptId, answer) => call('POST', `prompts/${encodeURIComponent(promptId)}`, answer),
    listPhones: () => call('GET', 'phones'),
    lookAtPhone: (phoneNumber) => call('GET', `phones/${encodeURIComponent(phoneNumber)}`),
    putPhoneDown: (phoneNumber) => call('DELETE', `phones/${encodeURIComponent(phoneNumber)}`),
    makeCode: ({ phoneNumber, ...code }) => call('POST', `codes/${encodeURIComponent(phoneNumber)}`, code),
    close: () => agent.close(),
  };
}

type Method = 'GET' | 'POST' | 'DELETE';

async function callControl<Value>(
  dispatcher: Agent,
  { method, url, body }: { readonly method: Method; readonly url: string; readonly body: object | undefined },
): Promise<ControlAnswer<Value>> {
  try {
    const response = await request(url, {
      dispatcher,
      method,
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    return answerOf(
      response.statusCode,
      (await response.body.json()) as Value & { readonly problem?: string },
    );
  } catch {
    return { type: 'AWAY' };
  }
}

function answerOf<Value>(status: number, said: Value & { readonly problem?: string }): ControlAnswer<Value> {
  if (status === 404) return { type: 'NOT_FOUND' };
  if (status === 400) return { type: 'REFUSED', problem: said.problem ?? '' };
  return status < 300 ? { type: 'DONE', value: said } : { type: 'AWAY' };
}
