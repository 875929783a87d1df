// What a screen of docs/images is, and what it is played on.
import type { Page } from 'playwright-core';
import type { Sandbox } from '../../server/src/commands/sandbox/sandbox.ts';

export type Screen = {
  /** The name of the file, to which wide ones add "-wide". */
  readonly name: string;
  readonly sizes: readonly ('phone' | 'desk')[];
  readonly colours?: 'light' | 'dark';
  /** Only this part of the page. */
  readonly only?: string;
  readonly play: (stage: Stage) => Promise<void>;
};

export type Stage = { readonly sandbox: Sandbox; readonly page: Page };

/** Sends what a merchant would. */
export async function order(
  { sandbox }: Pick<Stage, 'sandbox'>,
  path: string,
  request: Readonly<Record<string, unknown>>,
): Promise<Readonly<Record<string, unknown>>> {
  const answer = await fetch(`${sandbox.baseUrl}${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${sandbox.apiToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(request),
  });
  const body = (await answer.json()) as Readonly<Record<string, unknown>>;
  const { status = 'ACCEPTED' } = body;
  if (!answer.ok || status !== 'ACCEPTED')
    throw new Error(`The sandbox answered ${answer.status}: ${JSON.stringify(body)}`);
  return body;
}
