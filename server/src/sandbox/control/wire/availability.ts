// The availability of a provider, as the sandbox's control API reads and shows it.
import { Type, type Static } from 'typebox';
import { findProvider } from '../../../domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type PaymentKind } from '../../../domain/payments/payment.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../../wire/fault.ts';
import { valueAt } from '../../../wire/json.ts';
import { statusSchema } from '../../../wire/v2/toolkit/availability.ts';
import { providerCodeSchema } from '../../../wire/v2/toolkit/provider.ts';

const operationSchema = Type.Enum(PAYMENT_KINDS, { type: 'string', description: 'The type of operation.' });

export const providerPathSchema = Type.Object(
  { provider: providerCodeSchema },
  { additionalProperties: false },
);

export const providerOperationPathSchema = Type.Object(
  { provider: providerCodeSchema, operation: operationSchema },
  { additionalProperties: false },
);

export const availabilityChangeSchema = Type.Object(
  { status: statusSchema },
  { additionalProperties: false, title: 'AvailabilityChange' },
);

const operationAvailabilitySchema = Type.Object({
  status: statusSchema,
  setBy: Type.Optional(
    Type.Enum(['HAND', 'MEASURED'], {
      type: 'string',
      description:
        'HAND: you set it, and it stays until you change it. MEASURED: calls to the provider failed, and it ends ' +
        'when they succeed again. Absent when OPERATIONAL.',
    }),
  ),
});

export const providerAvailabilitySchema = Type.Object(
  {
    provider: providerCodeSchema,
    operations: Type.Object({
      DEPOSIT: operationAvailabilitySchema,
      PAYOUT: operationAvailabilitySchema,
      REFUND: operationAvailabilitySchema,
      REMITTANCE: operationAvailabilitySchema,
    }),
  },
  { title: 'ProviderAvailability', description: 'The availability of one provider, for everybody.' },
);

type OperationAvailability = Static<typeof operationAvailabilitySchema>;

export type AvailabilityChange = Static<typeof availabilityChangeSchema>;

export function parseProviderPath(path: unknown): Parsed<{ readonly provider: string }> {
  const fault = findFault(providerPathSchema, path, listProviderFaults(path));
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: path as Static<typeof providerPathSchema> };
}

export function parseProviderOperationPath(
  path: unknown,
): Parsed<{ readonly provider: string; readonly operation: PaymentKind }> {
  const fault = findFault(providerOperationPathSchema, path, listProviderFaults(path));
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: path as Static<typeof providerOperationPathSchema> };
}

export function parseAvailabilityChange(body: unknown): Parsed<AvailabilityChange> {
  const fault = findFault(availabilityChangeSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as AvailabilityChange };
}

/** Operations that are not in `unavailable` are OPERATIONAL. */
export function renderProviderAvailability(
  provider: string,
  unavailable: ReadonlyMap<PaymentKind, Required<OperationAvailability>>,
): Static<typeof providerAvailabilitySchema> {
  const of = (kind: PaymentKind): OperationAvailability => unavailable.get(kind) ?? { status: 'OPERATIONAL' };
  return {
    provider,
    operations: {
      DEPOSIT: of('DEPOSIT'),
      PAYOUT: of('PAYOUT'),
      REFUND: of('REFUND'),
      REMITTANCE: of('REMITTANCE'),
    },
  };
}

function listProviderFaults(path: unknown): readonly Fault[] {
  const provider = valueAt(path, 'provider');
  if (typeof provider !== 'string' || findProvider(provider) !== null) return [];
  return [invalidFault('provider', 'there is no provider with this code')];
}
