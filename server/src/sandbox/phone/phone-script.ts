// The script of the simulated phone, which updates it. Without it the page reloads itself.
import { readFileSync } from 'node:fs';
import { createAsset, type Asset } from '../../edge/pages/look/look.ts';

export const PHONE_SCRIPT: Asset = createAsset(
  'phone.js',
  'text/javascript; charset=utf-8',
  readFileSync(new URL('phone.js', import.meta.url)),
);
