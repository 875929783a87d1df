import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { earlierCode, FAILURES, failureReason, type FailureCode } from '../../src/domain/failure.ts';
import { readTextTable } from './text-table.ts';

const codes = Object.keys(FAILURES) as readonly FailureCode[];

describe('the reference page of failure codes', () => {
  const documented = readDocumentedCodes();

  test('documents every code, once, and nothing else', () => {
    expect(documented.map(({ code }) => code).toSorted()).toEqual(codes.toSorted());
  });

  test.each(documented)(
    'the reference page of failure codes says of $code the status the service answers with',
    ({ code, status }) => {
      const { httpStatus } = FAILURES[code as FailureCode];
      expect(status).toBe(httpStatus === null ? 'FAILED' : String(httpStatus));
    },
  );

  test.each(documented)(
    'the reference page of failure codes says what $code means and what to do',
    ({ meaning, advice }) => {
      expect(meaning).toMatch(/^[A-Z].+\.$/);
      expect(advice).toMatch(/^[A-Z].+\.$/);
    },
  );
});

describe('the message of a failure', () => {
  test('the message of a failure names minimum, maximum and provider in single quotes, in the order in which clients read them', () => {
    const { failureCode, failureMessage } = failureReason('AMOUNT_OUT_OF_BOUNDS', {
      provider: 'MTN_MOMO_RWA',
      maxAmount: '2000000',
      minAmount: '5',
    });
    expect(failureCode).toBe('AMOUNT_OUT_OF_BOUNDS');
    expect(quotedIn(failureMessage)).toEqual(['5', '2000000', 'MTN_MOMO_RWA']);
  });

  test.each<FailureCode>([
    'MISSING_PARAMETER',
    'INVALID_PARAMETER',
    'UNSUPPORTED_PARAMETER',
    'DUPLICATE_METADATA_FIELD',
  ])('%s names the parameter in single quotes', (code) => {
    const { failureMessage } = failureReason(code, { parameter: 'payer.type', cause: 'it is not MMO' });
    expect(quotedIn(failureMessage)).toEqual(['payer.type']);
  });

  test('INVALID_AMOUNT names the allowed decimals in single quotes', () => {
    const { failureMessage } = failureReason('INVALID_AMOUNT', { provider: 'MPESA_KEN', decimals: '0' });
    expect(quotedIn(failureMessage)).toEqual(['MPESA_KEN', '0']);
  });

  test.each<FailureCode>(['NOT_FOUND', 'INVALID_STATE'])(
    '%s begins with the kind, "with ID" and the ID',
    (code) => {
      const { failureMessage } = failureReason(code, {
        kind: 'Payout',
        id: 'f4401bd2',
        cause: 'is ENQUEUED',
      });
      expect(failureMessage).toMatch(/^Payout with ID f4401bd2 .+\.$/);
    },
  );

  test('the message of a failure takes values as they are, whatever they hold', () => {
    const { failureMessage } = failureReason('MISSING_PARAMETER', { parameter: '$& $1 {cause}' });
    expect(failureMessage).toBe("The required parameter '$& $1 {cause}' is missing.");
  });

  test.each(codes)('%s is a sentence without braces, even when a value was not given', (code) => {
    expect(failureReason(code, { kind: 'Payout' }).failureMessage).toMatch(/^[A-Z][^{}]+\.$/);
  });
});

describe('API v1', () => {
  test('API v1 has its own names for some codes', () => {
    const renamed = codes.filter((code) => FAILURES[code].earlier !== undefined);
    expect(renamed.map((code) => [code, FAILURES[code].earlier])).toEqual([
      ['INVALID_PROVIDER', 'INVALID_CORRESPONDENT'],
      ['INVALID_PHONE_NUMBER', { DEPOSIT: 'INVALID_PAYER_FORMAT', PAYOUT: 'INVALID_RECIPIENT_FORMAT' }],
      ['AMOUNT_OUT_OF_BOUNDS', { BELOW_MINIMUM: 'AMOUNT_TOO_SMALL', ABOVE_MAXIMUM: 'AMOUNT_TOO_LARGE' }],
      ['PROVIDER_TEMPORARILY_UNAVAILABLE', 'CORRESPONDENT_TEMPORARILY_UNAVAILABLE'],
      ['WALLET_OUT_OF_FUNDS', 'BALANCE_INSUFFICIENT'],
      ['NOT_FOUND', { REFUND: 'DEPOSIT_NOT_FOUND' }],
      ['INVALID_STATE', { REFUND: 'DEPOSIT_NOT_COMPLETED' }],
      ['DEPOSIT_ALREADY_REFUNDED', 'ALREADY_REFUNDED'],
      ['REFUND_IN_PROGRESS', 'IN_PROGRESS'],
      ['PAYMENT_IN_PROGRESS', 'TRANSACTION_ALREADY_IN_PROCESS'],
      ['WALLET_LIMIT_REACHED', 'RECIPIENT_NOT_ALLOWED_TO_RECEIVE'],
      ['UNSPECIFIED_FAILURE', 'OTHER_ERROR'],
    ]);
  });

  test.each([
    ['INVALID_PHONE_NUMBER', { kind: 'DEPOSIT' }, 'INVALID_PAYER_FORMAT'],
    ['INVALID_PHONE_NUMBER', { kind: 'PAYOUT' }, 'INVALID_RECIPIENT_FORMAT'],
    ['AMOUNT_OUT_OF_BOUNDS', { kind: 'REFUND', bound: 'BELOW_MINIMUM' }, 'AMOUNT_TOO_SMALL'],
    ['AMOUNT_OUT_OF_BOUNDS', { kind: 'REFUND', bound: 'ABOVE_MAXIMUM' }, 'AMOUNT_TOO_LARGE'],
    ['NOT_FOUND', { kind: 'REFUND' }, 'DEPOSIT_NOT_FOUND'],
    ['NOT_FOUND', { kind: 'PAYOUT' }, 'NOT_FOUND'],
    ['PAYER_NOT_FOUND', { kind: 'DEPOSIT' }, 'PAYER_NOT_FOUND'],
  ] as const)('%s of %j is %s', (code, of, earlier) => {
    expect(earlierCode(code, of)).toBe(earlier);
  });

  test('API v1 has a reference page with exactly its codes', () => {
    const page = readFileSync(new URL('../../../docs/reference/api-v1.md', import.meta.url), 'utf8');
    const rows = readTextTable(page.slice(page.indexOf('| Current code |'))).map(
      ([, code = '', earlier = '']) => [
        code.replaceAll('`', ''),
        [...earlier.matchAll(/`(\w+)`/g)].map(([, word]) => word),
      ],
    );
    const renamed = codes.flatMap((code) => {
      const { earlier } = FAILURES[code];
      if (earlier === undefined) return [];
      return [[code, typeof earlier === 'string' ? [earlier] : Object.values(earlier)]];
    });
    expect(rows).toEqual(renamed);
  });
});

function readDocumentedCodes() {
  const page = readFileSync(new URL('../../../docs/reference/failure-codes.md', import.meta.url), 'utf8');
  const table = page.slice(page.indexOf('| Code |'));
  return readTextTable(table).map(([, code = '', status = '', meaning = '', advice = '']) => ({
    code: code.replaceAll('`', ''),
    status,
    meaning,
    advice,
  }));
}

function quotedIn(message: string): readonly (string | undefined)[] {
  return [...message.matchAll(/'([^']*)'/g)].map(([, quoted]) => quoted);
}
