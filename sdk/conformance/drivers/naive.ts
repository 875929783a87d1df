// A client as many write it: a new identifier for each attempt, and another attempt after every problem. The kit has to
// catch it.
import { randomUUID } from 'node:crypto';
import type { DriverCall, DriverResult } from '../driver.ts';
import { answerCalls } from './answer-calls.ts';

answerCalls(run);

async function run({ baseUrl, token, request, timeoutMs }: DriverCall): Promise<readonly DriverResult[]> {
  for (let attempts = 0; attempts < 10; attempts += 1) {
    const payoutId = randomUUID();
    try {
      const response = await fetch(`${baseUrl}/v2/payouts`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ ...(request as object), payoutId }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.json();
      if (response.status === 200) return [{ outcome: 'accepted', id: payoutId }];
    } catch {
      // The connection must be bad: once more.
    }
  }
  return [{ outcome: 'error' }];
}
