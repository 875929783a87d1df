// The line to one operator: every call waits for its slot, carries the account's token, ends in time and is written
// down. A connector says what to send and reads what comes back. Nothing here ever throws for what an operator does.
import { afterSent, callOperator, openAgent, type Call, type CallResult, type HttpAnswer } from './call.ts';
import type { Account, OperatorContext, WantedAccount } from './operator.ts';
import { LIMITED_HERE } from './evidence.ts';
import type { SendPermission } from './port.ts';
import { createRateGate, queriesOf } from './rate-gate.ts';
import { redact } from './redact.ts';
import { redactAddresses } from './redact-addresses.ts';
import { TokenSource, type KeptToken, type Minted } from './token-source.ts';

export type LineOptions = {
  /** The connector's name. */
  readonly name: string;
  readonly context: OperatorContext;
  readonly timeoutMs: number;
  /** Left out by an operator whose calls carry no token. */
  readonly token?: TokenHabits;
};

export type TokenHabits = {
  /** Asks for a token over this line, and reads the answer. */
  readonly mint: (account: Account, line: BareLine) => Promise<Minted>;
  /** How long that may take, where it is longer than a call. */
  readonly mintTimeoutMs?: number;
  /** The headers that carry it. */
  readonly headers: (token: string, account: Account) => Readonly<Record<string, string>>;
  /** Whether an answer says that the token ended before its time; a 401 where nothing else is said. */
  readonly isRefusal?: (answer: HttpAnswer) => boolean;
};

/** A line without a token. */
export type BareLine = { readonly call: (account: Account, call: LineCall) => Promise<CallResult> };

export type Line = {
  /** Calls with the account that is wanted. While the host has not set its credentials nothing is sent. */
  readonly call: (wanted: WantedAccount, callFor: (account: Account) => LineCall) => Promise<CallResult>;
  readonly close: () => Promise<void>;
};

export type LineCall = Pick<Call, 'method' | 'url' | 'headers' | 'body' | 'permission'> & {
  /** submit, query, balance, token, … */
  readonly step: string;
  /** Of the payment it is about. */
  readonly reference?: string;
  /** Personal values in it, which are not written down: the phone number in every form, the customer's message. */
  readonly personal?: readonly string[];
  /** Where an operator takes longer than the others of this line. */
  readonly timeoutMs?: number;
};

export function openLine(options: LineOptions): Line {
  const { context, timeoutMs, token } = options;
  const agent = openAgent({ timeoutMs });
  const gate = createRateGate(context.rates);
  const tokens = new TokenSource(context.tokens, {
    clock: context.clock,
    timeoutMs: token?.mintTimeoutMs ?? timeoutMs,
  });
  /** A slot that was taken before the claim serves one call in its time; whatever else is called takes one now. */
  const used = new WeakSet<SendPermission>();
  const waitForSlot = async ({ name, rate, queryRate }: Account, { step, permission }: LineCall) => {
    if (permission?.slotAt !== undefined && !used.has(permission)) {
      used.add(permission);
      if (await gate.waitFor(permission.slotAt)) return true;
    }
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
      const result = await callOperator(agent, { timeoutMs, ...sent });
      recordCall(options, { account, call, result, durationMs: performance.now() - startedAt });
      if (result.type === 'ANSWER' && result.httpStatus === 429) {
        const isApart = call.step === 'query' && account.queryRate !== undefined;
        const limited = isApart ? queriesOf(account.name) : account.name;
        await gate.holdOff(limited, result.headers?.['retry-after']);
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
    // The token ended before its time. A refused call did nothing, so it is made once more.
    await tokens.refuse(account.name, held);
    const renewed = await take();
    return afterSent('error' in renewed ? notSent(renewed.error) : await callWith(renewed));
  };
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

/** Headers are left out: they carry the keys, and say nothing that the body does not. */
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
    // The answer to a request for a token is one.
    answer: isAnswer && call.step !== 'token' ? redact(redactAddresses(result.text), hidden) : '',
  });
}

/** An operator may echo what it was sent. */
function tokensIn(headers: Readonly<Record<string, string>>): readonly string[] {
  return Object.values(headers).flatMap((value) => /^(?:Bearer|Basic) (.+)$/.exec(value)?.[1] ?? []);
}
