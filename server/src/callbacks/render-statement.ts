// The body of a statement's callback: its record when it is ready or has failed.
import { renderStatement, type StatementFacts } from '../wire/v2/statements/statement-record.ts';

export function renderStatementCallback(facts: StatementFacts): string {
  return JSON.stringify(renderStatement(facts));
}
