// How the payer approves a deposit, in requests and records: by PIN prompt (PROVIDER_AUTH), with a code created in
// advance (PREAUTH) or on a page of the provider (REDIRECT_AUTH).
import { Type, type Static } from 'typebox';
import type { ProviderFacts } from '../../../domain/operators/catalogue.ts';
import type { Payment } from '../../../domain/payments/payment.ts';
import { invalidFault, missingFault, type Fault } from '../../fault.ts';
import { valueAt } from '../../json.ts';

export type AuthType = ProviderFacts['authType'];

/** A length that browsers and proxies support. */
export const URL_LENGTH_MAX = 2_048;

export const preAuthorisationCodeSchema = Type.String({
  minLength: 1,
  maxLength: 36,
  description: 'The one-time code of the customer. Required when the authType of the provider is PREAUTH.',
  examples: ['3514'],
});

export const successfulUrlSchema = urlSchema('Where the customer returns after approving the payment.');
export const failedUrlSchema = urlSchema('Where the customer returns if the payment was not approved.');

function urlSchema(purpose: string) {
  return Type.String({
    format: 'uri',
    maxLength: URL_LENGTH_MAX,
    description: `${purpose} An https URL; the sandbox takes http too. Required when the authType of the provider is REDIRECT_AUTH.`,
    examples: ['https://merchant.example/orders/123456'],
  });
}

export const nextStepSchema = Type.Enum(['FINAL_STATUS', 'GET_AUTH_URL', 'REDIRECT_TO_AUTH_URL'], {
  type: 'string',
  description:
    'What you do next. FINAL_STATUS: wait for the final status. GET_AUTH_URL: ask for the status until ' +
    'authorizationUrl appears. REDIRECT_TO_AUTH_URL: send the customer to authorizationUrl.',
});

/** The fields of a record that only the redirect flow has. */
export const redirectFields = {
  nextStep: Type.Optional(nextStepSchema),
  authorizationUrl: Type.Optional(
    Type.String({
      format: 'uri',
      description: 'Where you send the customer to approve the payment.',
      examples: ['https://pay.provider.example/c/9f3k2'],
    }),
  ),
  successfulUrl: Type.Optional(successfulUrlSchema),
  failedUrl: Type.Optional(failedUrlSchema),
};

type RedirectRecord = Static<ReturnType<typeof Type.Object<typeof redirectFields>>>;

/** Errors that depend on how the provider authorises payments. `body` may be anything. */
export function listAuthorisationFaults(
  body: unknown,
  authType: AuthType | null,
  { httpUrlsAllowed }: { readonly httpUrlsAllowed: boolean },
): readonly Fault[] {
  const missing = fieldsRequiredFor(authType).filter((field) => valueAt(body, field) === undefined);
  const refused = ['successfulUrl', 'failedUrl'].filter((field) => {
    const url = valueAt(body, field);
    return typeof url === 'string' && !isWebAddress(url, { httpUrlsAllowed });
  });
  const cause = webAddressCause({ httpUrlsAllowed });
  return [...missing.map(missingFault), ...refused.map((field) => invalidFault(field, cause))];
}

/** The next step of a deposit that was just accepted. */
export function nextStepOnAcceptance(authType: AuthType): Static<typeof nextStepSchema> {
  return authType === 'REDIRECT_AUTH' ? 'GET_AUTH_URL' : 'FINAL_STATUS';
}

/** The redirect flow's part of a record; empty in the other flows. */
export function renderRedirect(payment: Payment, authType: AuthType | null): RedirectRecord {
  if (authType !== 'REDIRECT_AUTH') return {};
  const { successfulUrl, failedUrl } = payment.details;
  return {
    ...renderRedirectStep(payment),
    ...(successfulUrl !== undefined && { successfulUrl }),
    ...(failedUrl !== undefined && { failedUrl }),
  };
}

/** The address is shown only while it is useful: a customer must not be redirected after the decision. */
function renderRedirectStep({ state, details }: Payment): RedirectRecord {
  if (state !== 'ACCEPTED' && state !== 'PROCESSING') return { nextStep: 'FINAL_STATUS' };
  const { authorizationUrl } = details;
  if (authorizationUrl === undefined) return { nextStep: 'GET_AUTH_URL' };
  return { nextStep: 'REDIRECT_TO_AUTH_URL', authorizationUrl };
}

function fieldsRequiredFor(authType: AuthType | null): readonly string[] {
  switch (authType) {
    case 'PREAUTH':
      return ['preAuthorisationCode'];
    case 'REDIRECT_AUTH':
      return ['successfulUrl', 'failedUrl'];
    case 'PROVIDER_AUTH':
    case null:
      return [];
  }
}

/** Slashes and host are required because URL reads `https:a` and `https:///a` as `https://a`. */
export function isWebAddress(
  text: string,
  { httpUrlsAllowed }: { readonly httpUrlsAllowed: boolean },
): boolean {
  const start = httpUrlsAllowed ? /^https?:\/\/[^/]/i : /^https:\/\/[^/]/i;
  return start.test(text) && URL.canParse(text);
}

export function webAddressCause({ httpUrlsAllowed }: { readonly httpUrlsAllowed: boolean }): string {
  return httpUrlsAllowed ? 'it must be an http or https URL' : 'it must be an https URL';
}
