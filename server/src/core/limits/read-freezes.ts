// Freezes as people look at them: each once, with the cells it holds in.
import type { Freeze } from '../../store/limits/freezes.ts';
import type { Actor } from '../audit.ts';
import { missingCells } from '../cells/in-every-cell.ts';
import type { Engine } from '../engine.ts';
import { readFreezes } from './freeze.ts';
import { recordShown } from './read-numbers.ts';

export type FreezeView = Freeze & {
  /** Cells that answered and do not have it: payments leave there. */
  readonly cellsWithout: readonly string[];
};

export type FreezesOfAll = {
  readonly freezes: readonly FreezeView[];
  /** Cells that did not answer. */
  readonly missingCells: readonly string[];
};

/** The oldest first. */
export async function readFreezesOfAll(engine: Engine): Promise<FreezesOfAll> {
  const answers = await readFreezes(engine);
  const confirmed = answers.flatMap((one) => (one.type === 'CONFIRMED' ? [one] : []));
  const all = new Map<string, Freeze>();
  for (const { answer } of confirmed)
    for (const freeze of answer) if (!all.has(freeze.freezeId)) all.set(freeze.freezeId, freeze);
  const freezes = [...all].map(([freezeId, freeze]) => {
    const without = confirmed.filter(({ answer }) => !answer.some((one) => one.freezeId === freezeId));
    return { ...freeze, cellsWithout: without.map(({ cell }) => cell) };
  });
  return {
    freezes: freezes.toSorted((a, b) => a.frozenAt.getTime() - b.frozenAt.getTime()),
    missingCells: missingCells(answers),
  };
}

/** Null where it is not in force in any cell that answers. */
export async function findFreeze(engine: Engine, freezeId: string): Promise<FreezeView | null> {
  const { freezes } = await readFreezesOfAll(engine);
  return freezes.find((one) => one.freezeId === freezeId) ?? null;
}

/** Null where no number is frozen by it. */
export async function revealFrozenNumber(
  engine: Engine,
  { by, freezeId }: Actor & { readonly freezeId: string },
): Promise<string | null> {
  const phoneNumber = (await findFreeze(engine, freezeId))?.phoneNumber ?? null;
  if (phoneNumber !== null)
    await recordShown(engine, { by, merchantId: null, subject: freezeId, of: 'FREEZE' });
  return phoneNumber;
}
