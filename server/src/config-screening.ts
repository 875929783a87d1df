// Settings of reviews: the platform's own service that is asked before payments are sent, and what people look at.
import { readAmounts } from './config-limits.ts';
import { ConfigError, optional, readNumber } from './config-values.ts';
import type { Environment } from './core/engine.ts';
import { productionReviewAmounts, type CurrencyAmounts } from './domain/limits/default-limits.ts';
import { COOLING_OFF_HOURS_MAX, findRuleFault, VERDICTS, type ReviewRule } from './domain/limits/review.ts';
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

/** A day, in which a merchant notices a token or an address that is not its own. */
const DEFAULT_COOLING_OFF_HOURS = 24;

/** What is screened or held of every merchant that has no other rule of the same name. */
export function readReviewRules(env: NodeJS.ProcessEnv, environment: Environment): readonly ReviewRule[] {
  const usual = productionReviewAmounts();
  const first = readAmounts(env, environment, { name: 'MALIPO_FIRST_RECIPIENT', usual });
  const cooling = readAmounts(env, environment, { name: 'MALIPO_COOLING_OFF', usual });
  const range = [1, COOLING_OFF_HOURS_MAX] as const;
  const hours = readNumber(env, 'MALIPO_COOLING_OFF_HOURS', DEFAULT_COOLING_OFF_HOURS, range);
  return [
    ...readScreeningRules(env),
    ...brakesOf('FIRST_RECIPIENT', first, null),
    ...brakesOf('COOLING_OFF', cooling, hours),
  ];
}

function brakesOf(
  rule: 'FIRST_RECIPIENT' | 'COOLING_OFF',
  amounts: CurrencyAmounts,
  hours: number | null,
): readonly ReviewRule[] {
  return [...amounts].map(([subject, amountAbove]) => ({
    rule,
    subject,
    withoutAnswer: null,
    amountAbove,
    hours,
  }));
}

/** Which kinds are screened, and what is done without an answer. */
function readScreeningRules(env: NodeJS.ProcessEnv): readonly ReviewRule[] {
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
