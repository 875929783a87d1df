// Every area of screens: its routes in one of the lists, and its entries in AREAS. The order is that of the navigation.
import type { Area } from './area.ts';
import { accountRoutes } from './screens/account/area.ts';
import { approvalArea, approvalRoutes, hostApprovalRoutes } from './screens/approvals/area.ts';
import { auditArea, auditRoutes, hostAuditRoutes } from './screens/audit/area.ts';
import { callbackArea, callbackRoutes } from './screens/callbacks/area.ts';
import { dailyCloseArea, dailyCloseRoutes } from './screens/daily-close/area.ts';
import { issuesArea, issuesRoutes } from './screens/issues/area.ts';
import { signInRoutes } from './screens/sign-in/area.ts';
import { feesArea, feesRoutes } from './screens/fees/area.ts';
import { healthArea, healthRoutes } from './screens/health/area.ts';
import { ledgerArea, ledgerRoutes } from './screens/ledger/area.ts';
import { limitsArea, limitsRoutes } from './screens/limits/area.ts';
import { merchantsArea, merchantsRoutes } from './screens/merchants/area.ts';
import { overviewArea, overviewRoutes } from './screens/overview/area.ts';
import { allPaymentArea, allPaymentRoutes, paymentArea, paymentRoutes } from './screens/payments/area.ts';
import { paymentLinkArea, paymentLinkRoutes } from './screens/payment-links/area.ts';
import { payoutArea, payoutRoutes } from './screens/payouts/area.ts';
import { moneyArea, moneyRoutes } from './screens/money/area.ts';
import { personalDataArea, personalDataRoutes } from './screens/personal-data/area.ts';
import { platformOverviewArea, platformOverviewRoutes } from './screens/platform-overview/area.ts';
import { providersArea, providersRoutes } from './screens/providers/area.ts';
import { regionalSettingsArea, regionalSettingsRoutes } from './screens/regional-settings/area.ts';
import { riskArea, riskRoutes } from './screens/risk/area.ts';
import { hostSettlementRoutes, settlementArea, settlementRoutes } from './screens/settlements/area.ts';
import { settingsArea, settingsRoutes } from './screens/settings/area.ts';
import { statementArea, statementRoutes } from './screens/statements/area.ts';
import { hostTeamRoutes, teamArea, teamRoutes } from './screens/team/area.ts';
import { walletArea, walletRoutes } from './screens/wallets/area.ts';

/** Below /m/$merchantId. */
export const MERCHANT_ROUTES = [
  ...overviewRoutes,
  ...paymentRoutes,
  ...paymentLinkRoutes,
  ...payoutRoutes,
  ...callbackRoutes,
  ...walletRoutes,
  ...settlementRoutes,
  ...statementRoutes,
  ...settingsRoutes,
  ...limitsRoutes,
  ...regionalSettingsRoutes,
  ...teamRoutes,
  ...approvalRoutes,
  ...auditRoutes,
];

/** Below /host. */
export const HOST_ROUTES = [
  ...platformOverviewRoutes,
  ...merchantsRoutes,
  ...allPaymentRoutes,
  ...providersRoutes,
  ...riskRoutes,
  ...issuesRoutes,
  ...healthRoutes,
  ...ledgerRoutes,
  ...moneyRoutes,
  ...dailyCloseRoutes,
  ...hostSettlementRoutes,
  ...feesRoutes,
  ...personalDataRoutes,
  ...hostAuditRoutes,
  ...hostTeamRoutes,
  ...hostApprovalRoutes,
];

/** In the shell, but neither a merchant's nor the host's. */
export const PERSONAL_ROUTES = [...accountRoutes];

/** Without the shell: for those who are not signed in. */
export const SIGN_IN_ROUTES = [...signInRoutes];

export const AREAS: readonly Area[] = [
  overviewArea,
  platformOverviewArea,
  issuesArea,
  paymentArea,
  paymentLinkArea,
  payoutArea,
  callbackArea,
  walletArea,
  statementArea,
  merchantsArea,
  allPaymentArea,
  providersArea,
  riskArea,
  settingsArea,
  limitsArea,
  regionalSettingsArea,
  teamArea,
  approvalArea,
  healthArea,
  ledgerArea,
  moneyArea,
  dailyCloseArea,
  settlementArea,
  feesArea,
  personalDataArea,
  auditArea,
];
