// The definition of a screen outside the dashboard.
import type { Page } from 'playwright-core';
import { apiCaller } from '../../drills/kit/api.ts';
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';

export type Screen = {
  /** The name of the file, without what `endingOf` adds. */
  readonly name: string;
  /** It has no other, or its address says in which language it is shown. */
  readonly isOneLanguage?: true;
  /** Only this part of the page. */
  readonly only?: string;
  readonly play: (shown: Shown) => Promise<void>;
};

export type Shown = { readonly sandbox: Sandbox; readonly page: Page };

/** Sends a merchant's request. */
export async function order(
  { sandbox }: Pick<Shown, 'sandbox'>,
  path: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const call = apiCaller(sandbox.baseUrl, sandbox.apiToken);
  const body = await call<Readonly<Record<string, unknown>>>('POST', path, request);
  const { status = 'ACCEPTED' } = body;
  if (status !== 'ACCEPTED') throw new Error(`The sandbox answered ${JSON.stringify(body)}`);
  return body;
}
