// Safety rules, each broken on purpose in a copy of the source: a drill that cannot fail shows nothing. Nothing of this
// is in the product. A rule is broken by changing one text of one file, which must occur exactly once.

export type BrokenRule = {
  readonly what: string;
  /** The file below server/src. */
  readonly file: string;
  readonly find: string;
  readonly put: string;
};

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
};
