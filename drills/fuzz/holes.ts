// Validations that are removed from a copy of the source, each by changing one text of one file: a drill that cannot
// find a hole proves nothing. The texts must occur exactly once.
import type { BrokenRule } from '../chaos/broken-rules.ts';
import type { FaultKind } from './check-answer.ts';

export type Hole = BrokenRule & {
  /** The kind of finding it must cause. */
  readonly found: FaultKind;
};

export const HOLES: Readonly<Record<string, Hole>> = {
  'any-identifier': {
    what: 'identifiers are UUIDs of any version',
    file: 'domain/identifier.ts',
    find: `'^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12}$'`,
    put: `'^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$'`,
    found: 'WRONG_ACCEPT',
  },
  'unheard-of-fields': {
    what: 'a deposit may have fields that the specification does not know',
    file: 'wire/v2/payments/deposit.ts',
    find: `    additionalProperties: false,
    title: 'DepositRequest',`,
    put: `    title: 'DepositRequest',`,
    found: 'WRONG_ACCEPT',
  },
  'no-bounds': {
    what: 'amounts have no upper bound',
    file: 'core/payments/admit.ts',
    find: `facts.amount >= limits.minAmount && facts.amount <= limits.maxAmount`,
    put: `facts.amount >= limits.minAmount`,
    found: 'WRONG_ACCEPT',
  },
  'any-signature': {
    what: 'a signature is looked at and never minded',
    file: 'edge/signed-request.ts',
    find: `if (fault !== null) throw`,
    put: `if (fault !== null && fault.cause === '') throw`,
    found: 'WRONG_ACCEPT',
  },
  'any-type': {
    what: 'a body may say that it is not JSON',
    file: 'edge/request.ts',
    find: `if (type !== undefined && !/^application\\/json\\s*(;|$)/i.test(type)) {`,
    put: `if (type !== undefined && type === '') {`,
    found: 'WRONG_ACCEPT',
  },
  'a-throw': {
    what: 'a body that is not JSON is thrown on as it was',
    file: 'edge/request.ts',
    find: `  } catch {
    return undefined;
  }`,
    put: `  } finally {
    void 0;
  }`,
    found: 'SERVER_ERROR',
  },
};
