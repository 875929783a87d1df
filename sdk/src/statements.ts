// Statements of a wallet. The gateway creates their identifiers, so a request without an answer is repeated: at worst
// there are two equal statements, and no money moves.
import { fieldsOf, readReason, readRefusal } from './answer.ts';
import type { FailureReason, Statement, StatementRequest } from './api.ts';
import { unreadable, type Answered } from './connection.ts';
import { Inquiries } from './resource.ts';

export type StatementRequested =
  | { readonly outcome: 'accepted'; readonly id: string; readonly created: string }
  | { readonly outcome: 'rejected'; readonly failureReason: FailureReason };

export class Statements extends Inquiries<Statement> {
  /**
   * Asks for a statement, which is made within minutes. Throws when the gateway cannot be reached.
   *
   * @example
   * ```ts
   * const asked = await malipo.statements.create({
   *   wallet: { country: 'RWA', currency: 'RWF' },
   *   callbackUrl: 'https://shop.example/statements',
   *   startDate: new Date(Date.now() - 2 * 86_400_000).toISOString(),
   *   endDate: new Date(Date.now() - 86_400_000).toISOString(),
   * });
   * if (asked.outcome === 'accepted') {
   *   const statement = await malipo.statements.waitForFinal(asked.id);
   *   if (statement.isFinal) console.log(statement.status); // COMPLETED
   * }
   * ```
   */
  async create(request: StatementRequest): Promise<StatementRequested> {
    return readRequested(await this.ask({ method: 'POST', path: this.kind.path, body: request }));
  }
}

function readRequested(answer: Answered): StatementRequested {
  const { status, statementId: id, created } = fieldsOf(answer.body);
  if (status === 'ACCEPTED' && typeof id === 'string' && typeof created === 'string') {
    return { outcome: 'accepted', id, created };
  }
  const refusal = readRefusal(answer);
  const failureReason = readReason(answer.body);
  if (refusal !== null || failureReason === null) throw refusal ?? unreadable(answer.status);
  return { outcome: 'rejected', failureReason };
}
