// When a signing key of the service is used, and how long it is published. Pure.
import type { ProcessTime } from './clock.ts';

export type KeyTimes = {
  readonly keyNo: number;
  readonly signsFrom: Date;
  readonly retiredAt: Date | null;
};

/** The key to sign with: the latest one whose time has come. Null if there is none. */
export function chooseCurrentKey<Key extends KeyTimes>(keys: readonly Key[], now: ProcessTime): Key | null {
  const usable = keys.filter((key) => !isRetired(key, now)).toSorted(bySigning);
  // If all older keys were withdrawn, the next one starts early: nothing may be sent unsigned.
  return usable.findLast(({ signsFrom }) => signsFrom <= now) ?? usable[0] ?? null;
}

/**
 * The keys that receivers may verify with: the current key, then future ones, then former ones, the latest first, each
 * for `keepMs` after its successor took over.
 */
export function listPublishedKeys<Key extends KeyTimes>(
  keys: readonly Key[],
  { now, keepMs }: { readonly now: ProcessTime; readonly keepMs: number },
): readonly Key[] {
  const current = chooseCurrentKey(keys, now);
  if (current === null) return [];
  const others = keys.filter((key) => key !== current && !isRetired(key, now)).toSorted(bySigning);
  const next = others.filter(({ signsFrom }) => signsFrom > now);
  const kept = others.filter((key) => isKept(key, { keys, now, keepMs }));
  return [current, ...next, ...kept.toReversed()];
}

/** Whether it is time to create the next key. */
export function isRotationDue(
  keys: readonly KeyTimes[],
  { now, afterMs }: { readonly now: ProcessTime; readonly afterMs: number },
): boolean {
  const newest = keys
    .filter((key) => !isRetired(key, now))
    .toSorted(bySigning)
    .at(-1);
  return newest === undefined || newest.signsFrom.getTime() + afterMs <= now.getTime();
}

function isKept(
  { signsFrom }: KeyTimes,
  {
    keys,
    now,
    keepMs,
  }: { readonly keys: readonly KeyTimes[]; readonly now: ProcessTime; readonly keepMs: number },
): boolean {
  if (signsFrom > now) return false;
  // A withdrawn key is never a successor.
  const lasting = keys.filter((key) => !isRetired(key, now)).toSorted(bySigning);
  const successor = lasting.find((key) => key.signsFrom > signsFrom);
  return successor === undefined || now.getTime() < successor.signsFrom.getTime() + keepMs;
}

function isRetired({ retiredAt }: KeyTimes, now: ProcessTime): boolean {
  return retiredAt !== null && retiredAt <= now;
}

function bySigning(a: KeyTimes, b: KeyTimes): number {
  return a.signsFrom.getTime() - b.signsFrom.getTime() || a.keyNo - b.keyNo;
}
