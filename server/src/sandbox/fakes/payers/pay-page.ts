// The page of a provider that redirects: the payer approves or declines, and is sent back to the merchant.
import type { OpenCharge } from '../books/charge.ts';

/** The content of the page. The simulator's options may provide another renderer. */
export type PayPage = {
  readonly provider: string;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly currency: string;
  /** The merchant's text. */
  readonly message: string;
  readonly status: OpenCharge['status'];
  /** The origins to which the payer may be redirected. */
  readonly returnOrigins: readonly string[];
};

export type RenderedPage = { readonly text: string; readonly headers: Readonly<Record<string, string>> };

export type RenderPayPage = (page: PayPage) => RenderedPage;

export function payPageOf(charge: OpenCharge): PayPage {
  const { provider, phoneNumber, amount, currency, message, status, successUrl, failUrl } = charge;
  const urls = [successUrl, failUrl].filter((url) => url !== undefined && URL.canParse(url));
  const returnOrigins = [...new Set(urls.map((url) => new URL(String(url)).origin))];
  return { provider, phoneNumber, amount, currency, message, status, returnOrigins };
}

/** A plain page, for simulators without people. */
export function renderBarePayPage({
  provider,
  phoneNumber,
  amount,
  currency,
  status,
}: PayPage): RenderedPage {
  const money = `${escape(amount)} ${escape(currency)}`;
  const action =
    status === 'PENDING'
      ? `<p>${escape(provider)} asks ${escape(phoneNumber)} to pay.</p>
<form method="post"><button name="decision" value="APPROVE">Approve</button>
<button name="decision" value="DECLINE">Decline</button></form>`
      : `<p>This payment is ${escape(status)}. You can close this page.</p>`;
  const text = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>Simulator: ${money}</title></head>
<body><main><h1>${money}</h1>
${action}</main></body></html>
`;
  return { text, headers: { 'content-type': 'text/html; charset=utf-8' } };
}

/** The payer's decision from the form; undefined if there is none. */
export function parseDecision(form: string): 'APPROVE' | 'DECLINE' | undefined {
  const decision = new URLSearchParams(form).get('decision');
  return decision === 'APPROVE' || decision === 'DECLINE' ? decision : undefined;
}

/** Where the payer goes next, if the request has an address. */
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
