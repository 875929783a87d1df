// What must be true of every screen, whatever it shows.
import { expect } from 'vitest';
import { findBarriers, fitsScreen, type Visitor } from '../browser.ts';

/** It fits, keeps nobody out, and neither the browser nor its policy complains. */
export async function expectSound({ page, complaints, strays }: Visitor): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await fitsScreen(page)).toBe(true);
  // The browser itself writes a line for each answer that is a refusal.
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  expect(strays).toEqual([]);
}
