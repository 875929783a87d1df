// What is taken out before anything is recorded.
import { describe, expect, test } from 'vitest';
import { redact } from '../../src/connectors/redact.ts';
import { redactAddresses } from '../../src/connectors/redact-addresses.ts';

describe('redact', () => {
  const known = ['250783456789', 'k3y-of-ours', 'Thank "you"'];

  test.each([
    ['a known value', 'x 250783456789 y', 'x … y'],
    ['one in an address', '/accounts/250783456789?key=k3y-of-ours', '/accounts/…?key=…'],
    ['one that JSON has escaped', '{"free":"Thank \\"you\\""}', '{"free":"…"}'],
    ['a field by its name', '{"partyId":"46733123453","amount":"5"}', '{"partyId":"…","amount":"5"}'],
    ['a number in such a field', '{"PhoneNumber": 254708374149}', '{"PhoneNumber": "…"}'],
    [
      'names in any spelling',
      '{"first_name":"A B","customerName":"C"}',
      '{"first_name":"…","customerName":"…"}',
    ],
    ['a token', '{"access_token":"abc.def"}', '{"access_token":"…"}'],
    ['a form', 'grant_type=x&client_secret=abc&amount=5', 'grant_type=x&client_secret=…&amount=5'],
    ['nothing else', '{"status":"FAILED","reason":"EXPIRED"}', '{"status":"FAILED","reason":"EXPIRED"}'],
  ])('redaction takes out %s', (_what, text, expected) => {
    expect(redact(text, known)).toBe(expected);
  });

  test('B3: a text is cut before it is searched, and a cut never shows the half of a value', () => {
    const number = '250783456789';
    for (let before = 3_900; before < 4_000; before += 1) {
      const padding = 'x'.repeat(before);
      const texts = [
        `${number}${padding}${number}${'y'.repeat(9_000)}`,
        `"a":"${padding}","pin":"secret words"`,
      ];
      for (const text of texts) expect(redact(text, [number])).not.toMatch(/25078|secre/);
    }
    expect(redact('x'.repeat(9_000), [number])).toHaveLength(4_000);
  });

  test('B3: a value that is longer than what is shown is taken out from its beginning', () => {
    const value = Array.from({ length: 2_000 }, (_, index) => `word${index}`).join(' ');
    expect(redact(`{"free":"${value}"}`, [value])).not.toContain('word');
  });

  test('a value too short to be a secret does not eat the text', () => {
    expect(redact('{"amount":"1"}', ['1', ''])).toBe('{"amount":"1"}');
  });
});

describe('B1: our own addresses', () => {
  const ADDRESS = 'https://pay.example/operators/daraja/notifications/0001-ref/5ecret/payout';

  test.each([
    ['in JSON', `{"ResultURL":"${ADDRESS}","a":1}`, '{"ResultURL":"https://pay.example/operators/…","a":1}'],
    [
      'with escaped slashes',
      `{"u":"${ADDRESS.replaceAll('/', '\\/')}"}`,
      '{"u":"https:\\/\\/pay.example\\/operators\\/…"}',
    ],
    ['in a form', `u=${encodeURIComponent(ADDRESS)}&a=1`, 'u=https%3A%2F%2Fpay.example%2Foperators%2F…&a=1'],
    ['for answers', ADDRESS.replace('notifications', 'answers'), 'https://pay.example/operators/…'],
    ['of other servers are left', 'https://shop.example/ok', 'https://shop.example/ok'],
  ])('B1: our own addresses are taken out %s', (_what, text, expected) => {
    expect(redactAddresses(text)).toBe(expected);
  });
});
