// Settings of limits: how many requests, guesses and prompts are too many, and how much a token may send out.
import { ConfigError, optional, readNumber } from './config-values.ts';
import { DEFAULT_AUTH_FAILURES } from './core/access/auth-failure-limit.ts';
import { DEFAULT_PROMPTS, type PromptLimits } from './core/payments/accept/limit-prompts.ts';
import type { Environment } from './core/engine.ts';
import { BANK_COOLING_OFF_HOURS_MAX } from './domain/ledger/bank-account.ts';
import {
  productionTokenLimits,
  type CurrencyAmounts,
  type TokenLimits,
} from './domain/limits/default-limits.ts';
import { parseApprovalLimits } from './domain/payments/payout-batch.ts';
import { DEFAULT_PAGE_RATE, DEFAULT_RATE, type RateRule } from './core/access/rate-limit.ts';

export function readRateLimit(env: NodeJS.ProcessEnv): RateRule {
  return {
    perSecond: readNumber(env, 'MALIPO_REQUESTS_PER_SECOND', DEFAULT_RATE.perSecond, [1, 1_000_000]),
    burst: readNumber(env, 'MALIPO_REQUEST_BURST', DEFAULT_RATE.burst, [1, 1_000_000]),
  };
}

export function readAuthFailureLimit(env: NodeJS.ProcessEnv): RateRule {
  const { perSecond, burst } = DEFAULT_AUTH_FAILURES;
  return {
    perSecond: readNumber(env, 'MALIPO_AUTH_FAILURES_PER_SECOND', perSecond, [1, 1_000_000]),
    burst: readNumber(env, 'MALIPO_AUTH_FAILURE_BURST', burst, [1, 1_000_000]),
  };
}

export function readPageLimit(env: NodeJS.ProcessEnv): RateRule {
  const { burst } = DEFAULT_PAGE_RATE;
  const perMinute = readNumber(env, 'MALIPO_PAGE_REQUESTS_PER_MINUTE', burst, [1, 1_000_000]);
  return { perSecond: perMinute / 60, burst: perMinute };
}

export function readPromptLimits(env: NodeJS.ProcessEnv): PromptLimits {
  const { perMerchant, perNumber } = DEFAULT_PROMPTS;
  const perPayer = readNumber(env, 'MALIPO_PAYER_PROMPTS_PER_HOUR', 0, [0, 1_000_000]);
  return {
    perMerchant: readNumber(env, 'MALIPO_PAGE_PROMPTS_PER_HOUR', perMerchant, [1, 1_000_000]),
    perNumber: readNumber(env, 'MALIPO_NUMBER_PROMPTS_PER_HOUR', perNumber, [1, 1_000_000]),
    perPayer: perPayer === 0 ? null : perPayer,
  };
}

const HOUR_MS = 3_600_000;

/** Two days, in which people notice an account that is not theirs. */
export const DEFAULT_BANK_COOLING_OFF_MS = 48 * HOUR_MS;

export function readBankCoolingOff(env: NodeJS.ProcessEnv): number {
  const usual = DEFAULT_BANK_COOLING_OFF_MS / HOUR_MS;
  const range = [0, BANK_COOLING_OFF_HOURS_MAX] as const;
  return readNumber(env, 'MALIPO_BANK_COOLING_OFF_HOURS', usual, range) * HOUR_MS;
}

export function readTokenLimits(env: NodeJS.ProcessEnv, environment: Environment): TokenLimits {
  return readAmounts(env, environment, { name: 'MALIPO_TOKEN_LIMITS', usual: productionTokenLimits() });
}

/** Amounts by currency. In production one that is not listed keeps its default; a sandbox has none. */
export function readAmounts(
  env: NodeJS.ProcessEnv,
  environment: Environment,
  { name, usual }: { readonly name: string; readonly usual: CurrencyAmounts },
): CurrencyAmounts {
  const text = optional(env, name) ?? '';
  if (text === 'none') return new Map();
  const amounts = parseApprovalLimits(text);
  // An amount in a currency that nothing is paid in would concern nothing.
  if (amounts === null || [...amounts.keys()].some((currency) => !usual.has(currency)))
    throw new ConfigError(
      `${name} must be "none", or list amounts as "RWF=100000", parted by commas, each currency once.`,
    );
  return new Map([...(environment === 'production' ? usual : []), ...amounts]);
}
