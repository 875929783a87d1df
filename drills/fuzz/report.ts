// The report of a run: a page for people, one line for programs.
import type { Hole } from './holes.ts';
import type { FuzzOutcome } from './run.ts';
import type { Finding } from './tally.ts';

/** How much of a bad request is shown; --only repeats it. */
const SHOWN_BYTES = 1_500;
const SLOWEST_SHOWN = 3;

export function renderReport(outcome: FuzzOutcome): string {
  const { seed, tally, memory, slowCount, complaints, seconds } = outcome;
  const { first, last } = memory.heapMb;
  const lines = [
    '',
    renderFamilies(outcome),
    '',
    `${slowCount} slow clients beside them; the slowest answers: ${renderSlowest(outcome)}`,
    `memory: heap after collections ${first} MB, at the end ${last} MB (${percent(memory.heapUsed.riseShare)} by ` +
      `the line through ${memory.heapUsed.samples} samples); at most ${memory.rssMbMax} MB in all`,
    `event loop: at most ${memory.stallMsMax} ms at a standstill`,
    ...memory.faults.map((fault) => `MEMORY OR STANDSTILL: ${fault}`),
    ...tally.findings.flatMap((finding) => renderFinding(finding, seed)),
    ...(tally.findings.length === 0
      ? []
      : complaints.slice(-5).map((line) => `the gateway: ${line.slice(0, 700)}`)),
    `seed ${seed}: ${tally.requests} requests in ${seconds} s`,
  ];
  return `${lines.join('\n')}\n`;
}

export function renderSummary({ tally: { requests, counts } }: FuzzOutcome) {
  return {
    requests,
    serverErrors: counts.SERVER_ERROR,
    hangs: counts.HANG,
    wrongAccepts: counts.WRONG_ACCEPT,
  };
}

/** Why the run failed. A planted hole that is not found is a gap in the drill. */
export function listFaults(outcome: FuzzOutcome, hole: Hole | null, isWhole: boolean): readonly string[] {
  const { tally, memory } = outcome;
  if (hole !== null) return tally.counts[hole.found] > 0 ? [] : ['the planted hole was not found'];
  const findings = tally.findings.length === 0 ? [] : ['there are findings'];
  return [...(isWhole ? listMissing(outcome) : []), ...findings, ...memory.faults];
}

/** What must have happened, because a clean run without it shows nothing. */
function listMissing({ tally }: FuzzOutcome): readonly string[] {
  return [...tally.families].flatMap(([family, { sent, sound, soundAccepted }]) => {
    if (sent === 0) return [`no requests of "${family}"`];
    return sound > 0 && soundAccepted === 0 ? [`no accepted requests of "${family}"`] : [];
  });
}

function renderFamilies({ tally }: FuzzOutcome): string {
  const rows = [...tally.families].map(([family, { sent, forbidden, sound, soundAccepted, answers }]) => {
    const sorted = [...answers].toSorted(([one], [other]) => (one < other ? -1 : 1));
    const shown = sorted.map(([name, times]) => `${name} ${times}`).join(', ');
    const isSound = sound > 0 ? `; ${soundAccepted} of ${sound} sound ones accepted` : '';
    const counted = `${String(sent).padStart(7)} sent, ${String(forbidden).padStart(6)} forbidden`;
    return `${family.padEnd(33)} ${counted}: ${shown}${isSound}`;
  });
  return rows.join('\n');
}

function renderSlowest({ tally }: FuzzOutcome): string {
  const slowest = [...tally.slowest].toSorted(([, one], [, other]) => other - one).slice(0, SLOWEST_SHOWN);
  return slowest.map(([asked, ms]) => `${Math.round(ms)} ms for ${asked}`).join('; ');
}

function renderFinding({ kind, number, family, what, why, bytes }: Finding, seed: number): readonly string[] {
  const again = number === 0 ? [] : [`  again: npm run fuzz -- --seed ${seed} --only ${number}`];
  const raw = bytes.length === 0 ? [] : [`  raw: ${renderBytes(bytes)}`];
  return [`${kind} ${why}`, `  ${family}: ${what}`, ...raw, ...again];
}

/** In printf's format. */
function renderBytes(bytes: Buffer): string {
  const text = bytes.subarray(0, SHOWN_BYTES).toString('latin1');
  const shown = text.replaceAll(/[^\x20-\x7e]|[\\']/g, (character) => {
    if (character === '\r') return '\\r';
    if (character === '\n') return '\\n';
    return `\\x${character.charCodeAt(0).toString(16).padStart(2, '0')}`;
  });
  return bytes.length > SHOWN_BYTES ? `'${shown}' … ${bytes.length} bytes` : `'${shown}'`;
}

function percent(share: number): string {
  return `${share >= 0 ? '+' : ''}${(share * 100).toFixed(1)} %`;
}
