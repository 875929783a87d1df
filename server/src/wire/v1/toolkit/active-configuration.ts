// The active configuration in API v1: one entry per provider and currency.
import { Type, type Static } from 'typebox';
import type {
  ActiveCountry,
  ActiveOperation,
  ActiveProvider,
} from '../../../domain/operators/active-configuration.ts';
import type { PaymentKind } from '../../../domain/payments/payment.ts';
import { amountTextSchema, countrySchema, currencyCodeSchema } from '../../v2/amount.ts';
import { correspondentSchema } from './provider.ts';

export const OPERATION_TYPES = ['DEPOSIT', 'PAYOUT', 'REFUND'] as const;
type OperationType = (typeof OPERATION_TYPES)[number];

export const activeConfigurationSchema = Type.Object(
  {
    merchantId: Type.String({
      description: 'The identifier of your account.',
      examples: ['4e0f6b1c-93d8-4a27-b5e1-7c2d90a3f846'],
    }),
    merchantName: Type.String({ description: 'The name of your account.', examples: ['Demo Shop'] }),
    countries: Type.Array(
      Type.Object({
        country: countrySchema,
        correspondents: Type.Array(
          Type.Object({
            correspondent: correspondentSchema,
            currency: currencyCodeSchema('A currency the provider takes: ISO 4217.'),
            ownerName: Type.String({ description: 'The name that the payer sees.', examples: ['Demo Shop'] }),
            operationTypes: Type.Array(
              Type.Object({
                operationType: Type.Enum(OPERATION_TYPES, { type: 'string' }),
                minTransactionLimit: amountTextSchema('The smallest amount of one payment.', ['1']),
                maxTransactionLimit: amountTextSchema('The largest amount of one payment.', ['20000']),
              }),
            ),
          }),
        ),
      }),
    ),
  },
  { title: 'ActiveConfiguration', description: 'What is active on your account.' },
);

export type Configuration = {
  readonly merchantId: string;
  readonly companyName: string;
  readonly countries: readonly ActiveCountry[];
};

export function renderActiveConfiguration({
  merchantId,
  companyName,
  countries,
}: Configuration): Static<typeof activeConfigurationSchema> {
  return {
    merchantId,
    merchantName: companyName,
    countries: countries.map(({ country, providers }) => ({
      country: country.alpha3,
      correspondents: providers.flatMap((active) =>
        listEntries(active).map((entry) => ({ ...entry, ownerName: companyName })),
      ),
    })),
  };
}

function listEntries({ provider, currencies }: ActiveProvider) {
  return currencies.flatMap(({ facts, operations }) => {
    const operationTypes = operations.flatMap((operation) =>
      isServed(operation.kind, provider) ? [renderOperation(operation.kind, operation)] : [],
    );
    const { currency } = facts;
    return operationTypes.length === 0 ? [] : [{ correspondent: provider.code, currency, operationTypes }];
  });
}

/** API v1 has no remittances and no redirects. */
export function isServed(
  kind: PaymentKind,
  { authType }: Pick<ActiveProvider['provider'], 'authType'>,
): kind is OperationType {
  if (kind === 'DEPOSIT') return authType !== 'REDIRECT_AUTH';
  return kind !== 'REMITTANCE';
}

function renderOperation(operationType: OperationType, { limits }: ActiveOperation) {
  return {
    operationType,
    minTransactionLimit: limits.minAmountText,
    maxTransactionLimit: limits.maxAmountText,
  };
}
