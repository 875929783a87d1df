// The columns of a statement, written once. Their select list, the type of a row, its mapping to our names, and the
// arrays of an insert follow from that.
import { renderAmount, type Amount } from '../domain/money.ts';
import type { NextAction, PaymentKind, PaymentState } from '../domain/payments/payment.ts';
import type { Tx } from './database.ts';

/** A column of a row that is written: its name, its SQL type, and its value. */
export type Cell<Written> = readonly [name: string, type: string, value: (row: Written) => unknown];

/** What our code has for a SQL type. */
type Values = {
  uuid: string;
  text: string;
  'text[]': readonly string[];
  int: number;
  'int[]': readonly number[];
  bigint: number;
  numeric: Amount;
  bool: boolean;
  timestamptz: Date;
  bytea: Buffer;
  jsonb: Readonly<Record<string, unknown>>;
  payment_kind: PaymentKind;
  payment_state: PaymentState;
  next_action: NextAction;
};
type SqlType = keyof Values;

/** `text null` can be null, which `text?` shows as a property that is not there. */
type Kind = SqlType | `${SqlType} null` | `${SqlType}?`;

type Typed<Value> = { readonly kind: Kind; readonly sql: string | undefined; readonly value?: () => Value };

type Definitions = Readonly<Record<string, Kind | Typed<unknown>>>;

/** A column with a narrower type, or with another name than its property has in snake case, or an expression. */
export function column<Value>(kind: Kind, sql?: string): Typed<Value> {
  return { kind, sql };
}

type KindValue<One> = One extends `${infer Type extends SqlType} null`
  ? Values[Type] | null
  : One extends `${infer Type extends SqlType}?`
    ? Values[Type] | undefined
    : One extends SqlType
      ? Values[One]
      : never;
type ValueOf<One> = One extends Typed<infer Value> ? Value : KindValue<One>;
type Optional<Defs, Key extends keyof Defs> = undefined extends ValueOf<Defs[Key]> ? Key : never;
type Present<Defs> = {
  readonly [Key in keyof Defs as Exclude<Key, Optional<Defs, Key>>]: ValueOf<Defs[Key]>;
};

/** A row as it is read. */
type RowOf<Defs> = Present<Defs> & {
  readonly [Key in keyof Defs as Optional<Defs, Key>]?: Exclude<ValueOf<Defs[Key]>, undefined>;
};

/** A row as it is written. */
type NewRowOf<Defs> = Present<Defs> & {
  readonly [Key in keyof Defs as Optional<Defs, Key>]?: ValueOf<Defs[Key]>;
};

export type Columns<Defs> = {
  readonly defs: Defs;
  /** Some of them. */
  readonly only: <Key extends keyof Defs & string>(...keys: readonly Key[]) => Columns<Pick<Defs, Key>>;
  /** All but some of them. */
  readonly without: <Key extends keyof Defs & string>(...keys: readonly Key[]) => Columns<Omit<Defs, Key>>;
  /** The select list. */
  readonly names: string;
  /** The same of one of several tables. */
  readonly namesIn: (alias: string) => string;
  /** For `rowInserter` and its like. */
  readonly cells: readonly Cell<NewRowOf<Defs>>[];
  /** Selects rows; `tail` goes on with `from …`. */
  readonly select: (tx: Tx, tail: string, values?: readonly unknown[]) => Promise<readonly RowOf<Defs>[]>;
  /** The first of them. */
  readonly find: (tx: Tx, tail: string, values?: readonly unknown[]) => Promise<RowOf<Defs> | null>;
  /** Runs a statement that answers with `names`. */
  readonly query: (tx: Tx, text: string, values?: readonly unknown[]) => Promise<readonly RowOf<Defs>[]>;
};

/** The type of a row. */
export type Row<Of extends { readonly defs: unknown }> = RowOf<Of['defs']>;

export function columns<const Defs extends Definitions>(defs: Defs): Columns<Defs> {
  const all = Object.entries(defs).map(columnOf);
  const listIn = (prefix: string) => all.map((one) => selected(one, prefix)).join(', ');
  const names = listIn('');
  const isAsStored = all.every(({ read, isOptional }) => read === undefined && !isOptional);
  const read = readerOf(all);
  const query: Columns<Defs>['query'] = async (tx, text, values) => {
    const { rows } = await tx.query<Stored>(text, values);
    return (isAsStored ? rows : rows.map(read)) as RowOf<Defs>[];
  };
  const select: Columns<Defs>['select'] = (tx, tail, values) => query(tx, `select ${names} ${tail}`, values);
  const filtered = <Kept>(isKept: (key: string) => boolean): Columns<Kept> => {
    const kept = Object.entries(defs).filter(([key]) => isKept(key));
    return columns(Object.fromEntries(kept)) as unknown as Columns<Kept>;
  };
  return {
    defs,
    only: (...keys) => filtered((key) => keys.some((one) => one === key)),
    without: (...keys) => filtered((key) => !keys.some((one) => one === key)),
    names,
    namesIn: (alias) => listIn(`${alias}.`),
    cells: all.map(({ key, sql, type }) => [sql, type, (row) => written(type, (row as Stored)[key])]),
    query,
    select,
    find: async (tx, tail, values) => (await select(tx, tail, values))[0] ?? null,
  };
}

type Stored = Readonly<Record<string, unknown>>;

type Defined = {
  readonly key: string;
  /** Its name, or an expression. */
  readonly sql: string;
  readonly type: string;
  readonly isOptional: boolean;
  readonly read: ((stored: string) => unknown) | undefined;
};

/** The driver gives both as text, because a number could not hold all of them. */
const READ: Readonly<Record<string, (stored: string) => unknown>> = {
  numeric: amountOfNumeric,
  bigint: Number,
};

function columnOf([key, definition]: readonly [string, Kind | Typed<unknown>]): Defined {
  const { kind, sql = snakeCase(key) } = typeof definition === 'string' ? { kind: definition } : definition;
  const type = kind.replace(/ null$|\?$/, '');
  return { key, sql, type, isOptional: kind.endsWith('?'), read: READ[type] };
}

function written(type: string, value: unknown = null): unknown {
  if (typeof value === 'bigint') return renderAmount(value);
  return type === 'jsonb' && value !== null ? JSON.stringify(value) : value;
}

function selected({ key, sql }: Defined, prefix: string): string {
  const from = /^\w+$/.test(sql) ? `${prefix}${sql}` : sql;
  return sql === key ? from : `${from} as "${key}"`;
}

/** Rows begin as a copy of an empty one: growing them by a property at a time takes half as long again. */
function readerOf(all: readonly Defined[]): (row: Stored) => Stored {
  const empty = Object.fromEntries(all.flatMap(({ key, isOptional }) => (isOptional ? [] : [[key, null]])));
  return (row) => {
    const made: Record<string, unknown> = { ...empty };
    for (const { key, read } of all) {
      const value = row[key];
      if (value !== null) made[key] = read === undefined ? value : read(value as string);
    }
    return made;
  };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

/** Exact: numeric(22,4) text, as PostgreSQL gives it, to ten-thousandths. Ledger sums may be negative. */
export function amountOfNumeric(text: string): Amount {
  const [whole = '0', fraction = ''] = text.replace('-', '').split('.');
  const absolute = BigInt(whole) * 10_000n + BigInt(fraction.padEnd(4, '0'));
  return text.startsWith('-') ? -absolute : absolute;
}
