// Stores identifiers before anything is sent, so that an interrupted process can ask for their outcome.

/** A request that was sent, or was about to be. It contains no personal data. */
export type JournalEntry = {
  readonly kind: string;
  readonly id: string;
  /** When it was stored, RFC 3339. */
  readonly at: string;
  /** The request's own clientReferenceId, if it has one. */
  readonly clientReferenceId?: string;
};

/** `remember` must have stored the entries durably when it returns: only then is anything sent. */
export type Journal = {
  readonly remember: (entries: readonly JournalEntry[]) => Promise<void>;
  /** The outcome of these requests is known. */
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

/** Identifies an entry. */
export function keyOf({ kind, id }: JournalEntry): string {
  return `${kind} ${id.toLowerCase()}`;
}

/**
 * Stores the entries, sends, and settles those whose outcome is known. What is thrown comes before anything was sent,
 * or is a refusal of the only request. It says nothing about an earlier one with the same identifier, so an entry
 * that was there before stays.
 */
export async function sendStored<Sent extends { readonly outcome: string }>(
  journal: Journal,
  entries: readonly JournalEntry[],
  send: () => Promise<readonly Sent[]>,
): Promise<readonly Sent[]> {
  const before = new Set((await journal.unsettled()).map(keyOf));
  await journal.remember(entries);
  const results = await send().catch(async (error: unknown) => {
    await trySettle(
      journal,
      entries.filter((entry) => !before.has(keyOf(entry))),
    );
    throw error;
  });
  await trySettle(
    journal,
    entries.filter((_, index) => results[index]?.outcome !== 'unknown'),
  );
  return results;
}

/** An entry that stays does no harm; a result that is lost does. */
async function trySettle(journal: Journal, entries: readonly JournalEntry[]): Promise<void> {
  try {
    await journal.settle(entries);
  } catch {
    return;
  }
}
