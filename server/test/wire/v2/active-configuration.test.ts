// The active configuration of completions.md section 8, rendered from what is active.
import { Compile } from 'typebox/compile';
import { describe, expect, test } from 'vitest';
import type { ActiveCountry } from '../../../src/domain/operators/active-configuration.ts';
import { findCountry, findProvider, listProviders } from '../../../src/domain/operators/catalogue.ts';
import { PAYMENT_KINDS, type Operation } from '../../../src/domain/payments/payment.ts';
import {
  activeConfigurationSchema,
  renderActiveConfiguration,
} from '../../../src/wire/v2/toolkit/active-configuration.ts';

const artwork = {
  flagOf: (alpha3: string) => `https://pay.example/flags/${alpha3}`,
  logoOf: (provider: string) => `https://pay.example/logos/${provider}`,
};

/** A provider with everything the catalogue has of it. */
function active(code: string, status: 'OPERATIONAL' | 'DELAYED' | 'CLOSED' = 'OPERATIONAL'): ActiveCountry {
  const provider = findProvider(code)!;
  const currencies = provider.currencies.map((facts) => ({
    facts,
    operations: PAYMENT_KINDS.map((kind) => ({ kind, limits: facts.operations[kind]!, status })),
  }));
  return { country: findCountry(provider.country)!, providers: [{ provider, currencies }] };
}

function render(countries: readonly ActiveCountry[], callbackUrls: readonly [Operation, string][] = []) {
  const account = { companyName: 'Test Shop', signedRequestsOnly: false };
  const configuration = { ...account, countries, callbackUrls: new Map(callbackUrls) };
  return renderActiveConfiguration(configuration, artwork);
}

/** The deposit of a provider's first currency. */
const depositOf = (code: string) =>
  render([active(code)]).countries[0]!.providers[0]!.currencies[0]!.operationTypes.DEPOSIT!;

describe('section 8', () => {
  test('Top: companyName, signatureConfiguration, countries', () => {
    expect(render([])).toStrictEqual({
      companyName: 'Test Shop',
      signatureConfiguration: { signedRequestsOnly: false, signedCallbacks: true },
      countries: [],
    });
  });

  test('Country: country, displayName, prefix, flag, providers', () => {
    const { providers, ...country } = render([active('ORANGE_CIV')]).countries[0]!;
    expect(country).toStrictEqual({
      country: 'CIV',
      displayName: { en: 'Ivory Coast', fr: 'Côte d’Ivoire' },
      prefix: '225',
      flag: 'https://pay.example/flags/CIV',
    });
    expect(providers).toHaveLength(1);
  });

  test('Provider: provider, nameDisplayedToCustomer, displayName, logo, currencies', () => {
    const { currencies, ...provider } = render([active('AIRTEL_COD')]).countries[0]!.providers[0]!;
    expect(provider).toStrictEqual({
      provider: 'AIRTEL_COD',
      nameDisplayedToCustomer: 'Test Shop',
      displayName: 'Airtel',
      logo: 'https://pay.example/logos/AIRTEL_COD',
    });
    expect(currencies.map(({ currency }) => currency)).toEqual(['CDF', 'USD']);
  });

  test('Currency: currency, displayName, operationTypes', () => {
    const [currency] = render([active('MTN_MOMO_RWA')]).countries[0]!.providers[0]!.currencies;
    expect(currency).toMatchObject({ currency: 'RWF', displayName: 'R₣' });
    expect(Object.keys(currency!.operationTypes)).toEqual(['DEPOSIT', 'PAYOUT', 'REFUND', 'REMITTANCE']);
  });

  test('Operation: minAmount, maxAmount, decimalsInAmount, status, callbackUrl when set', () => {
    const [currency] = render([active('MPESA_KEN', 'DELAYED')], [['PAYOUT', 'https://shop.example/payouts']])
      .countries[0]!.providers[0]!.currencies;
    const { limits } = active('MPESA_KEN').providers[0]!.currencies[0]!.operations[1]!;
    expect(currency!.operationTypes.PAYOUT).toStrictEqual({
      minAmount: limits.minAmountText,
      maxAmount: limits.maxAmountText,
      decimalsInAmount: 'TWO_PLACES',
      status: 'DELAYED',
      callbackUrl: 'https://shop.example/payouts',
    });
    expect(currency!.operationTypes.DEPOSIT).toMatchObject({ decimalsInAmount: 'NONE' });
    expect(currency!.operationTypes.REFUND).not.toHaveProperty('callbackUrl');
    expect(currency!.operationTypes.REFUND).not.toHaveProperty('authType');
  });

  test('DEPOSIT by PIN prompt: authType, pinPrompt, pinPromptRevivable, pinPromptInstructions', () => {
    expect(depositOf('MTN_MOMO_ZMB')).toStrictEqual({
      minAmount: '1',
      maxAmount: depositOf('MTN_MOMO_ZMB').maxAmount,
      decimalsInAmount: 'TWO_PLACES',
      status: 'OPERATIONAL',
      authType: 'PROVIDER_AUTH',
      pinPrompt: 'AUTOMATIC',
      pinPromptRevivable: true,
      pinPromptInstructions: {
        channels: [
          {
            type: 'USSD',
            displayName: {
              en: 'No PIN prompt on your phone?',
              fr: 'Pas de demande de code PIN sur votre téléphone ?',
            },
            variables: { shortCode: '*115#' },
            instructions: {
              en: [
                { text: 'Dial *115#', template: 'Dial {{shortCode}}' },
                { text: 'Enter your PIN', template: 'Enter your PIN' },
              ],
              fr: [
                { text: 'Composez *115#', template: 'Composez {{shortCode}}' },
                { text: 'Saisissez votre code PIN', template: 'Saisissez votre code PIN' },
              ],
            },
          },
        ],
      },
    });
  });

  test('DEPOSIT by PIN prompt that nothing can be done about: no instructions', () => {
    expect(depositOf('MPESA_KEN')).toMatchObject({ pinPrompt: 'AUTOMATIC', pinPromptRevivable: false });
    expect(depositOf('MPESA_KEN')).not.toHaveProperty('pinPromptInstructions');
  });

  test('DEPOSIT with a one-time code: authType PREAUTH and authTokenInstructions, nothing of a prompt', () => {
    const { authTokenInstructions, ...deposit } = depositOf('ORANGE_BFA');
    expect(deposit.authType).toBe('PREAUTH');
    expect(authTokenInstructions!.channels[0]!.variables).toEqual({ shortCode: '*144*4*6#' });
    expect(Object.keys(deposit).filter((name) => name.startsWith('pin'))).toEqual([]);
  });

  test('DEPOSIT on a page of the provider: authType REDIRECT_AUTH and nothing more', () => {
    const names = ['minAmount', 'maxAmount', 'decimalsInAmount', 'status', 'authType'];
    expect(Object.keys(depositOf('WAVE_SEN'))).toEqual(names);
    expect(depositOf('WAVE_SEN').authType).toBe('REDIRECT_AUTH');
  });

  test('Instructions: quickLink is the bare code, and left out where there is none', () => {
    expect(depositOf('MTN_MOMO_RWA').pinPromptInstructions!.channels[0]!.quickLink).toBe('*182*7*1#');
    expect(depositOf('MTN_MOMO_ZMB').pinPromptInstructions!.channels[0]).not.toHaveProperty('quickLink');
  });
});

test.each(listProviders())('$code fits the schema, and no field of it is null', ({ code }) => {
  const rendered = render([active(code)], [['DEPOSIT', 'https://shop.example/deposits']]);
  expect([...Compile(activeConfigurationSchema).Errors(rendered)]).toEqual([]);
  expect(JSON.stringify(rendered)).not.toContain('null');
});
