// The request and the answer of provider prediction: completions.md 1.6.
import { expect, test } from 'vitest';
import {
  parsePredictionRequest,
  renderPrediction,
  renderUnresolved,
} from '../../../src/wire/v2/toolkit/prediction.ts';

test('{ phoneNumber } is read as it is written', () => {
  const phoneNumber = ' +250 (0)783-456-789 x';
  expect(parsePredictionRequest({ phoneNumber })).toEqual({ type: 'PARSED', request: phoneNumber });
  expect(parsePredictionRequest({ phoneNumber: '' })).toEqual({ type: 'PARSED', request: '' });
});

test.each([
  ['no phoneNumber', {}, 'MISSING_PARAMETER', 'phoneNumber'],
  ['null', { phoneNumber: null }, 'INVALID_PARAMETER', 'phoneNumber'],
  ['a number', { phoneNumber: 250783456789 }, 'INVALID_PARAMETER', 'phoneNumber'],
  ['another field', { phoneNumber: '250', country: 'RWA' }, 'UNSUPPORTED_PARAMETER', 'country'],
  ['a list', [], 'INVALID_INPUT', ''],
  ['a text', '250783456789', 'INVALID_INPUT', ''],
])('%s is refused', (_, body, code, parameter) => {
  expect(parsePredictionRequest(body)).toMatchObject({ type: 'FAULT', fault: { code, parameter } });
});

test('the answer is { country, provider, phoneNumber } and nothing more', () => {
  const prediction = {
    type: 'PREDICTED',
    country: 'RWA',
    provider: 'MTN_MOMO_RWA',
    phoneNumber: '250783456789',
  };
  expect(renderPrediction(prediction)).toStrictEqual({
    country: 'RWA',
    provider: 'MTN_MOMO_RWA',
    phoneNumber: '250783456789',
  });
});

test('a number that cannot be resolved is an INVALID_PARAMETER that says why', () => {
  expect(renderUnresolved('its prefix belongs to none of our providers')).toEqual({
    failureCode: 'INVALID_PARAMETER',
    failureMessage: "The parameter 'phoneNumber' is not valid: its prefix belongs to none of our providers.",
  });
});
