// The payer's actions: creating a one-time code in advance, or approving on the operator's page.

/** The code from the operator's menu, requested from its fake. */
export async function makeCode(
  fakeUrl: string,
  order: {
    readonly phoneNumber: string;
    readonly provider: string;
    readonly amount: string;
    readonly currency: string;
  },
): Promise<string> {
  const { phoneNumber, ...money } = order;
  const answer = await fetch(`${fakeUrl}/control/codes/${phoneNumber}`, {
    method: 'POST',
    body: JSON.stringify(money),
  });
  if (!answer.ok) throw new Error(`the fake gives no code: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { readonly code: string }).code;
}

/** Opens the payer's page, and presses its button if it has one: with some operators opening it approves. */
export async function agreeOnPage(url: string): Promise<void> {
  const page = await fetch(url, { redirect: 'manual' });
  if (page.status >= 400) throw new Error(`the page of the operator was answered ${page.status}`);
  if (!(await page.text()).includes('name="decision"')) return;
  const agreed = await fetch(url, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'APPROVE' }),
    redirect: 'manual',
  });
  if (agreed.status >= 400) throw new Error(`the payer's decision was answered ${agreed.status}`);
}
