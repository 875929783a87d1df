// The page where a redirected payer decides, and the actions of its buttons.
import { NOT_FOUND, refusal, type Answer } from '../answer.ts';
import type { OpenCharge } from '../books/charge.ts';
import { parseDecision, payPageOf, returnAddress, type RenderPayPage } from './pay-page.ts';
import type { Payers } from './payers.ts';
import type { Transactions } from '../books/transactions.ts';

export type PayPageContext = {
  readonly transactions: Transactions;
  readonly payers: Payers;
  readonly renderPayPage: RenderPayPage;
};

/** `charge`: the payment of the requested page, if there is one. */
export function answerPayer(
  context: PayPageContext,
  charge: OpenCharge | undefined,
  { method, text }: { readonly method: string; readonly text: string },
): Answer {
  if (charge?.authorizationUrl === undefined) return NOT_FOUND;
  if (method === 'GET') return openPayPage(context, charge);
  switch (parseDecision(text)) {
    case 'APPROVE':
      return sendBack(context, context.transactions.approve(charge.reference));
    case 'DECLINE':
      return sendBack(context, context.transactions.refuse(charge.reference, 'PAYER_DECLINED'));
    case undefined:
      return refusal('decision');
  }
}

/** A payer who opens the page decides there. After the end the payer is sent back to the merchant. */
function openPayPage(context: PayPageContext, charge: OpenCharge): Answer {
  if (charge.status !== 'PENDING') return sendBack(context, charge);
  context.payers.openPage(charge.transactionId);
  return showPayPage(context, charge);
}

function showPayPage(context: PayPageContext, charge: OpenCharge): Answer {
  return { status: 200, page: context.renderPayPage(payPageOf(charge)) };
}

function sendBack(context: PayPageContext, charge: OpenCharge): Answer {
  const location = returnAddress(charge);
  return location === undefined ? showPayPage(context, charge) : { status: 303, location };
}
