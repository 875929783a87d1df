// "Several schema faults at once": which of them is the one to report.
import { describe, expect, it } from 'vitest';
import { Type } from 'typebox';
import { findFault } from '../../../src/wire/fault.ts';
import { renderFault } from '../../../src/wire/v2/failure.ts';
import { accepted, depositBody, faultOf, payer, refused } from './deposit-body.ts';

const everythingWrong = {
  amount: 1,
  currency: 'zmw',
  payer: { type: 'X', accountDetails: { provider: 'NO_ONE' } },
  metadata: [{}],
};

describe('several schema faults at once', () => {
  it('UNSUPPORTED_PARAMETER comes before MISSING_PARAMETER and INVALID_PARAMETER', () => {
    expect(faultOf({ ...everythingWrong, zzz: 1 })).toBe('UNSUPPORTED_PARAMETER zzz');
  });

  it('UNSUPPORTED_PARAMETER deep inside comes before MISSING_PARAMETER at the top', () => {
    expect(faultOf({ payer: payer({ pin: '1234' }) })).toBe('UNSUPPORTED_PARAMETER payer.accountDetails.pin');
  });

  it('MISSING_PARAMETER comes before INVALID_PARAMETER', () => {
    expect(faultOf({ ...everythingWrong, depositId: 'x' })).toBe(
      'MISSING_PARAMETER payer.accountDetails.phoneNumber',
    );
  });

  it('a field required only by the provider comes before INVALID_PARAMETER too', () => {
    const body = depositBody({ amount: 1, payer: payer({ provider: 'ORANGE_BFA' }) });
    expect(faultOf(body)).toBe('MISSING_PARAMETER preAuthorisationCode');
  });

  it('a field required by the provider comes after a missing field that stands before it', () => {
    const body = depositBody({ amount: undefined, payer: payer({ provider: 'WAVE_SEN' }) });
    expect(faultOf(body)).toBe('MISSING_PARAMETER amount');
  });

  it('missing fields are reported in the order of the specification, not of the body', () => {
    expect(faultOf({ currency: 'ZMW' })).toBe('MISSING_PARAMETER depositId');
    expect(faultOf({ depositId: depositBody()['depositId'], payer: {} })).toBe('MISSING_PARAMETER amount');
    expect(faultOf(depositBody({ payer: {} }))).toBe('MISSING_PARAMETER payer.type');
  });

  it('invalid fields are reported one after the other in the order of the specification', () => {
    const wrong = {
      depositId: 'x',
      amount: 'x',
      currency: 'x',
      customerMessage: 'x',
      clientReferenceId: 1,
      preAuthorisationCode: '',
      successfulUrl: 'x',
      failedUrl: 'x',
      metadata: [{ isPII: true }],
    };
    const reported: string[] = [];
    const body = depositBody({
      ...wrong,
      payer: { type: 'X', accountDetails: { phoneNumber: 1, provider: 'X' } },
    });
    const good: Record<string, unknown> = depositBody({ payer: payer({}) });
    for (const field of [
      'depositId',
      'amount',
      'currency',
      'payer.type',
      'payer.accountDetails.phoneNumber',
      'payer.accountDetails.provider',
      ...Object.keys(wrong).slice(3),
    ]) {
      reported.push(faultOf(body));
      repair(body, good, field.split('.'));
    }
    expect(reported).toStrictEqual([
      'INVALID_PARAMETER depositId',
      'INVALID_PARAMETER amount',
      'INVALID_PARAMETER currency',
      'INVALID_PARAMETER payer.type',
      'INVALID_PARAMETER payer.accountDetails.phoneNumber',
      'INVALID_PARAMETER payer.accountDetails.provider',
      'INVALID_PARAMETER customerMessage',
      'INVALID_PARAMETER clientReferenceId',
      'INVALID_PARAMETER preAuthorisationCode',
      'INVALID_PARAMETER successfulUrl',
      'INVALID_PARAMETER failedUrl',
      'INVALID_PARAMETER metadata[0]',
    ]);
    expect(accepted(body)).toBeTruthy();
  });

  it('DUPLICATE_METADATA_FIELD comes last of all', () => {
    const metadata = [{ a: '1' }, { a: '2' }];
    expect(faultOf(depositBody({ metadata, failedUrl: 'x' }))).toBe('INVALID_PARAMETER failedUrl');
    expect(faultOf(depositBody({ metadata: [...metadata, {}] }))).toBe('INVALID_PARAMETER metadata[2]');
    expect(faultOf(depositBody({ metadata }))).toBe('DUPLICATE_METADATA_FIELD a');
  });

  it('the name in single quotes is dotted', () => {
    const fault = refused(depositBody({ payer: payer({ provider: undefined }) }));
    expect(renderFault(fault).failureMessage).toBe(
      "The required parameter 'payer.accountDetails.provider' is missing.",
    );
  });
});

describe('a fault of the schema without a rule of its own', () => {
  it('a fault of the schema without a rule of its own is still a fault: what the compiled schema refuses is never accepted', () => {
    const schema = Type.Object({ odd: Type.Integer(), few: Type.Object({ a: Type.Optional(Type.Null()) }) });
    expect(findFault(schema, { odd: 1.5, few: {} })).toMatchObject({ parameter: 'odd' });
    expect(findFault(Type.Object({}, { minProperties: 1 }), {})).toMatchObject({ code: 'INVALID_INPUT' });
    const list = Type.Object({ list: Type.Array(Type.String(), { minItems: 1 }) });
    expect(findFault(list, { list: [] })).toMatchObject({ code: 'INVALID_PARAMETER', parameter: 'list' });
  });

  it('a fault of the schema without a rule of its own is reported all the same when it was found elsewhere and names no field of the schema', () => {
    const fault = { code: 'INVALID_PARAMETER', parameter: 'elsewhere', cause: 'it is' } as const;
    expect(findFault(Type.Object({}), {}, [fault])).toBe(fault);
  });
});

describe('hostile bodies', () => {
  it('__proto__ and constructor are unsupported parameters like any other', () => {
    expect(faultOf(JSON.parse('{"__proto__": {"depositId": "x"}}'))).toBe('UNSUPPORTED_PARAMETER __proto__');
    expect(faultOf({ ...depositBody(), constructor: 1 })).toBe('UNSUPPORTED_PARAMETER constructor');
    const accountDetails = JSON.parse(
      '{"phoneNumber": "1", "__proto__": {"provider": "MTN_MOMO_ZMB"}}',
    ) as object;
    expect(faultOf({ ...depositBody(), payer: { type: 'MMO', accountDetails } })).toBe(
      'UNSUPPORTED_PARAMETER payer.accountDetails.__proto__',
    );
  });

  it('depth does not matter', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`);
    expect(faultOf({ ...depositBody(), amount: deep })).toBe('INVALID_PARAMETER amount');
    expect(faultOf({ ...depositBody(), metadata: [{ a: deep }] })).toBe('INVALID_PARAMETER metadata[0]');
    const nested: unknown = JSON.parse(`${'{"payer":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    expect(faultOf(nested)).toBe('UNSUPPORTED_PARAMETER payer.payer');
  });

  it('a huge array is refused as a whole', () => {
    const metadata = Array.from({ length: 300_000 }, () => ({ a: 1 }));
    expect(faultOf({ ...depositBody(), metadata })).toBe('INVALID_PARAMETER metadata');
  });

  it('a made-up name is repeated only in part', () => {
    const { parameter } = refused({ ...depositBody(), ['x'.repeat(1_000_000)]: 1 });
    expect(parameter).toBe(`${'x'.repeat(64)}…`);
    const halved = refused({ ...depositBody(), [`${'x'.repeat(63)}😀`]: 1 }).parameter;
    expect(halved.isWellFormed()).toBe(true);
  });

  it('no message repeats a value', () => {
    const secret = 'SECRET260763456789';
    for (const fields of [
      { depositId: secret },
      { amount: secret },
      { currency: secret },
      { payer: payer({ phoneNumber: [secret] }) },
      { payer: payer({ provider: secret }) },
      { customerMessage: secret.repeat(2) },
      { clientReferenceId: { secret } },
      { preAuthorisationCode: secret.repeat(3) },
      { successfulUrl: secret },
      { metadata: [{ name: [secret] }] },
      { metadata: secret },
    ]) {
      expect(JSON.stringify(renderFault(refused(depositBody(fields))))).not.toContain('SECRET');
    }
  });
});

/** Replaces what stands at `path` by the good body's value, or takes it out where the good body has none. */
function repair(body: Record<string, unknown>, good: Record<string, unknown>, path: readonly string[]): void {
  const [name = '', ...rest] = path;
  if (rest.length > 0) {
    repair(body[name] as Record<string, unknown>, good[name] as Record<string, unknown>, rest);
  } else if (name in good) {
    body[name] = good[name];
  } else {
    delete body[name];
  }
}
