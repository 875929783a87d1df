// Counts per family: what was sent, what was answered, and what was found.
import type { Exchange } from './connection.ts';
import { isAccepted, type Fault, type FaultKind } from './check-answer.ts';
import { FAMILIES, type Case, type Family } from './world.ts';

export type Finding = Fault & {
  readonly number: number;
  readonly family: Family;
  readonly what: string;
  readonly bytes: Buffer;
};

export type FamilyCounts = {
  sent: number;
  /** Answers by class (2xx, 4xx, …); "closed" if there was none. */
  readonly answers: Map<string, number>;
  sound: number;
  soundAccepted: number;
  forbidden: number;
};

/** How many are shown; a hole may have thousands. */
const KEPT_MAX = 60;

export class Tally {
  readonly families: ReadonlyMap<Family, FamilyCounts>;
  readonly counts: Record<FaultKind, number> = { SERVER_ERROR: 0, HANG: 0, WRONG_ACCEPT: 0 };
  readonly findings: Finding[] = [];
  requests = 0;
  /** The slowest answer of each operation. */
  readonly slowest = new Map<string, number>();

  constructor() {
    this.families = new Map(
      FAMILIES.map((family) => [
        family,
        { sent: 0, answers: new Map<string, number>(), sound: 0, soundAccepted: 0, forbidden: 0 },
      ]),
    );
  }

  note(sent: Case, { answers, ms }: Exchange): void {
    const counts = this.families.get(sent.family);
    if (counts === undefined) return;
    this.requests += sent.methods.length;
    const [asked = ''] = sent.what.split(',');
    this.slowest.set(asked, Math.max(ms, this.slowest.get(asked) ?? 0));
    counts.sent += sent.methods.length;
    const counted =
      answers.length === 0 ? ['closed'] : answers.map(({ status }) => `${Math.floor(status / 100)}xx`);
    for (const one of counted) counts.answers.set(one, (counts.answers.get(one) ?? 0) + 1);
    const { type } = sent.expected;
    if (type === 'REFUSED' || type === 'UNACCEPTED') counts.forbidden += 1;
    if (type !== 'SOUND') return;
    counts.sound += 1;
    if (
      answers.some(
        (answer) =>
          answer.status < 300 && (sent.family === 'values of the console' || isAccepted(answer, null)),
      )
    )
      counts.soundAccepted += 1;
  }

  find(finding: Finding): void {
    this.counts[finding.kind] += 1;
    // One for each operation: the same hole is found repeatedly.
    const isKnown = this.findings.some((one) => keyOf(one) === keyOf(finding));
    if (!isKnown && this.findings.length < KEPT_MAX) this.findings.push(finding);
  }
}

function keyOf({ kind, family, what }: Finding): string {
  return `${kind} ${family} ${what.split(',')[0] ?? ''}`;
}
