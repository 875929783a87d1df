// `npm run build:docs`: builds the site into docs/.vitepress/dist, which the gateway then serves, or into the folder
// that is named behind it.
import { build } from 'vitepress';

const [outDir] = process.argv.slice(2);
const options = { logLevel: 'warn', ...(outDir !== undefined && { outDir }) };
await build(import.meta.dirname, options);
