// Safety rules, each broken on purpose in a copy of the source: a drill that cannot fail shows nothing. Nothing of this
// is in the product. A rule is broken by changing texts that must occur in their files exactly once.

export type BrokenText = {
  /** The file below server/src. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
};

export type BrokenRule = BrokenText & {
  readonly what: string;
  /** Where a second text keeps the same rule. */
  readonly and?: BrokenText;
};

/** Every text that breaks a rule. */
export function textsOf({ and, ...first }: BrokenRule): readonly BrokenText[] {
  return and === undefined ? [first] : [first, and];
}

export const BROKEN_RULES: Readonly<Record<string, BrokenRule>> = {
  'resubmit-after-crash': {
    what: 'a worker that finds a payment at its operator without an answer sends it again instead of asking',
    file: 'core/payments/process/interpret-enquiry.ts',
    find: `  if (outcome.type !== 'NOT_SEEN' || isAcknowledged(operator, attempt)) return outcome;`,
    put: `  if (attempt.sendCount === 1) return 'RESUBMIT';
  if (outcome.type !== 'NOT_SEEN' || isAcknowledged(operator, attempt)) return outcome;`,
  },
  'callback-outside-transaction': {
    what: 'the callback is written after the transaction that makes the payment final',
    file: 'core/payments/process/write-changes.ts',
    find: `await insertCallbacks(tx, rendered);`,
    put: `setTimeout(() => void insertCallbacks(engine.store.database, rendered).catch(() => undefined), 100);`,
  },
  'unsigned-notification': {
    what: 'a notification moves money without a check of its signature',
    file: 'sandbox/simulator/wire.ts',
    find: `if (!isSignatureGenuine(notification.body, { secret, header }))`,
    put: `if (!isSignatureGenuine(notification.body, { secret, header }) && notification.body.length === 0)`,
  },
  'asynchronous-commit': {
    what: 'PostgreSQL answers COMMIT before anything is on disk or at the standby',
    file: 'store/database.ts',
    find: `application_name: options.applicationName,`,
    put: `application_name: options.applicationName,\n    options: '-c synchronous_commit=off',`,
  },
  'crossed-screening-answer': {
    what: 'an answer of the screening service counts also where it belongs to another question',
    file: 'domain/limits/screening.ts',
    find: `if (verdict === undefined || screeningId !== paymentNo) return null;`,
    put: `if (verdict === undefined || (screeningId !== paymentNo && screeningId === undefined)) return null;`,
  },
  'settlement-named-by-client': {
    what: 'the identifier that a merchant chose for its request becomes the key of the settlement and its transfer',
    file: 'core/settlements/request-settlement.ts',
    find: `const settlementId = timedUuid(requestedAt);`,
    put: `const settlementId = requestId;`,
  },
  'once-in-each-cell': {
    what: 'a reference of the bank moves money once in each cell, because no cell asks the others',
    file: 'core/cells/ask-other-cells.ts',
    find: `const others = cells.filter((cell) => cell !== home);`,
    put: `const others = cells.filter((cell) => cell !== home && cell === '');`,
    and: {
      file: 'core/cells/claim-reference.ts',
      find: `if (others.length > 0 || cells.length === 1) return others;`,
      put: `if (others.length > 1_000_000 || cells.length === 1) return others;`,
    },
  },
  'voided-lines-count': {
    what: 'the lines of a file that two people voided go on counting',
    file: 'core/reconciliation/void-file.ts',
    find: `while (await takeBackSome(engine, report)) await renew();`,
    put: `if (report === null) while (await takeBackSome(engine, report)) await renew();`,
  },
};
