// Payers who decline: every waiting prompt is declined.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Prompt } from '../../server/src/sandbox/fakes/payers/prompts.ts';

const LOOK_EVERY_MS = 200;

/** Until it is stopped, and once more then. */
export async function declinePrompts(urls: readonly string[], isOver: () => boolean): Promise<void> {
  for (;;) {
    const wasOver = isOver();
    for (const url of urls) await declineAt(url);
    if (wasOver) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/** Other payers approve automatically. */
async function declineAt(url: string): Promise<void> {
  const answer = await fetch(`${url}/control/prompts`);
  const prompts = (await answer.json()) as readonly Prompt[];
  for (const { promptId } of prompts.filter(({ endsAt }) => endsAt === null)) {
    const body = JSON.stringify({ decision: 'DECLINE' });
    await fetch(`${url}/control/prompts/${encodeURIComponent(promptId)}`, { method: 'POST', body });
  }
}
