// Which connector handles the payments of which provider.
import { Type, type Static } from 'typebox';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import { providerCodeSchema } from '../../../wire/v2/toolkit/provider.ts';

const operatorSchema = Type.Object(
  {
    connector: Type.String({ description: 'The connector, such as mtn-momo.', examples: ['simulator'] }),
    fakeUrl: Type.Optional(
      Type.String({
        description:
          "Where the operator's fake is controlled, below /control. Absent for the simulator, which is controlled " +
          'by the addresses of this document, and where the operator is no fake.',
      }),
    ),
    providers: Type.Array(
      Type.Object({
        provider: providerCodeSchema,
        operations: Type.Array(Type.Enum(PAYMENT_KINDS, { type: 'string' }), {
          description: 'The types of operation that this connector carries for the provider.',
        }),
      }),
    ),
  },
  { title: 'Operator', description: 'A connector, and the providers whose payments it carries.' },
);

export const operatorsSchema = Type.Array(operatorSchema, { title: 'Operators' });

export type CarriedOperation = {
  readonly connector: string;
  readonly provider: string;
  readonly operation: PaymentKind;
};

export function renderOperators(
  carried: readonly CarriedOperation[],
  fakeUrls: ReadonlyMap<string, string>,
): Static<typeof operatorsSchema> {
  return [...Map.groupBy(carried, ({ connector }) => connector)].map(([connector, own]) => {
    const providers = [...Map.groupBy(own, ({ provider }) => provider)].map(([provider, some]) => ({
      provider,
      operations: some.map(({ operation }) => operation),
    }));
    const fakeUrl = fakeUrls.get(connector);
    return { connector, ...(fakeUrl === undefined ? {} : { fakeUrl }), providers };
  });
}
