// A line plot as SVG, legible on a light and a dark page. Its lines are short, so that diffs are readable.
export type Series = {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** For a limit or an ideal that was not measured. */
  readonly isDashed?: boolean;
};

export type Plot = {
  readonly title: string;
  /** With their units: "payments offered per second". */
  readonly xLabel: string;
  readonly yLabel: string;
  /** A logarithmic scale, for values that span several powers of ten. */
  readonly isLogarithmicX?: boolean;
  readonly isLogarithmicY?: boolean;
  readonly series: readonly Series[];
};

const WIDTH = 720;
const HEIGHT = 420;
const INNER = { left: 76, right: WIDTH - 24, top: 74, bottom: HEIGHT - 58 };
const TICKS_WANTED = 6;

/** Distinguishable for colour-blind people, on white and on black. */
const COLOURS = ['#2f7fd1', '#d9730d', '#16977a', '#b0549e', '#8a7a00'];

const STYLE = `<style>
  text { font: 13px system-ui, sans-serif; fill: #1f2328 }
  .title { font-size: 16px; font-weight: 600 }
  .page { fill: #ffffff } .grid { stroke: #d8dee4 } .frame { stroke: #6e7781; fill: none }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3 }
    .page { fill: #0d1117 } .grid { stroke: #30363d } .frame { stroke: #8b949e }
  }
</style>`;

export function renderPlot(plot: Plot): string {
  const points = plot.series.flatMap((series) => series.points);
  const [x, y] = [
    axisOf(
      points.map(([value]) => value),
      plot.isLogarithmicX === true,
      INNER.left,
      INNER.right,
    ),
    axisOf(
      points.map(([, value]) => value),
      plot.isLogarithmicY === true,
      INNER.bottom,
      INNER.top,
    ),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">`,
    `<title>${escape(plot.title)}</title>`,
    STYLE,
    `<rect class="page" width="${WIDTH}" height="${HEIGHT}"/>`,
    text({ x: INNER.left, y: 28, className: 'title' }, plot.title),
    ...x.ticks.flatMap((value) => [
      gridLine({ x1: x.place(value), x2: x.place(value), y1: INNER.top, y2: INNER.bottom }),
      text({ x: x.place(value), y: INNER.bottom + 20, anchor: 'middle' }, showNumber(value)),
    ]),
    ...y.ticks.flatMap((value) => [
      gridLine({ x1: INNER.left, x2: INNER.right, y1: y.place(value), y2: y.place(value) }),
      text({ x: INNER.left - 8, y: y.place(value) + 4, anchor: 'end' }, showNumber(value)),
    ]),
    `<path class="frame" d="M${INNER.left} ${INNER.top}V${INNER.bottom}H${INNER.right}"/>`,
    text({ x: (INNER.left + INNER.right) / 2, y: HEIGHT - 16, anchor: 'middle' }, plot.xLabel),
    sideways(plot.yLabel),
    ...plot.series.flatMap((series, index) =>
      renderSeries(series, index, (point) => [x.place(point[0]), y.place(point[1])]),
    ),
    ...renderLegend(plot.series),
    '</svg>\n',
  ].join('\n');
}

type Axis = { readonly ticks: readonly number[]; readonly place: (value: number) => number };

function axisOf(values: readonly number[], isLogarithmic: boolean, from: number, to: number): Axis {
  const scale = isLogarithmic
    ? (value: number) => Math.log10(Math.max(value, Number.MIN_VALUE))
    : (value: number) => value;
  const ticks = isLogarithmic ? powerTicks(values) : evenTicks(values);
  const [low, high] = [scale(ticks[0] ?? 0), scale(ticks.at(-1) ?? 1)];
  const place = (value: number) => tidy(from + ((scale(value) - low) / (high - low || 1)) * (to - from));
  return { ticks, place };
}

/** From zero to above the maximum, in steps of 1, 2 or 5. */
function evenTicks(values: readonly number[]): readonly number[] {
  const most = Math.max(...values, Number.MIN_VALUE);
  const rough = most / TICKS_WANTED;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10) * power;
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) =>
    Number((index * step).toPrecision(6)),
  );
}

/** From the power of ten below the minimum to the one above the maximum; with 2 and 5 between if there is space. */
function powerTicks(values: readonly number[]): readonly number[] {
  const positive = values.filter((value) => value > 0);
  const low = Math.floor(Math.log10(Math.min(...positive)));
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(...positive))));
  const between = high - low <= 2 ? [1, 2, 5] : [1];
  const powers = Array.from({ length: high - low }, (_, index) => 10 ** (low + index));
  return [...powers.flatMap((power) => between.map((times) => times * power)), 10 ** high];
}

function renderSeries(
  { points, isDashed }: Series,
  index: number,
  place: (point: readonly [number, number]) => readonly [number, number],
): readonly string[] {
  const colour = colourOf(index);
  const placed = points.map(place);
  const path = placed.map(([x, y], at) => `${at === 0 ? 'M' : 'L'}${x} ${y}`).join('\n  ');
  const dash = isDashed === true ? ' stroke-dasharray="5 5"' : '';
  const line = `<path fill="none" stroke="${colour}" stroke-width="2"${dash} d="\n  ${path}"/>`;
  if (isDashed === true) return [line];
  return [line, ...placed.map(([x, y]) => `<circle cx="${x}" cy="${y}" r="3.5" fill="${colour}"/>`)];
}

/** Above the plot, where no line crosses it. */
function renderLegend(series: readonly Series[]): readonly string[] {
  let x = INNER.left;
  return series.flatMap(({ name, isDashed }, index) => {
    const from = x;
    // The approximate width of a letter.
    x += 50 + name.length * 6.8;
    const dash = isDashed === true ? ' stroke-dasharray="5 5"' : '';
    return [
      `<path stroke="${colourOf(index)}" stroke-width="3"${dash} d="M${tidy(from)} 51h22"/>`,
      text({ x: tidy(from + 28), y: 55 }, name),
    ];
  });
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? '';
}

function gridLine(at: {
  readonly x1: number;
  readonly x2: number;
  readonly y1: number;
  readonly y2: number;
}): string {
  return `<line class="grid" x1="${at.x1}" x2="${at.x2}" y1="${at.y1}" y2="${at.y2}"/>`;
}

type TextPosition = {
  readonly x: number;
  readonly y: number;
  readonly anchor?: string;
  readonly className?: string;
};

function text({ x, y, anchor = 'start', className }: TextPosition, content: string): string {
  const named = className === undefined ? '' : ` class="${className}"`;
  return `<text${named} x="${x}" y="${y}" text-anchor="${anchor}">${escape(content)}</text>`;
}

function sideways(content: string): string {
  const middle = (INNER.top + INNER.bottom) / 2;
  return `<text transform="translate(20 ${middle}) rotate(-90)" text-anchor="middle">${escape(content)}</text>`;
}

function showNumber(value: number): string {
  if (value >= 1_000_000) return `${showNumber(value / 1_000_000)} M`;
  return value.toLocaleString('en', { maximumSignificantDigits: 4 });
}

function tidy(value: number): number {
  return Math.round(value * 10) / 10;
}

function escape(content: string): string {
  return content.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
