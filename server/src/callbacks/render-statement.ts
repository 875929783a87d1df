// The body of a statement's callback: its record, when it has been made or could not be.
import { renderStatement, type StatementFacts } from '../wire/v2/statements/statement-record.ts';

export function renderStatementCallback(facts: StatementFacts): string {
  return JSON.stringify(renderStatement(facts));
}
