// A person cannot end a payment about which a report waits: whichever of the two comes second would act on what the
// first has changed. The report is approved or rejected first.
import { paymentKeyText, type PaymentKey } from '../../../domain/payments/payment.ts';
import type { Tx } from '../../../store/database.ts';
import { listWaitingWords, type WaitingWord } from '../../../store/reconciliation/waiting-words.ts';
import { NotExecuted } from '../../approvals/executor.ts';

export type ReportToApprove = { readonly type: 'REPORT_TO_APPROVE'; readonly word: WaitingWord };

/** Null where no report that waits says anything about the payment. */
export async function findReportToApprove(tx: Tx, key: PaymentKey): Promise<ReportToApprove | null> {
  const [word] = (await listWaitingWords(tx, [key])).get(paymentKeyText(key)) ?? [];
  return word === undefined ? null : { type: 'REPORT_TO_APPROVE', word };
}

/** For what was approved and cannot be done meanwhile. */
export function notWhileReported(found: ReportToApprove): NotExecuted {
  return new NotExecuted({ code: found.type, parameters: factsOfReport(found) }, describeReport(found));
}

/** For words in any language. */
export function factsOfReport({ word }: ReportToApprove): Readonly<Record<string, string>> {
  const { provider, reportId, lineNo, effect, importedBy } = word;
  return { provider, reportId, lineNo: String(lineNo), effect, by: importedBy ?? '' };
}

/** For the person who asked. */
export function describeReport({ word }: ReportToApprove): string {
  const { provider, reportId, lineNo, effect, importedBy } = word;
  const by = importedBy === null ? '' : `, imported by ${importedBy},`;
  return (
    `Line ${lineNo} of the report ${reportId} of ${provider}${by} is about this payment (${effect}) and waits for ` +
    'approval. Approve or reject that report first. Nothing was changed.'
  );
}
