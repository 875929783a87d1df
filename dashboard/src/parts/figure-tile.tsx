import type { ReactNode } from 'react';
import { useLanguage, useWords, words } from '../language.tsx';
import style from './figure-tile.module.css';
import { formatChange, formatPoints } from './figures.ts';

/** Tiles side by side: four on a desktop, two on a phone. */
export function FigureTiles({ children }: { readonly children: ReactNode }) {
  return <div className={style['tiles']}>{children}</div>;
}

type FigureTileProps = {
  /** For tests and links: what it is about. */
  readonly id?: string;
  readonly label: ReactNode;
  readonly value: ReactNode;
  readonly note?: ReactNode;
  readonly trend?: Trend;
  /** How it went, from the first step to the last. Only for drawing. */
  readonly course?: readonly number[];
};

/** One figure: what it is, how much, and how it compares with the period before. */
export function FigureTile({ id, label, value, note, trend, course = [] }: FigureTileProps) {
  return (
    <div className={style['tile']} data-figure={id}>
      <div className={style['label']}>{label}</div>
      <div className={style['value']}>{value}</div>
      {trend !== undefined && <TrendLine trend={trend} />}
      {note !== undefined && <div className={style['note']}>{note}</div>}
      {course.length > 1 && <Course values={course} />}
    </div>
  );
}

const COURSE = { width: 100, height: 32 };

/** A line without axes: the library of charts would be a hundred times as large. */
function Course({ values }: { readonly values: readonly number[] }) {
  const { width, height } = COURSE;
  const max = Math.max(...values, 1);
  const line = values
    .map(
      (value, index) =>
        `${(index / (values.length - 1)) * width},${height - 1 - (value / max) * (height - 2)}`,
    )
    .join(' ');
  return (
    <svg
      className={style['course']}
      viewBox={`0 0 ${width} ${height}`}
      preserveAspectRatio="none"
      aria-hidden="true"
      focusable="false"
    >
      <polygon points={`0,${height} ${line} ${width},${height}`} />
      <polyline points={line} />
    </svg>
  );
}

export type Trend = {
  readonly current: number | string | null;
  readonly previous: number | string | null;
  /** The earlier figure as people read it. */
  readonly before: ReactNode;
  /** A share is compared in percentage points. */
  readonly isShare?: boolean;
  /** Whether more is better, worse, or neither. */
  readonly more: 'good' | 'bad' | 'neither';
};

function TrendLine({ trend }: { readonly trend: Trend }) {
  const said = useWords(WORDS);
  const { language } = useLanguage();
  const { current, previous, before, more, isShare = false } = trend;
  const change = (isShare ? formatPoints : formatChange)(current, previous, language);
  const isUp = Number(current) >= Number(previous);
  const isSame = Number(current) === Number(previous);
  const tone = more === 'neither' || isSame ? undefined : isUp === (more === 'good') ? 'good' : 'bad';
  return (
    <div className={style['note']}>
      {change !== null && (
        <span className={style['trend']} data-tone={tone}>
          {!isSame && <span aria-hidden="true">{isUp ? '↑' : '↓'} </span>}
          {change}
        </span>
      )}{' '}
      {change === null ? said.before : said.versus} {before}
    </div>
  );
}

const WORDS = words({
  en: { versus: 'from', before: 'Before:' },
  fr: { versus: 'contre', before: 'Avant :' },
});
