// What approving a request of each kind does: the capabilities hand it to the approvals here.
import type { Executors } from '../../core/approvals/executor.ts';
import { firstDayExecutor } from '../../core/daily-close/first-day.ts';
import { reopenExecutor } from '../../core/daily-close/reopen-day.ts';
import { cellEndExecutor } from '../../core/cells/ending/end-cell.ts';
import { closeExecutor } from '../../core/daily-close/sign-close.ts';
import { floatExecutor } from '../../core/ledger/move-float.ts';
import { freezeLiftExecutor } from '../../core/limits/freeze.ts';
import { reviewRuleExecutor } from '../../core/limits/set-review-rules.ts';
import { reviewExecutor } from '../../core/reviews/decide-review.ts';
import { numberListExecutor } from '../../core/limits/request-numbers.ts';
import { limitExecutor } from '../../core/limits/set-limits.ts';
import { moneyExecutor } from '../../core/ledger/request-money-movement.ts';
import { invitationExecutor, roleExecutor } from '../../core/merchants/request-members.ts';
import {
  publicKeyExecutor,
  tokenExecutor,
  unsignedPagesExecutor,
  unsignedRequestsExecutor,
} from '../../core/merchants/request-settings.ts';
import { resumeExecutor } from '../../core/merchants/suspension.ts';
import { paymentEndExecutor } from '../../core/payments/act/end-payment.ts';
import { batchExecutor } from '../../core/payout-batches/approve-payouts.ts';
import { limitExecutor as payoutLimitExecutor } from '../../core/payout-batches/payout-limits.ts';
import { readingExecutor } from '../../core/reconciliation/accept-reading.ts';
import { lostPaymentExecutor } from '../../core/reconciliation/decide-lost-payment.ts';
import { reportExecutor } from '../../core/reconciliation/approve-report.ts';
import { fileVoidExecutor } from '../../core/reconciliation/void-file.ts';
import { caseExecutor } from '../../core/reconciliation/resolve-cases.ts';
import { bankAccountExecutor } from '../../core/settlements/bank-accounts.ts';
import { settlementExecutor } from '../../core/settlements/decide-settlement.ts';

export const APPROVAL_EXECUTORS: Executors = {
  TOKEN: tokenExecutor,
  PUBLIC_KEY: publicKeyExecutor,
  UNSIGNED_REQUESTS: unsignedRequestsExecutor,
  UNSIGNED_PAGES: unsignedPagesExecutor,
  INVITATION: invitationExecutor,
  ROLE: roleExecutor,
  PAYMENT_END: paymentEndExecutor,
  OPERATOR_REPORT: reportExecutor,
  REPORT_READING: readingExecutor,
  MONEY: moneyExecutor,
  FLOAT: floatExecutor,
  CASE: caseExecutor,
  PAYOUT_BATCH: batchExecutor,
  PAYOUT_LIMIT: payoutLimitExecutor,
  LIMIT: limitExecutor,
  FREEZE_LIFT: freezeLiftExecutor,
  MERCHANT_RESUME: resumeExecutor,
  NUMBER_LIST: numberListExecutor,
  REVIEW: reviewExecutor,
  REVIEW_RULE: reviewRuleExecutor,
  DAY_CLOSE: closeExecutor,
  DAY_REOPEN: reopenExecutor,
  FIRST_DAY: firstDayExecutor,
  FILE_VOID: fileVoidExecutor,
  BANK_ACCOUNT: bankAccountExecutor,
  SETTLEMENT: settlementExecutor,
  CELL_END: cellEndExecutor,
  LOST_PAYMENT: lostPaymentExecutor,
};
