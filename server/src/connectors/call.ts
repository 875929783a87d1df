// One HTTP call to an operator. Never throws: every failure is returned as SILENCE.
import { Agent, request, type Dispatcher } from 'undici';
import type { SendPermission } from './port.ts';

export type HttpAnswer = {
  readonly httpStatus: number;
  readonly text: string;
  readonly headers?: Readonly<Record<string, string | undefined>>;
};

export type CallResult =
  | ({ readonly type: 'ANSWER' } & HttpAnswer)
  /** `sent` is false only if no byte of the request was written. */
  | { readonly type: 'SILENCE'; readonly error: string; readonly sent: boolean };

export type Call = {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly timeoutMs: number;
  /** Checked when the connection is open, immediately before the socket write. */
  readonly permission?: SendPermission;
};

/** Real answers are a few KB at most. A longer body is treated as no answer, to protect our memory. */
const ANSWER_BYTES_MAX = 1_048_576;

/** The connections to one operator. An answer that is too long ends as SILENCE. Redirects are not followed. */
export function openAgent({ timeoutMs }: { readonly timeoutMs: number }): Agent {
  return new Agent({ connect: { timeout: timeoutMs }, maxResponseSize: ANSWER_BYTES_MAX });
}

export async function callOperator(agent: Agent, call: Call): Promise<CallResult> {
  const watch: Watch = { isOpen: call.permission?.isOpen ?? (() => true), sent: false };
  try {
    const response = await request(call.url, {
      dispatcher: agent.compose((dispatch) => (options, handler) => dispatch(options, guard(handler, watch))),
      method: call.method,
      headers: { accept: 'application/json', ...call.headers },
      body: call.body ?? null,
      signal: AbortSignal.timeout(call.timeoutMs),
    });
    const headers = Object.fromEntries(
      Object.entries(response.headers).map(([name, value]) => [name, value?.toString()]),
    );
    return { type: 'ANSWER', httpStatus: response.statusCode, text: await response.body.text(), headers };
  } catch (error) {
    return { type: 'SILENCE', error: nameOf(error), sent: watch.sent };
  }
}

/**
 * The result of a call that follows a refused one. The first call was sent, so "nothing was sent" must not be claimed.
 */
export function afterSent(result: CallResult): CallResult {
  return result.type === 'SILENCE' ? { ...result, sent: true } : result;
}

type Watch = { readonly isOpen: () => boolean; sent: boolean };

/**
 * Checks the permission at the last possible moment. undici calls `onRequestStart` synchronously before the socket
 * write and after any wait for a connection; a check before `request()` would miss that wait.
 */
function guard(handler: Dispatcher.DispatchHandler, watch: Watch): Dispatcher.DispatchHandler {
  return {
    onRequestStart: (controller, context) => {
      handler.onRequestStart?.(controller, context);
      if (controller.aborted) return;
      if (watch.isOpen()) watch.sent = true;
      else controller.abort(new PermissionEndedError());
    },
    onResponseStart: (...reported) => handler.onResponseStart?.(...reported),
    onResponseData: (...reported) => handler.onResponseData?.(...reported),
    onResponseEnd: (...reported) => handler.onResponseEnd?.(...reported),
    onResponseError: (...reported) => handler.onResponseError?.(...reported),
  };
}

class PermissionEndedError extends Error {
  readonly code = 'PERMISSION_ENDED';
}

/** A short name for evidence. Messages of network errors contain addresses and add nothing to their code. */
function nameOf(error: unknown): string {
  if (!(error instanceof Error)) return 'UNKNOWN_ERROR';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
