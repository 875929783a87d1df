// Rows of the specification's tables that speak of the request to start a deposit and of its answer.
import { describe, expect, it } from 'vitest';
import { failureReason } from '../../../src/domain/failure.ts';
import { depositRequestSchema, renderDepositInitiation } from '../../../src/wire/v2/payments/deposit.ts';
import { renderFault } from '../../../src/wire/v2/failure.ts';
import { accepted, DEPOSIT_ID, depositBody, faultOf, payer, refused, SANDBOX } from './deposit-body.ts';

const WRONG_TYPES: readonly unknown[] = [null, true, 100, {}, []];

describe('completions 1.2, the deposit request: required fields', () => {
  it.each(['depositId', 'amount', 'currency', 'payer'])('%s is required', (field) => {
    expect(faultOf(depositBody({ [field]: undefined }))).toBe(`MISSING_PARAMETER ${field}`);
  });

  it('payer.type is required', () => {
    expect(faultOf(depositBody({ payer: { ...payer({}), type: undefined } }))).toBe(
      'MISSING_PARAMETER payer.type',
    );
  });

  it('payer.accountDetails is required', () => {
    expect(faultOf(depositBody({ payer: { type: 'MMO' } }))).toBe('MISSING_PARAMETER payer.accountDetails');
  });

  it.each(['phoneNumber', 'provider'])('payer.accountDetails.%s is required', (field) => {
    expect(faultOf(depositBody({ payer: payer({ [field]: undefined }) }))).toBe(
      `MISSING_PARAMETER payer.accountDetails.${field}`,
    );
  });

  it('nothing else is required', () => {
    expect(accepted(depositBody()).details).toStrictEqual({ phoneNumber: '260763456789' });
  });

  it('the fields are in the order of the specification', () => {
    expect(Object.keys(depositRequestSchema.properties)).toStrictEqual([
      'depositId',
      'amount',
      'currency',
      'payer',
      'customerMessage',
      'clientReferenceId',
      'preAuthorisationCode',
      'successfulUrl',
      'failedUrl',
      'metadata',
    ]);
  });

  it('every field has a description and every plain field an example, for the published OpenAPI', () => {
    for (const [name, schema] of Object.entries(depositRequestSchema.properties)) {
      expect(schema, name).toHaveProperty('description');
      if (name !== 'payer') expect(schema, name).toHaveProperty('examples');
    }
  });
});

describe('shared field types: depositId', () => {
  it.each([DEPOSIT_ID, DEPOSIT_ID.toUpperCase()])('UUIDv4 text such as %s is accepted', (depositId) => {
    expect(accepted(depositBody({ depositId }))).toMatchObject({
      paymentId: DEPOSIT_ID,
      writtenId: depositId,
    });
  });

  it.each([
    ['', 'empty'],
    [DEPOSIT_ID.slice(1), '35 characters'],
    [`${DEPOSIT_ID}0`, '37 characters'],
    [`${DEPOSIT_ID}\n`, 'a line break at the end'],
    ['f4401bd2-1568-1140-bf2d-eb77d2b2b639', 'version 1'],
    ['f4401bd2-1568-4140-7f2d-eb77d2b2b639', 'another variant'],
    ['f4401bd215684140bf2deb77d2b2b639', 'without hyphens'],
    ['g4401bd2-1568-4140-bf2d-eb77d2b2b639', 'not hexadecimal'],
  ])('%j is refused: %s', (depositId) => {
    expect(faultOf(depositBody({ depositId }))).toBe('INVALID_PARAMETER depositId');
  });
});

describe('shared field types: amount', () => {
  it.each([
    ['0', 0n],
    ['5', 50_000n],
    ['0.5', 5_000n],
    ['10.50', 105_000n],
    ['10.00', 100_000n],
    ['1.2345', 12_345n],
    ['999999999999999999.9999', 9_999_999_999_999_999_999_999n],
  ])('%s is accepted, trailing zeroes included, and kept as written', (amountText, amount) => {
    expect(accepted(depositBody({ amount: amountText }))).toMatchObject({ amount, amountText });
  });

  it.each([
    ['', 'length 1 at least'],
    ['1000000000000000000', '18 digits at most'],
    ['999999999999999999.99990', '23 characters at most'],
    ['01', 'no leading zeroes'],
    ['00.5', 'no leading zeroes'],
    ['-1', 'no sign'],
    ['+1', 'no sign'],
    ['1.', 'no bare decimal point'],
    ['.5', 'no empty integer part'],
    ['1.23456', 'four decimals at most'],
    ['1,5', 'no comma'],
    ['1e3', 'no exponent'],
    [' 1', 'no spaces'],
    ['1\n', 'no line break'],
    ['١', 'no digits of other scripts'],
  ])('%j is refused: %s', (amount) => {
    expect(faultOf(depositBody({ amount }))).toBe('INVALID_PARAMETER amount');
  });
});

describe('shared field types: currency', () => {
  it.each(['ZMW', 'XXX'])('%s is accepted: whether the provider supports it is asked later', (currency) => {
    expect(accepted(depositBody({ currency })).currency).toBe(currency);
  });

  it.each(['', 'ZM', 'ZMWW', 'zmw', 'ZM1', 'ZMW\n', 'ÀÉÎ'])('%j is refused', (currency) => {
    expect(faultOf(depositBody({ currency }))).toBe('INVALID_PARAMETER currency');
  });
});

describe('shared field types: payer', () => {
  it.each(['BANK', 'mmo', '', 'MMO '])('the type %j is refused: only MMO exists', (type) => {
    expect(faultOf(depositBody({ payer: { ...payer({}), type } }))).toBe('INVALID_PARAMETER payer.type');
  });

  it('phone number and provider are read', () => {
    expect(accepted(depositBody())).toMatchObject({
      provider: 'MTN_MOMO_ZMB',
      details: { phoneNumber: '260763456789' },
    });
  });
});

describe('shared field types: customerMessage', () => {
  it.each(['abcd', 'A'.repeat(22), 'Order 42', '    '])('%j is accepted', (customerMessage) => {
    expect(accepted(depositBody({ customerMessage })).details.customerMessage).toBe(customerMessage);
  });

  it.each(['', 'abc', 'A'.repeat(23), 'Order-42', 'Commandé', 'line\nbreak', 'abcd\n'])(
    '%j is refused: 4 to 22 letters, digits and spaces',
    (customerMessage) => {
      expect(faultOf(depositBody({ customerMessage }))).toBe('INVALID_PARAMETER customerMessage');
    },
  );

  it('left out, it is not made up here: the default is the company name, which this layer does not know', () => {
    expect(accepted(depositBody()).details).not.toHaveProperty('customerMessage');
  });
});

describe('completions 1.2: clientReferenceId is a free string', () => {
  it.each(['', 'INV-1', 'é "quotes"\n', 'x'.repeat(1_000), '😀'.repeat(1_000)])(
    'accepted, also when empty',
    (clientReferenceId) => {
      expect(accepted(depositBody({ clientReferenceId })).details.clientReferenceId).toBe(clientReferenceId);
    },
  );

  it('more than 1,000 characters are refused', () => {
    expect(faultOf(depositBody({ clientReferenceId: 'x'.repeat(1_001) }))).toBe(
      'INVALID_PARAMETER clientReferenceId',
    );
  });
});

describe('completions 1.2: preAuthorisationCode', () => {
  const preauth = { payer: payer({ provider: 'ORANGE_BFA' }) };

  it('completions 1.2: preAuthorisationCode is required when the authType of the provider is PREAUTH', () => {
    expect(faultOf(depositBody(preauth))).toBe('MISSING_PARAMETER preAuthorisationCode');
  });

  it.each(['1', '1'.repeat(36)])('1 to 36 characters are accepted', (preAuthorisationCode) => {
    const { details } = accepted(depositBody({ ...preauth, preAuthorisationCode }));
    expect(details.preAuthorisationCode).toBe(preAuthorisationCode);
  });

  it.each(['', '1'.repeat(37)])('%j is refused', (preAuthorisationCode) => {
    expect(faultOf(depositBody({ ...preauth, preAuthorisationCode }))).toBe(
      'INVALID_PARAMETER preAuthorisationCode',
    );
  });

  it('completions 1.2: preAuthorisationCode may be given to a provider that does not need it', () => {
    expect(accepted(depositBody({ preAuthorisationCode: '1234' })).details.preAuthorisationCode).toBe('1234');
  });
});

describe('completions 1.2: successfulUrl and failedUrl', () => {
  const urls = {
    successfulUrl: 'https://merchant.example/ok?a=1#b',
    failedUrl: 'https://merchant.example/no',
  };
  const redirect = { payer: payer({ provider: 'WAVE_SEN' }) };

  it('both are read as written', () => {
    expect(accepted(depositBody({ ...redirect, ...urls })).details).toMatchObject(urls);
  });

  it.each(['successfulUrl', 'failedUrl'])('%s is required for REDIRECT_AUTH', (field) => {
    expect(faultOf(depositBody({ ...redirect, ...urls, [field]: undefined }))).toBe(
      `MISSING_PARAMETER ${field}`,
    );
  });

  describe.each(['successfulUrl', 'failedUrl'])('%s', (field) => {
    it.each([
      '',
      'merchant.example',
      '/orders',
      'https://',
      'https:merchant.example',
      'https:///merchant.example',
      'https://?query',
      'https://merchant.example:port/',
      'ftp://merchant.example',
      'javascript:alert(1)',
      'https://merchant.example/a b',
      'https://merchant.example/\r\nSet-Cookie: a=b',
      ' https://merchant.example',
      'https://merchant.example/payé',
      `https://merchant.example/${'a'.repeat(2_048)}`,
    ])('%j is not an https URL', (url) => {
      expect(faultOf(depositBody({ [field]: url }), SANDBOX)).toBe(`INVALID_PARAMETER ${field}`);
    });

    it('http is refused in production', () => {
      expect(faultOf(depositBody({ [field]: 'http://localhost:3000/' }))).toBe(`INVALID_PARAMETER ${field}`);
    });

    it.each([
      'HTTPS://merchant.example',
      'https://192.0.2.1:8443/a%20b',
      'https://[2001:db8::1]/',
      'https://m-1.example?a=b',
    ])('%s is an https URL', (url) => {
      expect(accepted(depositBody({ [field]: url })).details).toMatchObject({ [field]: url });
    });

    it('http is accepted in the sandbox', () => {
      expect(accepted(depositBody({ [field]: 'http://localhost:3000/' }), SANDBOX).details).toMatchObject({
        [field]: 'http://localhost:3000/',
      });
    });
  });
});

describe('where two readers would build different things: 400 or 200', () => {
  const scalarFields = [
    'depositId',
    'amount',
    'currency',
    'customerMessage',
    'clientReferenceId',
    'preAuthorisationCode',
    'successfulUrl',
    'failedUrl',
  ];

  it.each(scalarFields)('a wrong type of %s is 400 INVALID_PARAMETER', (field) => {
    for (const value of WRONG_TYPES) {
      expect(faultOf(depositBody({ [field]: value }))).toBe(`INVALID_PARAMETER ${field}`);
    }
  });

  it('a wrong type of payer, its accountDetails and their fields is 400 INVALID_PARAMETER', () => {
    for (const value of [null, true, 100, 'x', []]) {
      expect(faultOf(depositBody({ payer: value }))).toBe('INVALID_PARAMETER payer');
      expect(faultOf(depositBody({ payer: { type: 'MMO', accountDetails: value } }))).toBe(
        'INVALID_PARAMETER payer.accountDetails',
      );
    }
    for (const value of WRONG_TYPES) {
      expect(faultOf(depositBody({ payer: { ...payer({}), type: value } }))).toBe(
        'INVALID_PARAMETER payer.type',
      );
      expect(faultOf(depositBody({ payer: payer({ phoneNumber: value }) }))).toBe(
        'INVALID_PARAMETER payer.accountDetails.phoneNumber',
      );
      expect(faultOf(depositBody({ payer: payer({ provider: value }) }))).toBe(
        'INVALID_PARAMETER payer.accountDetails.provider',
      );
    }
  });

  it('no coercion: "amount": 100 is 400', () => {
    expect(renderFault(refused(depositBody({ amount: 100 })))).toStrictEqual({
      failureCode: 'INVALID_PARAMETER',
      failureMessage: "The parameter 'amount' is not valid: it must be a string.",
    });
  });

  it.each(['0763456789', '1', '+260 763 456 789', 'call me', ''])(
    'the phoneNumber %j is not a fault: it is 200 INVALID_PHONE_NUMBER later',
    (phoneNumber) => {
      expect(accepted(depositBody({ payer: payer({ phoneNumber }) })).details.phoneNumber).toBe(phoneNumber);
    },
  );

  it.each(['NO_ONE_HAS_THIS', '', 'mtn_momo_zmb', '__proto__', 'constructor'])(
    'the provider code %j, which no one has, is 400 INVALID_PARAMETER',
    (provider) => {
      expect(faultOf(depositBody({ payer: payer({ provider }) }))).toBe(
        'INVALID_PARAMETER payer.accountDetails.provider',
      );
    },
  );

  it('unknown fields give 400 UNSUPPORTED_PARAMETER', () => {
    expect(faultOf(depositBody({ country: 'ZMB' }))).toBe('UNSUPPORTED_PARAMETER country');
  });

  it.each([null, true, 1, 'text', [], [depositBody()]])(
    'a body that parses but is not an object is 400 INVALID_INPUT: %j',
    (body) => {
      expect(renderFault(refused(body))).toStrictEqual({
        failureCode: 'INVALID_INPUT',
        failureMessage: 'The request body could not be read: it is not a JSON object.',
      });
    },
  );
});

describe('the deposit initiation response', () => {
  const createdAt = new Date('2026-01-02T03:04:05.006Z');

  it.each([
    ['PROVIDER_AUTH', 'FINAL_STATUS'],
    ['PREAUTH', 'FINAL_STATUS'],
    ['REDIRECT_AUTH', 'GET_AUTH_URL'],
  ] as const)('ACCEPTED carries created, and for %s the nextStep %s', (authType, nextStep) => {
    const initiation = { type: 'ACCEPTED', depositId: DEPOSIT_ID, createdAt, authType } as const;
    expect(renderDepositInitiation(initiation)).toStrictEqual({
      depositId: DEPOSIT_ID,
      status: 'ACCEPTED',
      created: '2026-01-02T03:04:05.006Z',
      nextStep,
    });
  });

  it('DUPLICATE_IGNORED carries created of the first request, and no nextStep', () => {
    const depositId = DEPOSIT_ID.toUpperCase();
    expect(renderDepositInitiation({ type: 'DUPLICATE_IGNORED', depositId, createdAt })).toStrictEqual({
      depositId,
      status: 'DUPLICATE_IGNORED',
      created: '2026-01-02T03:04:05.006Z',
    });
  });

  it('REJECTED carries failureReason and no created', () => {
    const reason = failureReason('AMOUNT_OUT_OF_BOUNDS', {
      minAmount: '1',
      maxAmount: '5',
      provider: 'MTN_MOMO_ZMB',
    });
    expect(
      renderDepositInitiation({ type: 'REJECTED', depositId: DEPOSIT_ID, failureReason: reason }),
    ).toStrictEqual({
      depositId: DEPOSIT_ID,
      status: 'REJECTED',
      failureReason: reason,
    });
  });
});
