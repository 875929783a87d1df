// How the files of an account are read. Setting it is recorded: it decides what the lines of a day are.
import type { ReportMapping, ReportSource } from '../../domain/reconciliation/report-mapping.ts';
import { authorsAfter } from '../../domain/reconciliation/mapping-authors.ts';
import { findCloseAccount } from '../../store/daily-close/closes.ts';
import type { AccountName } from '../../store/daily-close/report-lines.ts';
import {
  deleteMapping,
  listMappings,
  lockMapping,
  putMapping,
  type StoredMapping,
} from '../../store/daily-close/report-mappings.ts';
import { inTransaction } from '../../store/database.ts';
import { record, type Actor } from '../audit.ts';
import type { StorePart, TimedStore } from '../engine.ts';

export type MappingOrder = Actor &
  AccountName & {
    readonly source: ReportSource;
    /** Null: our own format from now on. */
    readonly mapping: ReportMapping | null;
  };

export async function setMapping(
  engine: TimedStore,
  { by, provider, currency, source, mapping }: MappingOrder,
): Promise<'DONE' | 'NOT_FOUND'> {
  const account = { provider, currency };
  return inTransaction(engine.store.database, async (tx) => {
    if ((await findCloseAccount(tx, account)) === null) return 'NOT_FOUND';
    const setAt = await engine.clock.timeOf(tx);
    if (mapping === null) await deleteMapping(tx, { ...account, source });
    else {
      const authors = authorsAfter(await lockMapping(tx, { ...account, source }), mapping, by);
      await putMapping(tx, { ...account, source, mapping, setBy: by, setAt, authors });
    }
    const detail = { currency, source, mapping };
    await record(engine, tx, [
      { by, act: 'REPORT_MAPPING_SET', merchantId: null, subject: provider, detail },
    ]);
    return 'DONE';
  });
}

/** Those that are set. */
export async function readMappings(
  engine: StorePart,
  account: AccountName,
): Promise<readonly StoredMapping[]> {
  return listMappings(engine.store.database, account);
}

export async function findMapping(
  engine: StorePart,
  { source, ...account }: AccountName & { readonly source: ReportSource },
): Promise<StoredMapping | null> {
  const found = await readMappings(engine, account);
  return found.find((one) => one.source === source) ?? null;
}
