// Statements for people: created, listed, downloaded. They name payers, so the right to reveal them is needed too.
import type { FastifyInstance } from 'fastify';
import { fetchStatement, readStatementPage } from '../../../core/statements/read-wallet-statement.ts';
import { requestStatement, type StatementAnswer } from '../../../core/statements/request-wallet-statement.ts';
import { STATEMENT_DAYS_MAX } from '../../../domain/wallet-statement.ts';
import { renderPage } from '../../../wire/console/page.ts';
import { statementCalls } from '../../../wire/console/merchant/statement.ts';
import { show } from '../../../wire/console/show.ts';
import type { Statement } from '../../../store/statements/statements.ts';
import { readWalletName } from '../../../wire/console/merchant/wallet.ts';
import { requireDays } from '../days.ts';
import { ConsoleFailure, failureBecause, refusalOf } from '../failure.ts';
import { placeAfter, requirePage } from '../page.ts';
import { consoleRoutes, requireMerchant, type ConsoleParts } from '../route.ts';

const MAKE = { for: 'MERCHANT', permission: 'statements:make' } as const;
const MAKE_AND_REVEAL = { ...MAKE, reveals: true } as const;
const url = '/merchants/:merchantId/statements';

export function registerStatements(app: FastifyInstance, parts: ConsoleParts): void {
  const route = consoleRoutes(app, parts, 'statements');
  const { engine } = parts;
  route('GET', url, MAKE, statementCalls.listStatements, {
    summary: 'Statements that were created, by people or by API, the newest first',
    handle: async ({ path, query }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const page = requirePage(query, ['time', 'uuid']);
      const countMax = page.countMax + 1;
      const statements = await readStatementPage(engine, { merchantId, before: placeAfter(page), countMax });
      return renderPage(statements, page, {
        show: renderStatement,
        cursorOf: ({ createdAt, statementId }) => [createdAt.toISOString(), statementId],
      });
    },
  });
  route('POST', url, MAKE_AND_REVEAL, statementCalls.askForStatement, {
    summary: 'Create a statement of a wallet',
    handle: async ({ path, body, user: { by }, origin }) => {
      const merchant = await requireMerchant(parts, path.merchantId);
      const { from, until } = requireDays(body, { daysMax: STATEMENT_DAYS_MAX, timeZone: merchant.timeZone });
      const answer = await requestStatement(engine, {
        merchant,
        by,
        wallet: readWalletName(body.wallet),
        startsAt: from,
        endsAt: until,
        isCompressed: body.isCompressed,
        callbackUrl: null,
        baseUrl: origin,
      });
      return { statementId: requireAccepted(answer) };
    },
  });
  route('POST', `${url}/:statementId/fetch`, MAKE_AND_REVEAL, statementCalls.fetchStatement, {
    summary: 'Where the file of a statement is; who asks is recorded',
    handle: async ({ path, user: { by } }) => {
      const { merchantId } = await requireMerchant(parts, path.merchantId);
      const statementId = path.statementId.toLowerCase();
      const fetched = await fetchStatement(engine, { merchantId, statementId, by });
      if (fetched === null) throw new ConsoleFailure('NOT_FOUND');
      return { path: fetched.path, expiresAt: fetched.expiresAt.toISOString() };
    },
  });
}

function requireAccepted(answer: StatementAnswer): string {
  switch (answer.type) {
    case 'ACCEPTED':
      return answer.statementId;
    case 'REJECTED':
      throw refusalOf(answer.reason);
    case 'UNKNOWN':
      throw failureBecause('CONFLICT', 'OUTCOME_UNKNOWN');
  }
}

function renderStatement(statement: Statement) {
  const { wallet, dueAt, file } = statement;
  return {
    ...show(statement, 'statementId', 'status', 'startsAt', 'endsAt', 'coversUntil', 'createdAt'),
    ...show(statement, 'isCompressed'),
    wallet: show(wallet, 'country', 'currency', 'provider'),
    isReady: file !== null && dueAt === null,
    fileBytes: file?.fileBytes ?? null,
    rowCount: file?.rowCount ?? null,
  };
}
