// Limits of a merchant: how many payments, or how much money, in a minute, hour, day or month.
import { askedByCommand } from '../../../core/approvals/request.ts';
import { changeLimit, type LimitOrder } from '../../../core/limits/set-limits.ts';
import type { Engine } from '../../../core/engine.ts';
import { withDefaults } from '../../../domain/limits/default-limits.ts';
import {
  describeLimit,
  LIMIT_PERIODS,
  LIMIT_SCOPES,
  limitName,
  type LimitKey,
  type LimitMaxima,
} from '../../../domain/limits/limit.ts';
import { findKeyFault, type LimitFault } from '../../../domain/limits/limit-faults.ts';
import { parseAmount } from '../../../domain/money.ts';
import { PAYMENT_KINDS } from '../../../domain/payments/payment.ts';
import { findToken } from '../../../store/access/tokens.ts';
import { listLimits } from '../../../store/limits/limits.ts';
import { merchantCommand, nothing, REQUESTED } from '../../command.ts';
import { print, refuse, row } from '../../output.ts';
import { UsageError, type Options } from '../../options.ts';

const WHICH =
  '--merchant ID --kind PAYOUT --scope MERCHANT|TOKEN|PROVIDER|COUNTRY|NUMBER [--only VALUE] --period DAY';

export const limitCommands = {
  'limit set': merchantCommand({
    usage: `${WHICH} [--currency RWF] [--count-max 100] [--amount-max 500000] --by NAME`,
    summary: 'limit payments per minute, hour, day or month (UTC); raising it needs approval',
    read: (options) => ({ by: options.person(), key: readKey(options), maxima: readMaxima(options) }),
    run: async (engine, order) => {
      await requireToken(engine, order);
      await change(engine, order);
    },
  }),
  'limit remove': merchantCommand({
    usage: `${WHICH} [--currency RWF] --by NAME`,
    summary: 'remove a limit, after approval',
    read: (options) => ({ by: options.person(), key: readKey(options), maxima: null }),
    run: async (engine, order) => change(engine, order),
  }),
  'limit list': merchantCommand({
    usage: '--merchant ID',
    summary: 'list limits, and which are defaults',
    read: nothing,
    run: async ({ store, defaultLimits }, { merchantId }) => {
      const own = await listLimits(store.database, merchantId);
      for (const limit of withDefaults(own, defaultLimits))
        print(row(limitName(limit), describeLimit(limit), defaultLimits.includes(limit) ? 'default' : ''));
    },
  }),
};

async function change(
  engine: Engine,
  { by, ...order }: Pick<LimitOrder, 'merchantId' | 'key' | 'maxima'> & { readonly by: string },
): Promise<void> {
  switch (await changeLimit(engine, { ...order, ...askedByCommand(engine, by) })) {
    case 'DONE':
      return print('done; it counts within ten seconds');
    case 'REQUESTED':
      return print(REQUESTED);
    case 'NOT_FOUND':
      return refuse('There is no such limit.');
  }
}

/** Of this merchant, or the limit would count nothing. */
async function requireToken(
  { store }: Engine,
  { merchantId, key }: Pick<LimitOrder, 'merchantId' | 'key'>,
): Promise<void> {
  if (key.scope !== 'TOKEN' || key.subject === '') return;
  const token = await findToken(store.database, key.subject);
  if (token?.merchantId !== merchantId) throw new UsageError('The merchant has no such API token.');
}

function readKey(options: Options): LimitKey {
  const key: LimitKey = {
    setBy: 'PLATFORM',
    kind: options.oneOf('kind', PAYMENT_KINDS),
    scope: options.oneOf('scope', LIMIT_SCOPES),
    subject: options.textOrNull('only') ?? '',
    period: options.oneOf('period', LIMIT_PERIODS),
    currency: options.textOrNull('currency') ?? '',
  };
  const fault = findKeyFault(key);
  if (fault !== null) throw new UsageError(FAULTS[fault]);
  return key;
}

const FAULTS: Readonly<Record<LimitFault, string>> = {
  NOTHING_LIMITED: '--count-max or --amount-max is missing.',
  SUBJECT_NOT_ALLOWED: '--only names a token, a provider or a country.',
  PROVIDER_UNKNOWN: '--only must be the code of a provider, such as MTN_MOMO_RWA.',
  COUNTRY_UNKNOWN: '--only must be a country such as RWA.',
  CURRENCY_UNKNOWN: '--currency must be one that a provider has, such as RWF.',
  CURRENCY_MISSING: '--amount-max needs --currency: amounts of several currencies have no sum.',
};

function readMaxima(options: Options): LimitMaxima {
  const [count, amount] = [options.textOrNull('count-max'), options.textOrNull('amount-max')];
  if (count === null && amount === null) throw new UsageError(FAULTS.NOTHING_LIMITED);
  if (count !== null && !/^\d{1,9}$/.test(count))
    throw new UsageError('--count-max must be a whole number such as 100.');
  const amountMax = amount === null ? null : parseAmount(amount);
  if (amount !== null && amountMax === null)
    throw new UsageError('--amount-max must be an amount such as 500000 or 12.5.');
  if (amount !== null && !options.isGiven('currency')) throw new UsageError(FAULTS.CURRENCY_MISSING);
  return { countMax: count === null ? null : Number(count), amountMax };
}
