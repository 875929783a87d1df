// Hosted pages without a browser: what a form holds, and sending it as often as wanted.
import type { TestGateway } from '../gateway.ts';

export type Sent = { readonly status: number; readonly text: string; readonly location: string | null };

export async function load(url: string, headers: Record<string, string> = {}): Promise<Sent> {
  return told(await fetch(url, { headers, redirect: 'manual' }));
}

/** Sends a form as a browser does. */
export async function send(url: string, fields: Readonly<Record<string, string>>): Promise<Sent> {
  const body = new URLSearchParams(fields);
  return told(await fetch(url, { method: 'POST', body, redirect: 'manual' }));
}

async function told(answer: Response): Promise<Sent> {
  return { status: answer.status, text: await answer.text(), location: answer.headers.get('location') };
}

/** The hidden fields of the first form that posts, not of those that change the language. */
export function hiddenFields(text: string): Readonly<Record<string, string>> {
  const [main = ''] = /<main[^]*<\/main>/.exec(text) ?? [];
  const [form = ''] = /<form [^>]*method="post"[^]*?<\/form>/.exec(main) ?? [];
  const inputs = [...form.matchAll(/<input\s+type="hidden"\s+name="(\w+)"\s+value="([^"]*)"/g)];
  return Object.fromEntries(inputs.map(([, name = '', value = '']) => [name, value]));
}

/** The fields of the form that pays, from a page that asks for the number, also after an attempt that failed. */
export async function payFields(
  url: string,
  { phone, offer = 'MTN_MOMO_RWA RWF' }: { readonly phone: string; readonly offer?: string },
): Promise<Readonly<Record<string, string>>> {
  const [, country = ''] = /_([A-Z]{3}) /.exec(offer) ?? [];
  const { text } = await load(`${url}?country=${country}`);
  const review = await send(url, { ...hiddenFields(text), phone });
  return { ...hiddenFields(review.text), offer };
}

export async function countDeposits(gateway: TestGateway, merchantId = gateway.merchantId): Promise<number> {
  const { rows } = await gateway.engine.store.database.query<{ count: string }>(
    `select count(*) from payments where merchant_id = $1 and kind = 'DEPOSIT'`,
    [merchantId],
  );
  return Number(rows[0]?.count);
}
