// What a command says about cells that did not answer.
import type { CellAnswer } from '../../../core/cells/in-every-cell.ts';
import { refuse } from '../../output.ts';

export function warnOfCells(answers: readonly CellAnswer<unknown>[], meaning: string): void {
  const missing = answers.filter(({ type }) => type === 'NOT_CONFIRMED').map(({ cell }) => cell);
  if (missing.length > 0) refuse(`Not confirmed by ${missing.join(', ')}. ${meaning}`);
}
