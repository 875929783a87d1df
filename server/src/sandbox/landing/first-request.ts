// The first request of a newcomer, as a line to paste. The welcome in the terminal and the landing page show the same.

export type FirstRequest = {
  readonly baseUrl: string;
  readonly apiToken: string;
  readonly depositId: string;
};

/** Asks a payer in Rwanda, whose number approves by itself, for 100 RWF. */
export function renderFirstRequest({ baseUrl, apiToken, depositId }: FirstRequest): string {
  const accountDetails = { phoneNumber: '250783456789', provider: 'MTN_MOMO_RWA' };
  const deposit = { depositId, amount: '100', currency: 'RWF', payer: { type: 'MMO', accountDetails } };
  const headers = `-H 'Authorization: Bearer ${apiToken}' -H 'Content-Type: application/json'`;
  return `curl -s ${baseUrl}/v2/deposits ${headers} -d '${JSON.stringify(deposit)}'`;
}

export function renderStatusRequest({ baseUrl, apiToken, depositId }: FirstRequest): string {
  return `curl -s ${baseUrl}/v2/deposits/${depositId} -H 'Authorization: Bearer ${apiToken}'`;
}
