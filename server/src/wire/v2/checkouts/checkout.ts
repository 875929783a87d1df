// Checkouts of API v2: the request and its answer.
import { Type, type Static } from 'typebox';
import { CHECKOUT_MINUTES, RETURN_METHODS, type ReturnMethod } from '../../../domain/checkouts/checkout.ts';
import type { FailureReason, RejectionCode } from '../../../domain/failure.ts';
import { LANGUAGES, type PageOrder, type PagePayer } from '../../../domain/checkouts/page-terms.ts';
import { countSchema, listCountFaults } from '../../count.ts';
import { findFault, invalidFault, type Fault, type Parsed } from '../../fault.ts';
import { valueAt } from '../../json.ts';
import { amountSchema, countryCodeSchema, currencySchema } from '../amount.ts';
import { customerMessageSchema } from '../customer-message.ts';
import { clientReferenceIdSchema, paymentIdSchema } from '../identifier.ts';
import { INITIATION_NOTE, initiationFields, renderInitiation } from '../initiation.ts';
import { findRepeatedName, listMetadataFaults, metadataRequestSchema, parseMetadata } from '../metadata.ts';
import { partyFields, unknownProviderFault } from '../party.ts';
import {
  listReturnUrlFaults,
  redirectUrlSchema,
  returnUrlSchema,
  unknownCountryFault,
  type PageSurroundings,
} from './return-url.ts';
import { renderTimestamp, timestampSchema } from '../timestamp.ts';

/** Far more than there are countries and currencies. */
const PLACES_MAX = 50;

const REJECTION_CODES: readonly RejectionCode[] = [
  'INVALID_PROVIDER',
  'INVALID_COUNTRY',
  'INVALID_PHONE_NUMBER',
  'INVALID_CURRENCY',
  'INVALID_AMOUNT',
  'AMOUNT_OUT_OF_BOUNDS',
];

export const checkoutIdSchema = paymentIdSchema('checkout');

const { phoneNumber, provider } = partyFields.accountDetails.properties;

/** What requests and records have in common. */
export const checkoutFields = {
  returnUrl: returnUrlSchema('`checkoutId` and `checkoutCode`'),
  returnMethod: Type.Enum(RETURN_METHODS, {
    type: 'string',
    description:
      'How the customer returns once the checkout has ended. INSTANT (the default): at once. COUNTDOWN: after a few ' +
      'seconds. CUSTOMER_ACTION: by pressing a button.',
  }),
  defaultLanguage: Type.Enum(LANGUAGES, {
    type: 'string',
    description: "The page's language until the customer chooses another. Without it, the browser says.",
  }),
  countries: Type.Array(countryCodeSchema('A country.'), {
    minItems: 1,
    maxItems: PLACES_MAX,
    description:
      'Only wallets of these countries can pay. Without it, those of every country of your account.',
  }),
  expiresAfter: countSchema(
    CHECKOUT_MINUTES,
    `For how many minutes the customer can start to pay; ${CHECKOUT_MINUTES.default} when left out.`,
    30,
  ),
  amounts: Type.Array(
    Type.Object(
      { country: countryCodeSchema('The country.'), currency: currencySchema, amount: amountSchema },
      { additionalProperties: false },
    ),
    {
      minItems: 1,
      maxItems: PLACES_MAX,
      description:
        'How much, by country and currency; others cannot pay. Without it, the customer enters the amount.',
    },
  ),
  payer: Type.Object(
    {
      type: partyFields.type,
      accountDetails: Type.Object(
        {
          phoneNumber: Type.Optional(phoneNumber),
          provider: Type.Optional(provider),
          allowCustomerToOverride: Type.Boolean({
            description: 'Whether the customer may pay from another wallet.',
          }),
        },
        { additionalProperties: false },
      ),
    },
    { additionalProperties: false, description: 'The wallet that pays, as far as you know it.' },
  ),
  clientReferenceId: clientReferenceIdSchema,
  reason: Type.Object(
    { en: Type.Optional(customerMessageSchema), fr: Type.Optional(customerMessageSchema) },
    {
      additionalProperties: false,
      minProperties: 1,
      description: 'What the customer pays for, by language. It is the customerMessage of the attempts too.',
    },
  ),
};

/** Errors are reported in the order of these fields. */
export const checkoutRequestSchema = Type.Object(
  {
    checkoutId: checkoutIdSchema,
    returnUrl: checkoutFields.returnUrl,
    returnMethod: Type.Optional(checkoutFields.returnMethod),
    defaultLanguage: Type.Optional(checkoutFields.defaultLanguage),
    countries: Type.Optional(checkoutFields.countries),
    expiresAfter: Type.Optional(checkoutFields.expiresAfter),
    amounts: Type.Optional(checkoutFields.amounts),
    payer: Type.Optional(checkoutFields.payer),
    clientReferenceId: Type.Optional(checkoutFields.clientReferenceId),
    reason: Type.Optional(checkoutFields.reason),
    metadata: Type.Optional(metadataRequestSchema),
  },
  {
    additionalProperties: false,
    title: 'CheckoutRequest',
    description: 'Opens a page where a customer can try to pay until it expires.',
  },
);

/** Where the customer goes, and until when. */
export const addressFields = {
  redirectUrl: redirectUrlSchema('https://gateway.example/checkout/0001kT5vQm2ZrJ8wXc'),
  expiresAt: timestampSchema('Until when the customer can start to pay.', '2026-01-02T03:34:05.678Z'),
  checkoutCode: Type.String({
    description:
      'The last part of redirectUrl: 18 letters and digits. Anyone who knows it can open the page.',
    examples: ['0001kT5vQm2ZrJ8wXc'],
  }),
};

export const checkoutInitiationSchema = Type.Object(
  {
    checkoutId: checkoutIdSchema,
    ...initiationFields('checkout', REJECTION_CODES),
    redirectUrl: Type.Optional(addressFields.redirectUrl),
    expiresAt: Type.Optional(addressFields.expiresAt),
    checkoutCode: Type.Optional(addressFields.checkoutCode),
  },
  { title: 'CheckoutInitiation', description: INITIATION_NOTE },
);

/** A checkout request. */
export type CheckoutRequest = {
  readonly writtenId: string;
  readonly asked: PageOrder & { readonly returnMethod: ReturnMethod; readonly expiresAfterMinutes: number };
};

export type CheckoutSurroundings = PageSurroundings & { readonly isProvider: (code: string) => boolean };

/** Returns FAULT with the one error to report for any `body`; never throws. */
export function parseCheckoutRequest(
  body: unknown,
  surroundings: CheckoutSurroundings,
): Parsed<CheckoutRequest> {
  const fault = findFault(checkoutRequestSchema, body, listFurtherFaults(body, surroundings));
  if (fault !== null) return { type: 'FAULT', fault };
  const request = body as Static<typeof checkoutRequestSchema>;
  const repeated = findRepeatedName(request.metadata);
  if (repeated !== null) return { type: 'FAULT', fault: repeated };
  return { type: 'PARSED', request: { writtenId: request.checkoutId, asked: askedOf(request) } };
}

function askedOf(request: Static<typeof checkoutRequestSchema>): CheckoutRequest['asked'] {
  const { returnUrl, defaultLanguage, countries, amounts, payer, clientReferenceId, reason, metadata } =
    request;
  const customerMessage = reason?.[defaultLanguage ?? 'en'] ?? reason?.en ?? reason?.fr;
  return {
    returnUrl,
    returnMethod: request.returnMethod ?? 'INSTANT',
    expiresAfterMinutes: request.expiresAfter ?? CHECKOUT_MINUTES.default,
    terms: {
      ...(countries !== undefined && { countries }),
      ...(amounts !== undefined && {
        amounts: amounts.map(({ amount: amountText, ...place }) => ({ ...place, amountText })),
      }),
      ...(payer !== undefined && { payer: payerOf(payer.accountDetails) }),
    },
    ...(defaultLanguage !== undefined && { language: defaultLanguage }),
    ...(reason !== undefined && { reason }),
    details: {
      ...(customerMessage !== undefined && { customerMessage }),
      ...(clientReferenceId !== undefined && { clientReferenceId }),
      ...(metadata !== undefined && { metadata: parseMetadata(metadata) }),
    },
  };
}

type AccountDetails = Static<typeof checkoutFields.payer>['accountDetails'];

function payerOf({ allowCustomerToOverride: canChange, ...wallet }: AccountDetails): PagePayer {
  return { ...wallet, canChange };
}

/** The outcome of a request to open a checkout. */
export type CheckoutInitiation =
  | {
      readonly type: 'ACCEPTED' | 'DUPLICATE_IGNORED';
      readonly createdAt: Date;
      readonly expiresAt: Date;
      readonly order: { readonly code: string; readonly redirectUrl: string };
    }
  | { readonly type: 'REJECTED'; readonly failureReason: FailureReason };

/** `checkoutId` is the identifier as written in this request. */
export function renderCheckoutInitiation(
  checkoutId: string,
  initiation: CheckoutInitiation,
): Static<typeof checkoutInitiationSchema> {
  if (initiation.type === 'REJECTED') return { checkoutId, ...renderInitiation(initiation) };
  const { type, createdAt, expiresAt, order } = initiation;
  return {
    checkoutId,
    ...renderInitiation({ type, createdAt }),
    redirectUrl: order.redirectUrl,
    expiresAt: renderTimestamp(expiresAt),
    checkoutCode: order.code,
  };
}

/** Errors that the schema cannot express. */
function listFurtherFaults(body: unknown, surroundings: CheckoutSurroundings): readonly Fault[] {
  const code = valueAt(body, 'payer', 'accountDetails', 'provider');
  return [
    ...listReturnUrlFaults(body, surroundings),
    ...listPlaceFaults(body, surroundings),
    ...listCountFaults(body, { expiresAfter: CHECKOUT_MINUTES }),
    ...(typeof code === 'string' && !surroundings.isProvider(code) ? [unknownProviderFault('payer')] : []),
    ...listMetadataFaults(valueAt(body, 'metadata')),
  ];
}

/** Countries must be supported, and each amount must be for one of them, once per currency. */
function listPlaceFaults(body: unknown, { isCountry }: PageSurroundings): readonly Fault[] {
  const countries = listAt(body, 'countries');
  const places = listAt(body, 'amounts').map((amount) => ({
    country: valueAt(amount, 'country'),
    currency: valueAt(amount, 'currency'),
  }));
  const isStrange = (country: unknown) =>
    typeof country === 'string' && /^[A-Z]{3}$/.test(country) && !isCountry(country);
  const isOutside = (country: unknown) => countries.length > 0 && !countries.includes(country);
  const isRepeated = (place: (typeof places)[number], index: number) =>
    places.findIndex(({ country, currency }) => country === place.country && currency === place.currency) <
    index;
  return [
    ...countries.flatMap((country, index) =>
      isStrange(country) ? [unknownCountryFault(`countries[${index}]`)] : [],
    ),
    ...places.flatMap((place, index) => {
      const name = `amounts[${index}].country`;
      if (isStrange(place.country)) return [unknownCountryFault(name)];
      if (isOutside(place.country)) return [invalidFault(name, 'it must be one of the countries')];
      return isRepeated(place, index) ? [invalidFault(name, 'it is there twice with this currency')] : [];
    }),
  ];
}

function listAt(body: unknown, name: string): readonly unknown[] {
  const value = valueAt(body, name);
  return Array.isArray(value) ? (value as readonly unknown[]).slice(0, PLACES_MAX) : [];
}
