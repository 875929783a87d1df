// The HTTP client for one operator. Each call waits for its rate slot, carries the account's token, has a time-out and
// is recorded. A connector renders requests and parses answers. Never throws because of an operator's behaviour.
import { afterSent, callOperator, openAgent, type Call, type CallResult, type HttpAnswer } from './call.ts';
import type { Account, OperatorContext, WantedAccount } from './operator.ts';
import { LIMITED_HERE } from './evidence.ts';
import type { SendPermission } from './port.ts';
import { createRateGate, holdersOf, queriesOf } from './rate-gate.ts';
import { redact } from './redact.ts';
import { redactAddresses } from './redact-addresses.ts';
import { TokenSource, type KeptToken, type Minted } from './token-source.ts';

export type LineOptions = {
  /** The connector's name. */
  readonly name: string;
  readonly context: OperatorContext;
  readonly timeoutMs: number;
  /** Omitted if the operator's calls carry no token. */
  readonly token?: TokenHabits;
};

export type TokenHabits = {
  /** Requests a token with this client and parses the answer. */
  readonly mint: (account: Account, line: BareLine) => Promise<Minted>;
  /** The time-out of the token request, if longer than that of other calls. */
  readonly mintTimeoutMs?: number;
  /** The headers that carry the token. */
  readonly headers: (token: string, account: Account) => Readonly<Record<string, string>>;
  /** Whether an answer says that the token has expired; default: a 401. */
  readonly isRefusal?: (answer: HttpAnswer) => boolean;
};

/** A client without tokens. */
export type BareLine = { readonly call: (account: Account, call: LineCall) => Promise<CallResult> };

export type Line = {
  /** Calls with the requested account. Without credentials nothing is sent. */
  readonly call: (wanted: WantedAccount, callFor: (account: Account) => LineCall) => Promise<CallResult>;
  readonly close: () => Promise<void>;
};

export type LineCall = Pick<Call, 'method' | 'url' | 'headers' | 'body' | 'permission'> & {
  /** submit, query, balance, holder, token, … */
  readonly step: string;
  /** The reference of the payment. */
  readonly reference?: string;
  /**
   * Personal values in the request, removed from the record: the phone number in all formats, the customer's message.
   */
  readonly personal?: readonly string[];
  /** For a call that takes longer than the operator's others. */
  readonly timeoutMs?: number;
};

/** A person waits for it in front of a screen, so a slow operator is not waited for. */
export const HOLDER_TIMEOUT_MS = 3_000;

export function openLine(options: LineOptions): Line {
  const { context, timeoutMs, token } = options;
  const holderTimeoutMs = Math.min(timeoutMs, HOLDER_TIMEOUT_MS);
  const agent = openAgent({ timeoutMs });
  const gate = createRateGate(context.rates);
  const tokens = new TokenSource(context.tokens, {
    clock: context.clock,
    timeoutMs: token?.mintTimeoutMs ?? timeoutMs,
  });
  /** A slot taken before the claim is used for one call. Every other call takes one now. */
  const used = new WeakSet<SendPermission>();
  const waitForSlot = async ({ name, rate, queryRate }: Account, { step, permission }: LineCall) => {
    if (permission?.slotAt !== undefined && !used.has(permission)) {
      used.add(permission);
      if (await gate.waitFor(permission.slotAt)) return true;
    }
    if (step === 'holder') return gate.passHolder(name, rate, holderTimeoutMs);
    if (step !== 'query') return gate.pass(name, rate, timeoutMs);
    return queryRate === undefined
      ? gate.passQuery(name, rate, timeoutMs)
      : gate.pass(queriesOf(name), queryRate, timeoutMs);
  };
  const bare: BareLine = {
    call: async (account, call) => {
      if (!(await waitForSlot(account, call))) return notSent(LIMITED_HERE);
      const startedAt = performance.now();
      const { step: _step, reference: _reference, personal: _personal, ...sent } = call;
      const ownTimeoutMs = call.step === 'holder' ? holderTimeoutMs : timeoutMs;
      const result = await callOperator(agent, { timeoutMs: ownTimeoutMs, ...sent });
      recordCall(options, { account, call, result, durationMs: performance.now() - startedAt });
      if (result.type === 'ANSWER' && result.httpStatus === 429) {
        await gate.holdOff(budgetOf(account, call), result.headers?.['retry-after']);
      }
      return result;
    },
  };
  const call = token === undefined ? bare.call : authorised({ bare, token, tokens });
  return {
    call: async (wanted, callFor) => {
      const account = await context.findAccount(wanted);
      return account === null ? notSent('NO_CREDENTIALS') : call(account, callFor(account));
    },
    close: () => agent.close(),
  };
}

type Authorised = {
  readonly bare: BareLine;
  readonly token: TokenHabits;
  readonly tokens: TokenSource;
};

function authorised({ bare, token, tokens }: Authorised): BareLine['call'] {
  const isRefusal = token.isRefusal ?? (({ httpStatus }) => httpStatus === 401);
  return async (account, call) => {
    const take = () => tokens.take(account.name, () => token.mint(account, bare));
    const callWith = (kept: KeptToken) =>
      bare.call(account, { ...call, headers: { ...call.headers, ...token.headers(kept.token, account) } });
    const held = await take();
    if ('error' in held) return notSent(held.error);
    const result = await callWith(held);
    if (result.type !== 'ANSWER' || !isRefusal(result)) return result;
    // An account may lack the right to ask for names. That must not take the token away from payments.
    if (call.step === 'holder') return result;
    // The token expired early. A refused call had no effect, so it is sent again with a new token.
    await tokens.refuse(account.name, held);
    const renewed = await take();
    return afterSent('error' in renewed ? notSent(renewed.error) : await callWith(renewed));
  };
}

/** What pauses when the operator reports too many calls. A question about a holder never holds up payments. */
function budgetOf({ name, queryRate }: Account, { step }: LineCall): string {
  if (step === 'holder') return holdersOf(name);
  return step === 'query' && queryRate !== undefined ? queriesOf(name) : name;
}

function notSent(error: string): CallResult {
  return { type: 'SILENCE', error, sent: false };
}

type Said = {
  readonly account: Account;
  readonly call: LineCall;
  readonly result: CallResult;
  readonly durationMs: number;
};

/** Headers are not recorded: they contain the keys and nothing else of interest. */
function recordCall({ name, context }: LineOptions, { account, call, result, durationMs }: Said): void {
  const hidden = [...account.secrets, ...(call.personal ?? []), ...tokensIn(call.headers)];
  const isAnswer = result.type === 'ANSWER';
  const { pathname, search } = new URL(call.url);
  context.record({
    at: context.clock.now(),
    connector: name,
    account: account.name,
    step: call.step,
    reference: call.reference ?? null,
    httpStatus: isAnswer ? result.httpStatus : null,
    error: isAnswer ? null : result.error,
    durationMs: Math.round(durationMs),
    request: redact(redactAddresses(`${call.method} ${pathname}${search}\n${call.body ?? ''}`), hidden),
    // The answer to a token request contains the token, that about an account holder who it is.
    answer:
      isAnswer && call.step !== 'token' && call.step !== 'holder'
        ? redact(redactAddresses(result.text), hidden)
        : '',
  });
}

/** An operator may echo our request. */
function tokensIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => /^(?:Bearer|Basic) (.+)$/.exec(value)?.[1] ?? []);
}
