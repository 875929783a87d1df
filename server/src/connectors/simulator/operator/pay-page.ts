// The page of a provider that redirects: the payer approves or declines, and is sent back to the merchant.
import type { OpenCharge } from './charge.ts';

export function renderPayPage(charge: OpenCharge): string {
  const title = `Simulator: ${escape(charge.amount)} ${escape(charge.currency)}`;
  const action =
    charge.status === 'PENDING'
      ? `<p>${escape(charge.provider)} asks ${escape(charge.phoneNumber)} to pay.</p>
<form method="post"><button name="decision" value="APPROVE">Approve</button>
<button name="decision" value="DECLINE">Decline</button></form>`
      : `<p>This payment is ${escape(charge.status)}. You can close this page.</p>`;
  return `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title>
<h1>${title}</h1>
${action}
</html>
`;
}

/** The payer's decision out of the form; undefined when it holds none. */
export function parseDecision(form: string): 'APPROVE' | 'DECLINE' | undefined {
  const decision = new URLSearchParams(form).get('decision');
  return decision === 'APPROVE' || decision === 'DECLINE' ? decision : undefined;
}

/** Where the payer goes from here, if the order said so. */
export function returnAddress(charge: OpenCharge): string | undefined {
  switch (charge.status) {
    case 'SUCCESSFUL':
      return charge.successUrl;
    case 'FAILED':
      return charge.failUrl;
    case 'PENDING':
      return undefined;
  }
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
