import { createInterface } from 'node:readline';
import type { DriverCall, DriverResult } from '../driver.ts';

/** Reads calls from the standard input, makes all of them at once, and writes what came of each. */
export function answerCalls(run: (call: DriverCall) => Promise<readonly DriverResult[]>): void {
  const answer = async (line: string) => {
    const { number, ...call } = JSON.parse(line) as DriverCall & { readonly number: number };
    process.stdout.write(`${JSON.stringify({ number, results: await run(call) })}\n`);
  };
  createInterface(process.stdin).on('line', (line) => void answer(line));
}
