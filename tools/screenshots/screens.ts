// The screens of docs/images, one entry each: how to get there, and in which widths it is shown.
import { PAGE_SCREENS } from './page-screens.ts';
import { PHONE_SCREENS } from './phone-screens.ts';
import type { Screen } from './screen.ts';

export const SCREENS: readonly Screen[] = [...PHONE_SCREENS, ...PAGE_SCREENS];
