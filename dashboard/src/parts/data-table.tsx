import { Button, Group, Skeleton } from '@mantine/core';
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, type ReactNode } from 'react';
import { useWords, words } from '../language.tsx';
import style from './data-table.module.css';
import { FailureState } from './failure-state.tsx';
import { Icon } from './icon.tsx';

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand at the end. */
  readonly align?: 'end';
  /** How rows are put in order by this column. Only for lists that are there as a whole, never for pages of one. */
  readonly sortBy?: (row: Row) => string | number;
  /** On a phone a row becomes a card: this column is its heading. */
  readonly isHeading?: boolean;
  /** Buttons: no header is shown beside them on a phone. */
  readonly isActions?: boolean;
};

/** Pages of a list whose end nobody counts. What `useCursor` gives, with the answer's own cursor. */
export type Paging = {
  readonly hasNewer: boolean;
  readonly hasOlder: boolean;
  readonly onNewer: () => void;
  readonly onOlder: () => void;
  /** For lists that go by something else than time, where nothing is newer or older. */
  readonly isTimeless?: boolean;
};

type DataTableProps<Row> = {
  /** For screen readers: what the rows are. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
  /** Opens a row, where it has a screen of its own. Give the heading column a link too: it is what keyboards reach. */
  readonly onOpen?: (row: Row) => void;
  readonly empty: ReactNode;
  readonly error?: Error | null;
  readonly onRetry?: () => void;
  readonly paging?: Paging;
  /** As many as will come, so that nothing jumps. */
  readonly skeletonRows?: number;
};

const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric },
});

export function DataTable<Row extends object>(props: DataTableProps<Row>) {
  const { rows, error = null, empty, onRetry } = props;
  if (rows === undefined && error !== null) {
    return <FailureState error={error} {...(onRetry === undefined ? {} : { onRetry })} />;
  }
  return (
    <div className={style['frame']} aria-busy={rows === undefined}>
      {rows?.length === 0 ? empty : <Rows {...props} />}
      {props.paging !== undefined && <Pages paging={props.paging} />}
    </div>
  );
}

function Rows<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, onOpen, skeletonRows = 8 } = props;
  const definitions = useMemo(() => {
    const helper = createColumnHelper<typeof features, Row>();
    return columns.map(({ id, header, sortBy }) =>
      helper.accessor((row): unknown => sortBy?.(row) ?? '', {
        id,
        header,
        enableSorting: sortBy !== undefined,
      }),
    );
  }, [columns]);
  const table = useTable({
    features,
    columns: definitions,
    data: rows ?? (NO_ROWS as readonly Row[]),
    getRowId: rowKey,
    enableSortingRemoval: true,
  });
  return (
    <div className={style['scroll']}>
      <table className={style['table']} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) => {
              const sorting = table.getColumn(column.id);
              return (
                <Header
                  key={column.id}
                  column={column}
                  direction={sorting?.getIsSorted() ?? false}
                  onSort={() => sorting?.toggleSorting()}
                />
              );
            })}
          </tr>
        </thead>
        <tbody>
          {rows === undefined
            ? Array.from({ length: skeletonRows }, (_, index) => (
                <SkeletonRow key={index} columns={columns} />
              ))
            : table.getRowModel().rows.map(({ id, original }) => (
                <tr
                  key={id}
                  data-opens={onOpen !== undefined}
                  onClick={(event) => {
                    // Links and buttons in a row act for themselves.
                    if (event.target instanceof Element && event.target.closest('a,button,input') !== null)
                      return;
                    onOpen?.(original);
                  }}
                >
                  {columns.map((column) => (
                    <td key={column.id} {...attributesOf(column)}>
                      {column.cell(original)}
                    </td>
                  ))}
                </tr>
              ))}
        </tbody>
      </table>
    </div>
  );
}

const NO_ROWS: readonly object[] = [];

function attributesOf<Row>({ header, align, isHeading, isActions }: Column<Row>) {
  return {
    'data-label': isActions === true || isHeading === true ? '' : header,
    'data-align': align,
    'data-heading': isHeading === true,
    'data-actions': isActions === true,
  };
}

type HeaderProps<Row> = {
  readonly column: Column<Row>;
  readonly direction: 'asc' | 'desc' | false;
  readonly onSort: () => void;
};

const ORDERS = { asc: 'ascending', desc: 'descending' } as const;
const ARROWS = { asc: ' ↑', desc: ' ↓' } as const;

function Header<Row>({ column, direction, onSort }: HeaderProps<Row>) {
  const { header, align, sortBy, isActions } = column;
  return (
    <th scope="col" data-align={align} aria-sort={direction === false ? undefined : ORDERS[direction]}>
      {isActions === true && <span className={style['hidden']}>{header}</span>}
      {isActions !== true && sortBy === undefined && header}
      {isActions !== true && sortBy !== undefined && (
        <button type="button" className={style['sort']} onClick={onSort}>
          {header}
          {direction === false ? '' : ARROWS[direction]}
        </button>
      )}
    </th>
  );
}

function SkeletonRow<Row>({ columns }: { readonly columns: readonly Column<Row>[] }) {
  return (
    <tr>
      {columns.map((column) => (
        <td key={column.id} {...attributesOf(column)}>
          <Skeleton height={14} my={4} width={column.isActions === true ? 48 : '70%'} />
        </td>
      ))}
    </tr>
  );
}

function Pages({ paging }: { readonly paging: Paging }) {
  const said = useWords(WORDS);
  return (
    <Group justify="flex-end" gap="xs" p="xs" component="nav" aria-label={said.pages}>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="left" sizePx={14} />}
        disabled={!paging.hasNewer}
        onClick={paging.onNewer}
      >
        {paging.isTimeless === true ? said.back : said.newer}
      </Button>
      <Button
        variant="default"
        size="xs"
        rightSection={<Icon name="right" sizePx={14} />}
        disabled={!paging.hasOlder}
        onClick={paging.onOlder}
      >
        {paging.isTimeless === true ? said.next : said.older}
      </Button>
    </Group>
  );
}

const WORDS = words({
  en: { pages: 'Pages', newer: 'Newer', older: 'Older', back: 'Back', next: 'Next' },
  fr: { pages: 'Pages', newer: 'Plus récents', older: 'Plus anciens', back: 'Retour', next: 'Suite' },
});
