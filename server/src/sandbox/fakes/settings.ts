// Settings that can be changed while the simulator runs.
import type { JsonObject } from '../../connectors/json.ts';

export type Settings = {
  /** Real time between accepting a request and answering it. */
  answerDelayMs: number;
  /** Time of the injected clock between accepting a transaction and its end; 0: it ends in the answer. */
  outcomeDelayMs: number;
  /** 0: a token is valid for one request. */
  tokenLifetimeSeconds: number;
  notifications: boolean;
  /** Delays before the 2nd, 3rd, … attempt of a notification that was not accepted. Some operators try only once. */
  notificationRetryDelaysMs: readonly number[];
  /** AUTO: a redirected payer approves after the outcome delay. MANUAL: a person must use the page. */
  redirects: 'AUTO' | 'MANUAL';
  /** The same for prompts on the phone: MANUAL waits until the prompt is answered. */
  prompts: 'AUTO' | 'MANUAL';
  /** How long an operator waits for a payer who ignores the prompt. */
  promptTimeoutMs: number;
  /** RECOGNISED: a repeated reference is not charged again. CHARGED: it is, as with some real operators. */
  repeats: 'RECOGNISED' | 'CHARGED';
};

export const DEFAULT_SETTINGS: Settings = {
  answerDelayMs: 0,
  outcomeDelayMs: 0,
  tokenLifetimeSeconds: 3_600,
  notifications: true,
  notificationRetryDelaysMs: [],
  redirects: 'AUTO',
  prompts: 'AUTO',
  promptTimeoutMs: 60_000,
  repeats: 'RECOGNISED',
};

const CHECKS: Readonly<Record<keyof Settings, (value: unknown) => boolean>> = {
  answerDelayMs: isCount,
  outcomeDelayMs: isCount,
  tokenLifetimeSeconds: isCount,
  notifications: (value) => typeof value === 'boolean',
  notificationRetryDelaysMs: (value) => Array.isArray(value) && value.every(isCount),
  redirects: isMode,
  prompts: isMode,
  promptTimeoutMs: isCount,
  repeats: (value) => value === 'RECOGNISED' || value === 'CHARGED',
};

/** The settings to change, or the name of the first invalid member. */
export function parseSettings(value: JsonObject): { settings: Partial<Settings> } | { problem: string } {
  for (const [name, wanted] of Object.entries(value)) {
    const isValid = Object.hasOwn(CHECKS, name) ? CHECKS[name as keyof Settings] : undefined;
    if (isValid === undefined) return { problem: `there is no setting '${name}'` };
    if (!isValid(wanted)) return { problem: `the setting '${name}' cannot be ${JSON.stringify(wanted)}` };
  }
  return { settings: value };
}

function isMode(value: unknown): boolean {
  return value === 'AUTO' || value === 'MANUAL';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

/** The given settings, with defaults for the rest. */
export function settingsOf(options: Partial<Settings>): Settings {
  const names = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];
  const given = names.filter((name) => options[name] !== undefined).map((name) => [name, options[name]]);
  return { ...DEFAULT_SETTINGS, ...Object.fromEntries(given) };
}
