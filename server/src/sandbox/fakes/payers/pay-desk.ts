// Where a redirected payer decides: the page of the payment, and what its buttons do.
import { NOT_FOUND, refusal, type Answer } from '../answer.ts';
import type { OpenCharge } from '../books/charge.ts';
import { parseDecision, payPageOf, returnAddress, type DrawPayPage } from './pay-page.ts';
import type { Payers } from './payers.ts';
import type { Transactions } from '../books/transactions.ts';

export type PayDesk = {
  readonly transactions: Transactions;
  readonly payers: Payers;
  readonly drawPayPage: DrawPayPage;
};

/** `charge`: the payment whose page was asked for, if there is one. */
export function answerPayer(
  desk: PayDesk,
  charge: OpenCharge | undefined,
  { method, text }: { readonly method: string; readonly text: string },
): Answer {
  if (charge?.authorizationUrl === undefined) return NOT_FOUND;
  if (method === 'GET') return openPayPage(desk, charge);
  switch (parseDecision(text)) {
    case 'APPROVE':
      return sendBack(desk, desk.transactions.approve(charge.reference));
    case 'DECLINE':
      return sendBack(desk, desk.transactions.refuse(charge.reference, 'PAYER_DECLINED'));
    case undefined:
      return refusal('decision');
  }
}

/** A payer who opens the page decides there; one who comes after the end goes back to the merchant. */
function openPayPage(desk: PayDesk, charge: OpenCharge): Answer {
  if (charge.status !== 'PENDING') return sendBack(desk, charge);
  desk.payers.openPage(charge.transactionId);
  return showPayPage(desk, charge);
}

function showPayPage(desk: PayDesk, charge: OpenCharge): Answer {
  return { status: 200, page: desk.drawPayPage(payPageOf(charge)) };
}

function sendBack(desk: PayDesk, charge: OpenCharge): Answer {
  const location = returnAddress(charge);
  return location === undefined ? showPayPage(desk, charge) : { status: 303, location };
}
