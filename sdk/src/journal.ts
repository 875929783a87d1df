// Where identifiers are kept before anything is sent, so that anyone who is interrupted can ask for the outcome of
// them.

/** An order that was, or was about to be, sent. It holds no personal data. */
export type JournalEntry = {
  readonly kind: string;
  readonly id: string;
  /** When it was remembered, RFC 3339. */
  readonly at: string;
  /** The order's own clientReferenceId, if it has one: what it is in your books. */
  readonly clientReferenceId?: string;
};

/** `remember` must have stored the entries durably when it returns: only then is anything sent. */
export type Journal = {
  readonly remember: (entries: readonly JournalEntry[]) => Promise<void>;
  /** It is known the outcome of these orders. */
  readonly settle: (entries: readonly JournalEntry[]) => Promise<void>;
  /** What was remembered and never settled, oldest first. */
  readonly unsettled: () => Promise<readonly JournalEntry[]>;
};

/**
 * Keeps identifiers as long as the process lives. It is the journal of a client that is given none.
 *
 * @example
 * ```ts
 * import { createMemoryJournal, Malipo } from '@malipo/sdk';
 *
 * const { BASE = '', TOKEN = '' } = process.env;
 * const journal = createMemoryJournal();
 * const malipo = new Malipo({ baseUrl: BASE, token: TOKEN, journal });
 * console.log((await malipo.unsettled()).length); // 0
 * ```
 */
export function createMemoryJournal(): Journal {
  const entries = new Map<string, JournalEntry>();
  return {
    remember: async (added) => {
      for (const entry of added) entries.set(keyOf(entry), entry);
    },
    settle: async (settled) => {
      for (const entry of settled) entries.delete(keyOf(entry));
    },
    unsettled: async () => [...entries.values()],
  };
}

/** What one entry is told from another by. */
export function keyOf({ kind, id }: JournalEntry): string {
  return `${kind} ${id.toLowerCase()}`;
}
