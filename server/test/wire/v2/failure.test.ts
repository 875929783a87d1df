// The bodies of failures: the specification's table of errors, and "<id> in bodies" of its completions.
import * as fc from 'fast-check';
import { Compile } from 'typebox/compile';
import { describe, expect, it } from 'vitest';
import { failureReason } from '../../../src/domain/failure.ts';
import { failureSchema, renderFailure } from '../../../src/wire/v2/failure.ts';
import { DEPOSIT_ID } from './deposit-body.ts';

const reason = failureReason('MISSING_PARAMETER', { parameter: 'amount' });
const initiation = { idName: 'depositId', body: { depositId: DEPOSIT_ID } };

describe('failures of initiations', () => {
  it.each([400, 401, 403])('%i: { <id>, status: REJECTED, failureReason }', (httpStatus) => {
    expect(renderFailure(httpStatus, reason, initiation)).toStrictEqual({
      depositId: DEPOSIT_ID,
      status: 'REJECTED',
      failureReason: {
        failureCode: 'MISSING_PARAMETER',
        failureMessage: "The required parameter 'amount' is missing.",
      },
    });
  });

  it('500: { <id>, failureReason }, no status', () => {
    expect(renderFailure(500, reason, initiation)).toStrictEqual({
      depositId: DEPOSIT_ID,
      failureReason: reason,
    });
  });
});

describe('failures of everything else', () => {
  it.each([401, 403])('%i of status checks: { status: REJECTED, failureReason }', (httpStatus) => {
    expect(renderFailure(httpStatus, reason)).toStrictEqual({ status: 'REJECTED', failureReason: reason });
  });

  it('400 of a malformed identifier in a path: { status: REJECTED, failureReason }', () => {
    expect(renderFailure(400, reason)).toStrictEqual({ status: 'REJECTED', failureReason: reason });
  });

  it('500 of status checks: { failureReason }', () => {
    expect(renderFailure(500, reason)).toStrictEqual({ failureReason: reason });
  });
});

describe('404, 405, 413, 415, 429, 503', () => {
  it.each([404, 405, 413, 415, 429, 503])('%i: { failureReason }, for initiations too', (httpStatus) => {
    expect(renderFailure(httpStatus, reason)).toStrictEqual({ failureReason: reason });
    expect(renderFailure(httpStatus, reason, initiation)).toStrictEqual({ failureReason: reason });
  });
});

describe('<id> in 400, 401, 403, 500 bodies of initiations', () => {
  it.each(['', 'x', 'x'.repeat(36), DEPOSIT_ID.toUpperCase()])('%j is echoed, valid or not', (depositId) => {
    expect(renderFailure(400, reason, { idName: 'depositId', body: { depositId } })).toHaveProperty(
      'depositId',
      depositId,
    );
  });

  it.each([
    ['the body cannot be parsed', undefined],
    ['the body is no object', [{ depositId: DEPOSIT_ID }]],
    ['the body is null', null],
    ['the body holds none', {}],
    ['it is no string', { depositId: 42 }],
    ['it is null', { depositId: null }],
    ['it is longer than 36 characters', { depositId: 'x'.repeat(37) }],
    ['only the prototype holds one', Object.create({ depositId: DEPOSIT_ID })],
  ])('the identifier in bodies of refused initiations is left out when %s', (_, body) => {
    for (const httpStatus of [400, 401, 403, 500]) {
      expect(renderFailure(httpStatus, reason, { idName: 'depositId', body })).not.toHaveProperty(
        'depositId',
      );
    }
  });
});

describe('the published schemas', () => {
  it.each([400, 401, 403, 404, 405, 413, 415, 429, 500, 503])('describe the body of %i', (httpStatus) => {
    const ofInitiation = Compile(failureSchema(httpStatus, 'depositId'));
    const ofOthers = Compile(failureSchema(httpStatus));
    fc.assert(
      fc.property(fc.jsonValue(), (depositId) => {
        const failed = { idName: 'depositId', body: { depositId } };
        expect(ofInitiation.Check(renderFailure(httpStatus, reason, failed))).toBe(true);
      }),
    );
    expect(ofOthers.Check(renderFailure(httpStatus, reason))).toBe(true);
    expect(ofInitiation.Check({})).toBe(false);
  });

  it('say which codes a status has', () => {
    const text = JSON.stringify(failureSchema(401, 'depositId'));
    expect(text).toContain('AUTHENTICATION_ERROR');
    expect(text).not.toContain('AUTHORISATION_ERROR');
  });
});
