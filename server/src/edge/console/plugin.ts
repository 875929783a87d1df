// The console: the API of the dashboard, for people who sign in. docs/internals/console.md says how a route is added.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { MerchantInOtherCell } from '../../core/cells/lock-merchant.ts';
import { isLockTimeout } from '../../store/database.ts';
import { CONSOLE_FAILURES } from '../../wire/console/failure.ts';
import { failureOf } from '../failure.ts';
import { RequestFailure } from '../request-failure.ts';
import { rawBody } from '../request.ts';
import { registerApprovals } from './approvals.ts';
import { registerAudit } from './merchant/audit.ts';
import { registerBadges } from './badges.ts';
import { registerDeliveries } from './merchant/callback-deliveries.ts';
import { registerCallbackSettings } from './merchant/callback-settings.ts';
import { registerCases } from './platform/cases.ts';
import { registerDailyCloses } from './platform/daily-closes.ts';
import { registerReportFiles } from './platform/report-files.ts';
import { registerDelays } from './platform/delays.ts';
import { registerErasures } from './platform/erasures.ts';
import { ConsoleFailure, failureBecause } from './failure.ts';
import { registerFees } from './platform/fees.ts';
import { registerFloatMovements } from './platform/float-movements.ts';
import { registerFreezes } from './platform/freezes.ts';
import { registerLimits } from './limits.ts';
import { registerListedNumbers } from './platform/listed-numbers.ts';
import { registerHolds } from './platform/holds.ts';
import { registerReviews } from './platform/reviews.ts';
import { registerHealth } from './platform/health.ts';
import { registerLedger } from './platform/ledger.ts';
import { registerHostAudit } from './platform/platform-audit.ts';
import { registerHostMerchants } from './platform/merchants.ts';
import { registerHostProviders } from './platform/providers.ts';
import { registerPlatformOverview } from './platform/overview.ts';
import { registerRiskEvents } from './platform/risk-events.ts';
import { registerProblems } from './platform/problems.ts';
import { registerKeySettings } from './merchant/key-settings.ts';
import { registerPageBrand } from './merchant/page-brand.ts';
import { registerRegionalSettings } from './merchant/regional-settings.ts';
import { registerMe } from './sign-in/me.ts';
import { registerPaymentActs } from './merchant/payment-actions.ts';
import { registerPaymentLinks } from './merchant/payment-links.ts';
import { registerPayments } from './merchant/payments.ts';
import { registerCatalogue } from './catalogue.ts';
import { registerPaymentLists } from './payment-lists.ts';
import { registerLostPayments } from './platform/lost-payments.ts';
import { registerMoneyRequests } from './platform/money-movements.ts';
import { noteAuthCall, noteSignedIn } from './sign-in/record-sign-in.ts';
import { registerUnmatchedNotifications } from './platform/notifications.ts';
import { registerPayoutHolders } from './merchant/payout-holders.ts';
import { registerPayoutLimits } from './merchant/payout-limits.ts';
import { registerPayoutBatches } from './merchant/payouts.ts';
import { registerOverview } from './merchant/overview.ts';
import { requireOwnOrigin, type ConsoleParts } from './route.ts';
import { registerMerchantSettlements } from './merchant/settlements.ts';
import { registerSettlements } from './platform/settlements.ts';
import { registerStatements } from './merchant/statements.ts';
import { AUTH_PATH } from './sign-in/auth-options.ts';
import { AUTH_CALLS } from './sign-in/sign-in.ts';
import { registerHostTeam, registerTeam } from './team.ts';
import { registerTokenSettings } from './merchant/token-settings.ts';
import { registerUnclearPayments } from './platform/unclear-payments.ts';
import { registerWallets } from './merchant/wallets.ts';

export async function registerConsole(app: FastifyInstance, parts: ConsoleParts): Promise<void> {
  await app.register(async (console) => {
    console.setErrorHandler(answerFailure);
    console.addHook('onSend', (_request, reply, payload, done) => {
      // What people see here is theirs alone, and never shown inside somebody else's page.
      reply.headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' });
      done(null, payload);
    });
    registerSignIn(console, parts);
    registerMe(console, parts);
    registerTeam(console, parts);
    registerHostTeam(console, parts);
    registerApprovals(console, parts);
    registerBadges(console, parts);
    registerPayoutBatches(console, parts);
    registerPayoutHolders(console, parts);
    registerPayoutLimits(console, parts);
    registerCatalogue(console, parts);
    registerPaymentLists(console, parts);
    registerPayments(console, parts);
    registerPaymentActs(console, parts);
    registerPaymentLinks(console, parts);
    registerDeliveries(console, parts);
    registerCallbackSettings(console, parts);
    registerTokenSettings(console, parts);
    registerKeySettings(console, parts);
    registerPageBrand(console, parts);
    registerRegionalSettings(console, parts);
    registerAudit(console, parts);
    registerProblems(console, parts);
    registerPlatformOverview(console, parts);
    registerHostMerchants(console, parts);
    registerHostProviders(console, parts);
    registerUnclearPayments(console, parts);
    registerCases(console, parts);
    registerDelays(console, parts);
    registerUnmatchedNotifications(console, parts);
    registerLostPayments(console, parts);
    registerLedger(console, parts);
    registerMoneyRequests(console, parts);
    registerFloatMovements(console, parts);
    registerDailyCloses(console, parts);
    registerReportFiles(console, parts);
    registerFees(console, parts);
    registerHostAudit(console, parts);
    registerHealth(console, parts);
    registerErasures(console, parts);
    registerFreezes(console, parts);
    registerRiskEvents(console, parts);
    registerHolds(console, parts);
    registerListedNumbers(console, parts);
    registerReviews(console, parts);
    registerLimits(console, parts);
    registerOverview(console, parts);
    registerWallets(console, parts);
    registerMerchantSettlements(console, parts);
    registerSettlements(console, parts);
    registerStatements(console, parts);
  });
}

function registerSignIn(app: FastifyInstance, parts: ConsoleParts): void {
  const { engine, signIn } = parts;
  for (const call of AUTH_CALLS) {
    const [method = '', path = ''] = call.split(' ');
    app.route({
      method,
      url: AUTH_PATH + path,
      schema: { hide: true },
      handler: async (request, reply) => {
        requireOwnOrigin({ engine }, request);
        const session = NOTED.test(path) ? await signIn.sessionOf(request) : null;
        // Before the answer: after too many wrong codes nothing is left of it.
        const halfSignedIn = NOTED.test(path) ? await signIn.halfSignedIn(request) : null;
        const { response, person = null, refusal = null } = await signIn.answer(request);
        if (refusal !== null) request.log.warn({ refusal }, 'sign-in at the identity provider was refused');
        if (person !== null) await noteSignedIn(parts, { request, reply, ...person });
        reply.code(response.status);
        for (const [name, value] of response.headers) if (name !== 'set-cookie') reply.header(name, value);
        for (const cookie of response.headers.getSetCookie()) reply.header('set-cookie', cookie);
        const body = Buffer.from(await response.arrayBuffer());
        if (NOTED.test(path)) {
          const [answer, asked] = [parseOrNull(body), parseOrNull(rawBody(request))];
          const told = { isGood: response.ok, answer, asked };
          await noteAuthCall(parts, { path, request, reply, session, halfSignedIn, ...told });
        }
        return reply.send(body);
      },
    });
  }
}

/** Calls that people hear about. */
const NOTED = /^\/(sign-in|two-factor\/verify|change-password)/;

function parseOrNull(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return null;
  }
}

async function answerFailure(error: unknown, request: FastifyRequest, reply: FastifyReply): Promise<void> {
  const { httpStatus, code, message, reason } = describeFailure(error, request);
  if (httpStatus === 503) reply.header('retry-after', '1');
  const failureReason = { failureCode: code, failureMessage: message, ...(reason && { reason }) };
  await reply.code(httpStatus).send({ failureReason });
}

function describeFailure(error: unknown, request: FastifyRequest) {
  if (error instanceof ConsoleFailure) return error;
  if (error instanceof MerchantInOtherCell) return failureBecause('CONFLICT', 'MERCHANT_MOVING');
  if (isLockTimeout(error)) return failureBecause('CONFLICT', 'BUSY');
  const { httpStatus, reason } = error instanceof RequestFailure ? error : failureOf(error, request);
  if (httpStatus === CONSOLE_FAILURES.INVALID_INPUT.httpStatus)
    return failureBecause('INVALID_INPUT', 'REQUEST_UNREADABLE', {}, reason.failureMessage);
  return { httpStatus, code: reason.failureCode, message: reason.failureMessage, reason: undefined };
}
