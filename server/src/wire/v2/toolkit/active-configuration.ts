// The active configuration in API v2: everything a merchant needs to offer the right providers, check an amount before
// sending it, and instruct the payer.
import { Type, type Static } from 'typebox';
import type {
  ActiveCountry,
  ActiveCurrency,
  ActiveOperation,
} from '../../../domain/operators/active-configuration.ts';
import type { ProviderFacts } from '../../../domain/operators/catalogue.ts';
import { findInstructions } from '../../../domain/checkouts/instructions.ts';
import type { AnnouncedKind } from '../../../domain/payments/payment.ts';
import { amountTextSchema, countrySchema, currencyCodeSchema } from '../amount.ts';
import { statusSchema } from './availability.ts';
import { instructionsSchema, localTextSchema, renderInstructions } from '../checkouts/instructions.ts';
import { providerCodeSchema } from './provider.ts';

const operationFields = {
  minAmount: amountTextSchema('The smallest amount of one payment.', ['1']),
  maxAmount: amountTextSchema('The largest amount of one payment.', ['20000']),
  decimalsInAmount: Type.Enum(['NONE', 'TWO_PLACES'], {
    type: 'string',
    description: 'How many decimal places the provider takes in an amount: none, or up to two.',
  }),
  status: statusSchema,
  callbackUrl: Type.Optional(
    Type.String({
      description: 'Where callbacks of this type go; absent when you have set no address.',
      examples: ['https://merchant.example/callbacks'],
    }),
  ),
};

const operationSchema = Type.Object(operationFields);

const depositSchema = Type.Object({
  ...operationFields,
  authType: Type.Enum(['PROVIDER_AUTH', 'PREAUTH', 'REDIRECT_AUTH'], {
    type: 'string',
    description:
      'How the payer approves. PROVIDER_AUTH: by PIN on the phone. PREAUTH: with a one-time code that ' +
      'you send as preAuthorisationCode. REDIRECT_AUTH: on a page of the provider.',
  }),
  pinPrompt: Type.Optional(
    Type.Enum(['AUTOMATIC', 'MANUAL'], {
      type: 'string',
      description:
        'Only with PROVIDER_AUTH. AUTOMATIC: the prompt comes to the phone. MANUAL: the payer has to follow ' +
        'pinPromptInstructions; show them at once.',
    }),
  ),
  pinPromptRevivable: Type.Optional(
    Type.Boolean({
      description:
        'Only with PROVIDER_AUTH. Whether a payer who missed the prompt can call it up again by following ' +
        'pinPromptInstructions; show them after some seconds.',
    }),
  ),
  pinPromptInstructions: Type.Optional(instructionsSchema('How the payer gets to the prompt, where known.')),
  authTokenInstructions: Type.Optional(
    instructionsSchema('Only with PREAUTH: how the payer makes the one-time code.'),
  ),
});

const operationTypesSchema = Type.Object(
  {
    DEPOSIT: Type.Optional(depositSchema),
    PAYOUT: Type.Optional(operationSchema),
    REFUND: Type.Optional(operationSchema),
    REMITTANCE: Type.Optional(operationSchema),
  },
  { description: 'The types of operation that are active on your account.' },
);

const currencyEntrySchema = Type.Object({
  currency: currencyCodeSchema('A currency the provider takes: ISO 4217.'),
  displayName: Type.String({ description: 'The currency symbol.', examples: ['ZK'] }),
  operationTypes: operationTypesSchema,
});

const providerEntrySchema = Type.Object({
  provider: providerCodeSchema,
  nameDisplayedToCustomer: Type.Optional(
    Type.String({ description: 'The name that the payer sees.', examples: ['Demo Shop'] }),
  ),
  displayName: Type.String({ description: 'What people call the provider.', examples: ['MTN'] }),
  logo: artworkSchema('A badge for the provider.', 'providers/MTN_MOMO_ZMB'),
  currencies: Type.Array(currencyEntrySchema),
});

const countryEntrySchema = Type.Object({
  country: countrySchema,
  displayName: localTextSchema('The name of the country.', { en: 'Zambia', fr: 'Zambie' }),
  prefix: Type.String({ description: 'The dial code, digits only.', examples: ['260'] }),
  flag: artworkSchema('A badge for the country.', 'flags/ZMB'),
  providers: Type.Array(providerEntrySchema),
});

export const activeConfigurationSchema = Type.Object(
  {
    companyName: Type.String({ description: 'The name of your account.', examples: ['Demo Shop'] }),
    signatureConfiguration: Type.Object({
      signedRequestsOnly: Type.Boolean({
        description: 'Whether unsigned requests to start payments are refused.',
        examples: [false],
      }),
      signedCallbacks: Type.Boolean({ description: 'Whether callbacks are signed. They always are.' }),
    }),
    countries: Type.Array(countryEntrySchema),
  },
  {
    title: 'ActiveConfiguration',
    description: 'What is active on your account. Fields without a value are left out; none is ever null.',
  },
);

function artworkSchema(description: string, example: string) {
  return Type.String({
    format: 'uri',
    description: `${description} An SVG image; you may keep it.`,
    examples: [`https://pay.example.com/artwork/${example}.svg`],
  });
}

export type Configuration = {
  readonly companyName: string;
  readonly signedRequestsOnly: boolean;
  readonly countries: readonly ActiveCountry[];
  readonly callbackUrls: ReadonlyMap<AnnouncedKind, string>;
};

/** Where the artwork is served. */
export type ArtworkUrls = {
  readonly flagOf: (alpha3: string) => string;
  readonly logoOf: (provider: string) => string;
};

export function renderActiveConfiguration(
  { companyName, signedRequestsOnly, countries, callbackUrls }: Configuration,
  artwork: ArtworkUrls,
): Static<typeof activeConfigurationSchema> {
  return {
    companyName,
    signatureConfiguration: { signedRequestsOnly, signedCallbacks: true },
    countries: countries.map(({ country, providers }) => ({
      country: country.alpha3,
      displayName: country.displayName,
      prefix: country.prefix,
      flag: artwork.flagOf(country.alpha3),
      providers: providers.map(({ provider, currencies }) => ({
        provider: provider.code,
        // An account has no other name for payers.
        nameDisplayedToCustomer: companyName,
        displayName: provider.displayName,
        logo: artwork.logoOf(provider.code),
        currencies: currencies.map((currency) => renderCurrency({ provider, currency, callbackUrls })),
      })),
    })),
  };
}

function renderCurrency(of: {
  readonly provider: ProviderFacts;
  readonly currency: ActiveCurrency;
  readonly callbackUrls: Configuration['callbackUrls'];
}): Static<typeof currencyEntrySchema> {
  const { facts, operations } = of.currency;
  const entries = operations.map((operation) => {
    const common = renderOperation(operation, of.callbackUrls.get(operation.kind));
    const extra = operation.kind === 'DEPOSIT' ? renderAuthorisation(of.provider, facts.currency) : {};
    return [operation.kind, { ...common, ...extra }];
  });
  return {
    currency: facts.currency,
    displayName: facts.displayName,
    operationTypes: Object.fromEntries(entries),
  };
}

function renderOperation(
  { limits, status }: ActiveOperation,
  callbackUrl: string | undefined,
): Static<typeof operationSchema> {
  return {
    minAmount: limits.minAmountText,
    maxAmount: limits.maxAmountText,
    decimalsInAmount: limits.decimals === 0 ? 'NONE' : 'TWO_PLACES',
    status,
    ...(callbackUrl !== undefined && { callbackUrl }),
  };
}

type Authorisation = Omit<Static<typeof depositSchema>, keyof typeof operationFields>;

function renderAuthorisation(provider: ProviderFacts, currency: string): Authorisation {
  const instructions = findInstructions(provider.code, currency);
  const { authType, pinPrompt, pinPromptRevivable } = provider;
  switch (authType) {
    case 'PROVIDER_AUTH':
      return {
        authType,
        pinPrompt,
        pinPromptRevivable,
        ...(instructions !== null && { pinPromptInstructions: renderInstructions(instructions) }),
      };
    case 'PREAUTH':
      return {
        authType,
        ...(instructions !== null && { authTokenInstructions: renderInstructions(instructions) }),
      };
    case 'REDIRECT_AUTH':
      return { authType };
  }
}
