// Settings of screening: the platform's own service that is asked before payments are sent.
import { ConfigError, optional, readNumber } from './config-values.ts';
import type { Environment } from './core/engine.ts';
import { findRuleFault, VERDICTS, type ReviewRule } from './domain/limits/review.ts';
import {
  DEFAULT_SCREENING_FIELDS,
  SCREENING_FIELDS,
  type ScreeningField,
  type ScreeningSettings,
} from './domain/limits/screening.ts';

const DEFAULT_DEADLINE_MS = 5_000;
const DEFAULT_AT_ONCE = 32;

export function readScreening(env: NodeJS.ProcessEnv, environment: Environment): ScreeningSettings | null {
  const url = optional(env, 'MALIPO_SCREENING_URL');
  if (url === undefined) return null;
  const { protocol } = URL.canParse(url) ? new URL(url) : { protocol: '' };
  if (protocol !== 'https:' && (protocol !== 'http:' || environment === 'production'))
    throw new ConfigError('MALIPO_SCREENING_URL must be an address with https; in a sandbox also http.');
  return {
    url,
    fields: readFields(env),
    deadlineMs: readNumber(env, 'MALIPO_SCREENING_DEADLINE_MS', DEFAULT_DEADLINE_MS, [100, 60_000]),
    atOnceMax: readNumber(env, 'MALIPO_SCREENING_AT_ONCE', DEFAULT_AT_ONCE, [1, 1_000]),
  };
}

function readFields(env: NodeJS.ProcessEnv): readonly ScreeningField[] {
  const text = optional(env, 'MALIPO_SCREENING_FIELDS');
  if (text === undefined) return DEFAULT_SCREENING_FIELDS;
  return partsOf(text).map((name) => {
    const field = SCREENING_FIELDS.find((one) => one === name);
    if (field !== undefined) return field;
    throw new ConfigError(
      `MALIPO_SCREENING_FIELDS must list some of ${SCREENING_FIELDS.join(', ')}, parted by commas, not "${name}".`,
    );
  });
}

/** Which kinds are screened for every merchant, and what is done without an answer. */
export function readScreeningRules(env: NodeJS.ProcessEnv): readonly ReviewRule[] {
  const rules = partsOf(optional(env, 'MALIPO_SCREENING_WITHOUT_ANSWER') ?? '').map((part) => {
    const [subject = '', value = ''] = part.split('=');
    const withoutAnswer = VERDICTS.find((one) => one === value) ?? null;
    const rule: ReviewRule = { rule: 'SCREENING', subject, withoutAnswer, amountAbove: null, hours: null };
    if (findRuleFault(rule) === null) return rule;
    throw new ConfigError(
      'MALIPO_SCREENING_WITHOUT_ANSWER must list kinds as "PAYOUT=HOLD,REFUND=ALLOW"; a DEPOSIT cannot be held.',
    );
  });
  const isRepeated = new Set(rules.map(({ subject }) => subject)).size < rules.length;
  if (isRepeated) throw new ConfigError('MALIPO_SCREENING_WITHOUT_ANSWER must name each kind once.');
  return rules;
}

function partsOf(text: string): readonly string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}
