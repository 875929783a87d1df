// The screens outside the dashboard, one entry each: how to get there.
import { PAGE_SCREENS } from './page-screens.ts';
import { PHONE_SCREENS } from './phone-screens.ts';
import type { Screen } from './screen.ts';

const LANDING: Screen = {
  name: 'landing',
  play: async ({ sandbox, page }) => {
    await page.goto(sandbox.baseUrl);
  },
};

export const SCREENS: readonly Screen[] = [LANDING, ...PHONE_SCREENS, ...PAGE_SCREENS];
