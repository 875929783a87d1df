import { writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { reducePng } from './reduce-png.ts';

export function writePicture(path: string, shot: Buffer): void {
  const bytes = reducePng(shot);
  writeFileSync(path, bytes);
  process.stdout.write(`${basename(path)}: ${Math.round(bytes.length / 1_024)} KB\n`);
}
