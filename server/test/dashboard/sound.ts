// What must be true of every screen, whatever it shows.
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS, type SignedInUser } from '../browser.ts';

/** Each width and each theme is met once: what depends on both at a time is nothing. */
const LOOKS = [
  { widthPx: WIDTHS.phone, colours: 'light' },
  { widthPx: WIDTHS.desk, colours: 'dark' },
] as const;

/** The screen as it stands, on a phone by day and at a desk by night. */
export async function expectSoundEverywhere(user: SignedInUser): Promise<void> {
  const { page } = user;
  for (const { widthPx, colours } of LOOKS) {
    await page.setViewportSize({ width: widthPx, height: 740 });
    await page.emulateMedia({ colorScheme: colours });
    await standStill(page);
    await expectSound(user);
  }
}

/** Colours that still change have no contrast worth measuring. What turns permanently is not waited for. */
async function standStill(page: Page): Promise<void> {
  await page.evaluate(`Promise.allSettled(
    document.getAnimations()
      .filter((animation) => Number.isFinite(animation.effect.getComputedTiming().endTime))
      .map((animation) => animation.finished),
  ).then(() => true)`);
}

/** It fits, keeps no one out, and neither the browser nor its policy complains. */
export async function expectSound({ page, complaints, strays }: SignedInUser): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await fitsScreen(page)).toBe(true);
  // The browser itself writes a line for each answer that is a refusal.
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  expect(strays).toEqual([]);
}
