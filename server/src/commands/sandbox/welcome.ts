// What the sandbox prints for people when it is ready: where things are, and a deposit to paste.
import { randomUUID } from 'node:crypto';
import { renderFirstRequest, renderStatusRequest } from '../../sandbox/landing/first-request.ts';
import { DEMO_PASSWORD } from './demo-people.ts';
import { listCarriers } from './operator-fakes.ts';
import type { Sandbox } from './sandbox.ts';

export function renderWelcome(sandbox: Sandbox): string {
  const { baseUrl, apiToken, merchantId } = sandbox;
  const first = { baseUrl, apiToken, depositId: randomUUID() };
  return `
Malipo sandbox is ready. Open ${baseUrl} in a browser.

  API          ${baseUrl}
  API token    ${apiToken}
  Merchant ID  ${merchantId}
  Dashboard    ${baseUrl}/dashboard as owner@demo.example or admin@demo.example, "${DEMO_PASSWORD}"
  Docs         ${baseUrl}/docs
  Test phones  ${baseUrl}/sandbox/phone
  Simulator    ${sandbox.simulatorUrl}
  Database     ${sandbox.databaseUrl}
${renderCarriers(sandbox)}
For the commands of the docs, paste this into another terminal:

  export BASE=${baseUrl} TOKEN=${apiToken} MERCHANT_ID=${merchantId} SIMULATOR=${sandbox.simulatorUrl}

Ask a payer in Rwanda for 100 RWF. This number approves automatically after about 3 seconds:

  ${renderFirstRequest(first)}

Then read the outcome:

  ${renderStatusRequest(first)}

To approve or decline yourself, open ${baseUrl}/sandbox/phone/250783456789 first.
Stop with Ctrl-C.
`;
}

/** Nothing where the simulator carries everything. */
function renderCarriers({ baseUrl, apiToken, fakes }: Sandbox): string {
  const carriers = listCarriers(fakes);
  if (carriers.length === 0) return '';
  const lines = carriers.map(
    ({ connector, url, providers }) => `  ${connector} at ${url}: ${providers.join(' ')}`,
  );
  return `
These providers go to the fakes of their operators, all others to the simulator:

${lines.join('\n')}

Play a deposit, a payout and a refund through each of them, in another terminal:

  npm run dev:play-operators -- --url ${baseUrl} --token ${apiToken}
`;
}
