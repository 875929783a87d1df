// What a command writes: results to standard output, everything else to standard error.
import { paint } from './terminal/paint.ts';
import type { ProgressOutput } from './terminal/progress.ts';

/** `main.ts` turns colours off for --no-color. */
export const output = { hasColours: true };

export function print(text: string): void {
  write(process.stdout, `${text}\n`);
}

/** For the person, not for the file that the result goes to. */
export function tell(text: string): void {
  write(process.stderr, `${text}\n`);
}

/** Says that what was asked for cannot be done, and ends the process with code 1. */
export function refuse(text: string): void {
  tell(text);
  process.exitCode = 1;
}

/** For `startProgress`. */
export const progressOutput: ProgressOutput = {
  isTerminal: process.stderr.isTTY,
  write: (text) => void process.stderr.write(text),
};

function write(stream: NodeJS.WriteStream, text: string): void {
  stream.write(output.hasColours ? paint(text, stream) : text);
}

/** A line of a list, for people and for programs that cut it at tabs. */
export function row(...cells: readonly (string | number | Date | null)[]): string {
  return cells.map((cell) => (cell instanceof Date ? cell.toISOString() : (cell ?? '-'))).join('\t');
}
