// Who may do what, read from the directory and remembered for a moment. A revocation or suspension therefore acts
// within the time given here, which must stay under the ten seconds the design promises.
import { withDefaults } from '../../domain/limits/default-limits.ts';
import type { Limit } from '../../domain/limits/limit.ts';
import { withDefaultRules, type ReviewRule } from '../../domain/limits/review.ts';
import type { PaymentKind } from '../../domain/payments/payment.ts';
import { isAwaited, type Recovery } from '../../domain/recovery.ts';
import {
  listUnavailable,
  type Availability,
  type ProviderOperation,
} from '../../store/operators/availability.ts';
import type { Database } from '../../store/database.ts';
import { findMerchant, type Merchant } from '../../store/merchants/merchants.ts';
import { findRecovery } from '../../store/recovery/recoveries.ts';
import { isAnyDecided } from '../../store/recovery/lost-payment-decisions.ts';
import { findToken, type StoredToken } from '../../store/access/tokens.ts';

export type Directory = {
  readonly merchant: (merchantId: string) => Promise<Merchant | null>;
  readonly token: (tokenId: string) => Promise<StoredToken | null>;
  readonly availability: (provider: string, operation: PaymentKind) => Promise<Availability>;
  /** Everything that is not OPERATIONAL, by "PROVIDER OPERATION". */
  readonly unavailable: () => Promise<ReadonlyMap<string, Availability>>;
  /** What is to be careful about since the database was restored; null where it never was. */
  readonly recovery: () => Promise<Recovery | null>;
  /**
   * Whether any payment could be one that a restore lost, of this cell or of another one. While it answers false, which
   * it does in an installation with one cell that was never restored, nothing has to be asked of each payment.
   */
  readonly mayBeLost: () => Promise<boolean>;
};

export type DirectoryOptions = {
  readonly rememberMs: number;
  /** Other cells may write here at any time what they have lost. */
  readonly hasOtherCells: boolean;
  /** What no one can keep from being paid twice after a restore: it must wait. */
  readonly blind: readonly ProviderOperation[];
  /** Limits of every merchant that has no other one of the same name. */
  readonly defaultLimits: readonly Limit[];
  /** The same of reviews. */
  readonly defaultReviewRules: readonly ReviewRule[];
};

export function createDirectory(database: Database, options: DirectoryOptions): Directory {
  const merchants = remembered(async (merchantId) => {
    const merchant = await findMerchant(database, merchantId);
    return (
      merchant && {
        ...merchant,
        limits: withDefaults(merchant.limits, options.defaultLimits),
        reviewRules: withDefaultRules(merchant.reviewRules, options.defaultReviewRules),
      }
    );
  }, options.rememberMs);
  const tokens = remembered((tokenId) => findToken(database, tokenId), options.rememberMs);
  const soonMs = Math.min(options.rememberMs, 1_000);
  const recoveries = remembered(() => findRecovery(database), soonMs);
  const decided = remembered(() => isAnyDecided(database), soonMs);
  const unavailable = remembered(async () => {
    const recovery = await recoveries('latest');
    const waiting = options.blind.filter(({ provider }) => isAwaited(recovery, provider));
    const delayed = waiting.map(
      ({ provider, operation }) => [`${provider} ${operation}`, 'DELAYED'] as const,
    );
    return new Map<string, Availability>([...delayed, ...(await listUnavailable(database))]);
  }, soonMs);
  return {
    merchant: merchants,
    token: tokens,
    availability: async (provider, operation) =>
      (await unavailable('all')).get(`${provider} ${operation}`) ?? 'OPERATIONAL',
    unavailable: () => unavailable('all'),
    recovery: () => recoveries('latest'),
    mayBeLost: async () =>
      options.hasOtherCells || (await recoveries('latest')) !== null || (await decided('any')),
  };
}

/** As many answers as are kept; beyond that the oldest go. */
const REMEMBERED_MAX = 10_000;

/** Remembers the answers of `read` by key. Simultaneous callers share one read; failures are not remembered. */
export function remembered<Value>(read: (key: string) => Promise<Value>, rememberMs: number) {
  const answers = new Map<string, { readonly value: Promise<Value>; readonly until: number }>();
  return (key: string): Promise<Value> => {
    const now = performance.now();
    const known = answers.get(key);
    if (known !== undefined && known.until > now) return known.value;
    const value = read(key);
    answers.delete(key);
    answers.set(key, { value, until: now + rememberMs });
    value.catch(() => answers.delete(key));
    if (answers.size > REMEMBERED_MAX) answers.delete(answers.keys().next().value ?? key);
    return value;
  };
}
