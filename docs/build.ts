// `npm run build:docs`: builds the site into docs/.vitepress/dist, which the gateway then serves.
import { build } from 'vitepress';

await build(import.meta.dirname, { logLevel: 'warn' } as Parameters<typeof build>[1]);
