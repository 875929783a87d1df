// What must be true of every screen, whatever it shows.
import { expect } from 'vitest';
import { findBarriers, fitsScreen, WIDTHS, type SignedInUser } from '../browser.ts';

/** Each width and each theme is met once: what depends on both at a time is nothing. */
const LOOKS = [
  { widthPx: WIDTHS.phone, colours: 'light' },
  { widthPx: WIDTHS.desktop, colours: 'dark' },
] as const;

/** The screen as it is, at the width of a phone in the light theme, and of a desktop in the dark one. */
export async function expectSoundEverywhere(user: SignedInUser): Promise<void> {
  const { page } = user;
  for (const { widthPx, colours } of LOOKS) {
    await page.setViewportSize({ width: widthPx, height: 740 });
    await page.emulateMedia({ colorScheme: colours });
    // The application follows the browser a moment later; colours measured before that are those of both themes.
    // A page outside the application follows it in its style sheet alone, without the attribute.
    await page
      .locator(`html:not([data-mantine-color-scheme]), html[data-mantine-color-scheme=${colours}]`)
      .waitFor({ state: 'attached' });
    await expectSound(user);
  }
}

/** It fits, keeps no one out, and neither the browser nor its policy complains. */
export async function expectSound({ page, complaints, strays }: SignedInUser): Promise<void> {
  expect(await findBarriers(page)).toEqual([]);
  expect(await fitsScreen(page)).toBe(true);
  // The browser itself writes a line for each answer that is a refusal.
  expect(complaints.filter((line) => !line.startsWith('Failed to load resource'))).toEqual([]);
  expect(strays).toEqual([]);
}
