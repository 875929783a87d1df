// What a command says about cells that did not answer.
import { missingCells, type CellAnswer } from '../../../core/cells/in-every-cell.ts';
import { refuse } from '../../output.ts';

export function warnOfCells(answers: readonly CellAnswer<unknown>[], meaning: string): void {
  const missing = missingCells(answers);
  if (missing.length > 0) refuse(`Not confirmed by ${missing.join(', ')}. ${meaning}`);
}
