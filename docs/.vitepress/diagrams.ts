// Draws the state diagrams of the pages when the site is built, so that no reader loads a program that draws them.
// They are written in the language of Mermaid, which forges show too. States of payments have their places here; a
// state without one, or another kind of diagram, fails the build.
import type { MarkdownOptions } from 'vitepress';

type Markdown = Parameters<NonNullable<MarkdownOptions['config']>>[0];
type Point = readonly [x: number, y: number];
type Edge = { readonly from: string; readonly to: string; readonly label: string | null };

const WIDTH = 640;
const HEIGHT = 300;
const BOX = { width: 166, height: 42 };

/** The middle of each state. Time goes from left to right; what went well ends above. */
const PLACES: Readonly<Record<string, Point>> = {
  ACCEPTED: [115, 46],
  ENQUEUED: [115, 236],
  PROCESSING: [325, 46],
  IN_RECONCILIATION: [325, 141],
  COMPLETED: [545, 46],
  FAILED: [545, 236],
};
const FINAL = ['COMPLETED', 'FAILED'];

export function drawDiagrams(markdown: Markdown): void {
  const drawFence = markdown.renderer.rules.fence;
  markdown.renderer.rules.fence = (tokens, index, options, env, self) => {
    const { info, content } = tokens[index] ?? { info: '', content: '' };
    if (info.trim() === 'mermaid') return drawStates(content);
    return drawFence?.(tokens, index, options, env, self) ?? '';
  };
}

/** The diagram with its labels below: numbers stand at the arrows, because words would not fit on a phone. */
export function drawStates(text: string): string {
  const [kind, ...lines] = text.split('\n').map((line) => line.trim());
  if (kind !== 'stateDiagram-v2') throw new Error(`a diagram of the kind "${kind}" cannot be drawn`);
  const edges = lines.filter((line) => line !== '').map(readEdge);
  const states = [...new Set(edges.flatMap(({ from, to }) => [from, to]))].filter((name) => name !== '[*]');
  const labels = [...new Set(edges.flatMap(({ label }) => label ?? []))];
  const arrows = edges.map((edge) =>
    drawEdge(edge, edge.label === null ? null : labels.indexOf(edge.label) + 1),
  );
  const list = labels.map((label) => `<li>${escape(label)}</li>`).join('');
  return [
    '<figure class="states" v-pre><div class="drawing" tabindex="0">',
    `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${escape(describe(edges))}">`,
    '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto">',
    '<path d="M0 0 8 4 0 8z"/></marker></defs>',
    ...arrows,
    ...states.map(drawState),
    '</svg></div>',
    list === '' ? '' : `<figcaption><ol>${list}</ol></figcaption>`,
    '</figure>\n',
  ].join('');
}

function readEdge(line: string): Edge {
  const [, from, to, label] = /^(\S+) --> ([^\s:]+)(?:: (.+))?$/.exec(line) ?? [];
  if (from === undefined || to === undefined) throw new Error(`not an arrow of a diagram: ${line}`);
  return { from, to, label: label ?? null };
}

function placeOf(state: string): Point {
  const place = PLACES[state];
  if (place === undefined) throw new Error(`the state ${state} has no place in diagrams`);
  return place;
}

function drawState(name: string): string {
  const [x, y] = placeOf(name);
  const { width, height } = BOX;
  const isFinal = FINAL.includes(name);
  const rect = `<rect x="${x - width / 2}" y="${y - height / 2}" width="${width}" height="${height}" rx="8"/>`;
  return `<g${isFinal ? ' class="final"' : ''}>${rect}<text x="${x}" y="${y + 5}">${name}</text></g>`;
}

/** A beginning is a dot, an end is told by the frame of its state. */
function drawEdge({ from, to }: Edge, number: number | null): string {
  if (to === '[*]') return '';
  if (from === '[*]') return drawStart(placeOf(to), number);
  if (from === to) return drawLoop(placeOf(from), number);
  const [start, end] = [borderPoint(placeOf(from), placeOf(to)), borderPoint(placeOf(to), placeOf(from))];
  // Nearer to where it begins, where arrows are further apart.
  const middle: Point = [start[0] + (end[0] - start[0]) * 0.42, start[1] + (end[1] - start[1]) * 0.42];
  return `${drawLine(`M${start.join(' ')} ${end.join(' ')}`)}${drawNumber(middle, number)}`;
}

function drawStart([x, y]: Point, number: number | null): string {
  const edge = x - BOX.width / 2;
  const dot = `<circle class="start" cx="6" cy="${y}" r="5"/>`;
  return `${dot}${drawLine(`M11 ${y} ${edge} ${y}`)}${drawNumber([19, y - 14], number)}`;
}

function drawLoop([x, y]: Point, number: number | null): string {
  const bottom = y + BOX.height / 2;
  const line = drawLine(`M${x + 22} ${bottom}c0 26-44 26-44 1`);
  return `${line}${drawNumber([x, bottom + 22], number)}`;
}

const drawLine = (path: string) => `<path class="arrow" d="${path}" marker-end="url(#tip)"/>`;

function drawNumber([x, y]: Point, number: number | null): string {
  if (number === null) return '';
  const text = `<text class="number" x="${x}" y="${y + 4}">${number}</text>`;
  return `<circle class="number" cx="${x}" cy="${y}" r="10"/>${text}`;
}

/** Where the line between two middles leaves the box of the first. */
function borderPoint([x, y]: Point, [otherX, otherY]: Point): Point {
  const [dx, dy] = [otherX - x, otherY - y];
  const share = Math.min(
    dx === 0 ? Infinity : BOX.width / 2 / Math.abs(dx),
    dy === 0 ? Infinity : BOX.height / 2 / Math.abs(dy),
  );
  return [Math.round(x + dx * share), Math.round(y + dy * share)];
}

function describe(edges: readonly Edge[]): string {
  const sentences = edges
    .filter(({ from, to }) => from !== '[*]' && to !== '[*]')
    .map(({ from, to, label }) => `${from} to ${to}${label === null ? '' : ` (${label})`}`);
  return `States: ${sentences.join('; ')}.`;
}

const escape = (text: string) => text.replaceAll(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
