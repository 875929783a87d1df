// The page of a provider that redirects: the payer approves or declines, and is sent back to the merchant.
import type { OpenCharge } from './charge.ts';

/** Large targets, the amount first, light and dark: it stands for what a payer would see on a phone. */
const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; }
main { width: min(22rem, 100% - 3rem); text-align: center; }
.amount { font-size: 2.25rem; font-weight: 700; margin: 0.5rem 0; }
.note { opacity: 0.75; }
button { font: inherit; font-weight: 600; width: 100%; min-height: 3rem; margin-top: 0.75rem; border-radius: 0.5rem;
  border: 2px solid #0b6b3a; background: #0b6b3a; color: #fff; }
button[value='DECLINE'] { background: none; color: inherit; border-color: currentcolor; }
`;

export function renderPayPage(charge: OpenCharge): string {
  const amount = `${escape(charge.amount)} ${escape(charge.currency)}`;
  const action =
    charge.status === 'PENDING'
      ? `<p>${escape(charge.provider)} asks ${escape(charge.phoneNumber)} to pay.</p>
<form method="post"><button name="decision" value="APPROVE">Approve</button>
<button name="decision" value="DECLINE">Decline</button></form>`
      : `<p>This payment is ${escape(charge.status)}. You can close this page.</p>`;
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Simulator: ${amount}</title><style>${STYLE}</style></head>
<body><main><h1 class="amount">${amount}</h1>
${action}
<p class="note">This is the simulator. No money moves.</p></main></body></html>
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
