// Up to which amount payouts need no second approver, and which payouts are possible.
import { Type, type Static } from 'typebox';
import type { ActiveCountry } from '../../../domain/operators/active-configuration.ts';
import { renderAmount, type Amount } from '../../../domain/money.ts';
import type { ApprovalLimits } from '../../../domain/payments/payout-batch.ts';
import { amountSchema, currencySchema } from '../../v2/amount.ts';
import { approvalSchema } from '../approval.ts';
import { merchantPath, orNull, outcomeSchema, strict, describeCalls, arrayOf } from '../shape.ts';

const limitSchema = strict({
  currency: Type.String(),
  /** Null: the platform's limit applies. */
  own: orNull(Type.String()),
  /** The limit in force. "0": every payout needs a second approver. */
  amount: Type.String(),
  /** The pending request to raise it. */
  approval: orNull(approvalSchema),
});

const limitPath = strict({ ...merchantPath.properties, currency: currencySchema });

export const payoutLimitCalls = describeCalls({
  listPayoutLimits: {
    path: merchantPath,
    answer: strict({ limits: Type.Array(limitSchema) }),
  },
  changePayoutLimit: {
    path: limitPath,
    body: strict({ amount: amountSchema }),
    answer: strict({ outcome: outcomeSchema }),
  },
  readPayoutOptions: {
    path: merchantPath,
    answer: strict({
      providers: arrayOf({
        provider: Type.String(),
        name: Type.String(),
        country: Type.String(),
        currency: Type.String(),
        decimals: Type.Integer(),
        minAmount: Type.String(),
        maxAmount: Type.String(),
        status: Type.String(),
      }),
    }),
  },
});

type Limit = {
  readonly currency: string;
  readonly amount: Amount | null;
  readonly approval: Static<typeof approvalSchema> | null;
};

/** Limits of the merchant and of the platform, each currency once. */
export function renderLimits(own: readonly Limit[], host: ApprovalLimits): Static<typeof limitSchema>[] {
  const byCurrency = new Map(own.map((limit) => [limit.currency, limit]));
  const currencies = [...new Set([...byCurrency.keys(), ...host.keys()])].toSorted();
  return currencies.map((currency) => {
    const { amount = null, approval = null } = byCurrency.get(currency) ?? {};
    return {
      currency,
      own: amount === null ? null : renderAmount(amount),
      amount: renderAmount(amount ?? host.get(currency) ?? 0n),
      approval,
    };
  });
}

export function renderOptions(
  countries: readonly ActiveCountry[],
): Static<typeof payoutLimitCalls.readPayoutOptions.answer> {
  return {
    providers: countries.flatMap(({ country, providers }) =>
      providers.flatMap(({ provider, currencies }) =>
        currencies.flatMap(({ facts, operations }) =>
          operations.map(({ limits, status }) => ({
            provider: provider.code,
            name: provider.displayName,
            country: country.alpha3,
            currency: facts.currency,
            decimals: limits.decimals,
            minAmount: limits.minAmountText,
            maxAmount: limits.maxAmountText,
            status,
          })),
        ),
      ),
    ),
  };
}
