// The cost of a period of work: processor time by process, statements, and bytes of the write-ahead log.
import { readdirSync, readFileSync } from 'node:fs';
import type { Database } from '../../server/src/store/database.ts';

export type Reading = {
  readonly cpuSeconds: Readonly<Record<string, number>>;
  readonly statements: number;
  readonly walBytes: number;
};

/** Processes by role. */
export type Pids = Readonly<Record<string, readonly number[]>>;

export class Meters {
  readonly #database: Database;
  readonly #pids: Pids;
  readonly #postmaster: number;

  private constructor(database: Database, pids: Pids, postmaster: number) {
    this.#database = database;
    this.#pids = pids;
    this.#postmaster = postmaster;
  }

  /** `pids` names the processes that are not PostgreSQL's. */
  static async open(database: Database, pids: Pids): Promise<Meters> {
    await database.query('create extension if not exists pg_stat_statements');
    return new Meters(database, pids, await findPostmaster(database));
  }

  /** Processor time is read first: the query takes a while on a busy machine. */
  async read(edge: 'BEGINS' | 'ENDS'): Promise<Reading> {
    const early = edge === 'ENDS' ? this.#cpuSeconds() : null;
    const { rows } = await this.#database.query<{ statements: string; wal: string }>(
      `select (select coalesce(sum(calls), 0) from pg_stat_statements) as statements,
         pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as wal`,
    );
    return {
      cpuSeconds: early ?? this.#cpuSeconds(),
      statements: Number(rows[0]?.statements),
      walBytes: Number(rows[0]?.wal),
    };
  }

  #cpuSeconds(): Readonly<Record<string, number>> {
    const others = Object.entries(this.#pids).map(([name, pids]) => {
      return [name, pids.reduce((sum, pid) => sum + (statOf(pid)?.ownSeconds ?? 0), 0)] as const;
    });
    return { ...Object.fromEntries(others), load: loadSeconds(), postgres: this.#postgresSeconds() };
  }

  /** The postmaster with its ended children, and its living children. */
  #postgresSeconds(): number {
    const own = statOf(this.#postmaster);
    const endedSeconds = (own?.ownSeconds ?? 0) + (own?.endedSeconds ?? 0);
    return endedSeconds + secondsOf(childrenOf(this.#postmaster));
  }
}

const LOAD_GENERATORS = ['wrk', 'pgbench'];

/** The load generators that this process started: those that run, and those that ended. */
function loadSeconds(): number {
  const running = childrenOf(process.pid).filter(({ name }) => LOAD_GENERATORS.includes(name));
  return (statOf(process.pid)?.endedSeconds ?? 0) + secondsOf(running);
}

function childrenOf(parent: number): readonly Stat[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => statOf(Number(pid)) ?? [])
    .filter((stat) => stat.parent === parent);
}

function secondsOf(stats: readonly Stat[]): number {
  return stats.reduce((sum, { ownSeconds }) => sum + ownSeconds, 0);
}

/** The process that is the parent of all others of a cluster. */
export async function findPostmaster(database: Database): Promise<number> {
  const { rows } = await database.query<{ pid: number }>('select pg_backend_pid() as pid');
  const postmaster = statOf(rows[0]?.pid ?? 0)?.parent;
  if (postmaster === undefined) throw new Error('PostgreSQL does not run on this machine');
  return postmaster;
}

export function difference(before: Reading, after: Reading): Reading {
  return mapCost([after, before], ([later = 0, earlier = 0]) => later - earlier);
}

/** Combines several readings, number by number. */
export function mapCost(costs: readonly Reading[], combine: (values: readonly number[]) => number): Reading {
  const names = Object.keys(costs[0]?.cpuSeconds ?? {});
  const cpu = names.map((name) => [name, combine(costs.map(({ cpuSeconds }) => cpuSeconds[name] ?? 0))]);
  return {
    cpuSeconds: Object.fromEntries(cpu) as Record<string, number>,
    statements: combine(costs.map(({ statements }) => statements)),
    walBytes: combine(costs.map(({ walBytes }) => walBytes)),
  };
}

/** Linux counts processor time in hundredths of a second. */
const TICKS_PER_SECOND = 100;

type Stat = {
  readonly name: string;
  readonly parent: number;
  readonly ownSeconds: number;
  readonly endedSeconds: number;
};

/** Null if the process has ended. */
function statOf(pid: number): Stat | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The program name is in brackets and may contain anything.
    const nameEnd = text.lastIndexOf(')');
    const name = text.slice(text.indexOf('(') + 1, nameEnd);
    const fields = text.slice(nameEnd + 2).split(' ');
    const ticks = (from: number) => (Number(fields[from]) + Number(fields[from + 1])) / TICKS_PER_SECOND;
    return { name, parent: Number(fields[1]), ownSeconds: ticks(11), endedSeconds: ticks(13) };
  } catch {
    return null;
  }
}
