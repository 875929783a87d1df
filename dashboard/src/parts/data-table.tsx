import { Button, Skeleton, Text } from '@mantine/core';
import {
  createColumnHelper,
  createSortedRowModel,
  rowSortingFeature,
  sortFn_alphanumeric,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useMemo, type MouseEvent, type ReactNode } from 'react';
import { useWords, words } from '../language.tsx';
import style from './data-table.module.css';
import { FailureState } from './failure-state.tsx';
import { Icon } from './icon.tsx';
import { SlowNotice } from './slow-notice.tsx';

export type Column<Row> = {
  readonly id: string;
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  /** Amounts stand at the end. */
  readonly align?: 'end';
  /** How rows are put in order by this column. Only for lists that are there as a whole, never for pages of one. */
  readonly sortBy?: (row: Row) => string | number;
  /** What names the row. A link in it opens the whole row, and is what keyboards and screen readers reach. */
  readonly isHeading?: boolean;
  /** Buttons: no header is shown beside them. */
  readonly isActions?: boolean;
  /**
   * Where it stands on a phone: at the end of the first line, behind the heading (default of the first column whose
   * `align` is `end`); below it with its header (default of the others), or without it; nowhere.
   */
  readonly onPhone?: 'end' | 'below' | 'plain' | 'hidden';
};

/** Pages of a list of unknown length. What `useCursor` gives, with the answer's own cursor. */
export type Paging = {
  /** From 1. */
  readonly page: number;
  readonly hasNext: boolean;
  readonly onPrevious: () => void;
  readonly onNext: () => void;
};

type DataTableProps<Row> = {
  /** For screen readers: what the rows are. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  /** Undefined while they are on their way. */
  readonly rows: readonly Row[] | undefined;
  readonly rowKey: (row: Row) => string;
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
    <div aria-busy={rows === undefined}>
      {rows?.length === 0 ? empty : <Rows {...props} />}
      {rows === undefined && onRetry !== undefined && <SlowNotice onRetry={onRetry} />}
      {props.paging !== undefined && <Pages paging={props.paging} />}
    </div>
  );
}

function Rows<Row extends object>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, skeletonRows = 8 } = props;
  const placed = useMemo(() => placedOnPhone(columns), [columns]);
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
            ? Array.from({ length: skeletonRows }, (_, index) => <SkeletonRow key={index} columns={placed} />)
            : table.getRowModel().rows.map(({ id, original }) => (
                <tr key={id} onClick={openRow}>
                  {placed.map((column) => (
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

/** Follows the link of the row's heading, in a new tab where that is asked for. What is in a row acts for itself. */
function openRow(event: MouseEvent<HTMLTableRowElement>): void {
  const { target, currentTarget, ctrlKey, metaKey, shiftKey } = event;
  const isOwn = target instanceof Element && target.closest('a,button,input,select,label,summary') !== null;
  // A person who marks text wants to copy it.
  if (isOwn || window.getSelection()?.isCollapsed === false) return;
  const link = currentTarget.querySelector('td[data-heading] a');
  link?.dispatchEvent(
    new PointerEvent('click', { bubbles: true, cancelable: true, ctrlKey, metaKey, shiftKey }),
  );
}

type Placed<Row> = Column<Row> & { readonly place: NonNullable<Column<Row>['onPhone']> };

function placedOnPhone<Row>(columns: readonly Column<Row>[]): readonly Placed<Row>[] {
  const end =
    columns.find(({ onPhone }) => onPhone === 'end') ??
    columns.find(({ align, onPhone }) => align === 'end' && onPhone === undefined);
  return columns.map((column) => ({
    ...column,
    place: column === end ? 'end' : (column.onPhone ?? 'below'),
  }));
}

function attributesOf<Row>({ header, align, isHeading, isActions, place }: Placed<Row>) {
  const isPlaced = isHeading !== true && isActions !== true;
  return {
    'data-label': isPlaced ? header : undefined,
    'data-phone': isPlaced ? place : undefined,
    'data-align': align,
    'data-heading': isHeading,
    'data-actions': isActions,
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

function SkeletonRow<Row>({ columns }: { readonly columns: readonly Placed<Row>[] }) {
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

/** Nothing where one page holds everything. */
function Pages({ paging }: { readonly paging: Paging }) {
  const said = useWords(WORDS);
  const { page, hasNext, onPrevious, onNext } = paging;
  if (page === 1 && !hasNext) return null;
  return (
    <nav className={style['pages']} aria-label={said.pages}>
      <Button
        variant="default"
        size="xs"
        leftSection={<Icon name="left" sizePx={14} />}
        disabled={page === 1}
        onClick={onPrevious}
      >
        {said.previous}
      </Button>
      <Text component="span" size="sm" c="dimmed" className="figures" aria-current="page">
        {said.page(page)}
      </Text>
      <Button
        variant="default"
        size="xs"
        rightSection={<Icon name="right" sizePx={14} />}
        disabled={!hasNext}
        onClick={onNext}
      >
        {said.next}
      </Button>
    </nav>
  );
}

const WORDS = words({
  en: { pages: 'Pages', page: (page: number) => `Page ${page}`, previous: 'Previous', next: 'Next' },
  fr: { pages: 'Pages', page: (page: number) => `Page ${page}`, previous: 'Précédent', next: 'Suivant' },
});
