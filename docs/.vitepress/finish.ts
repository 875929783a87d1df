// What the site has beside its pages: the API viewer, the documents it shows, files that pages link to, the lists for
// language models, and everything once more in compressed form, so that the gateway never compresses.
import { readdirSync } from 'node:fs';
import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import { renderMarkFile } from '../../server/src/edge/pages/look/mark.ts';
import { createPalettes, DEFAULT_COLOUR } from '../../server/src/edge/pages/look/palette.ts';
import type { Section } from './contents.ts';
import { copyOf, linkedFiles } from './links.ts';
import { writeForModels } from './models.ts';
import { ROOT } from './pages.ts';
import { writeViewer } from './viewer.ts';

export type Built = {
  readonly outDir: string;
  /** Their sources, from the root of the repository. */
  readonly pages: readonly string[];
  readonly contents: readonly Section[];
};

export async function finish(built: Built): Promise<void> {
  const { outDir } = built;
  const { light, dark } = createPalettes(DEFAULT_COLOUR);
  await writeFile(join(outDir, 'mark.svg'), renderMarkFile(light.action));
  await writeFile(join(outDir, 'mark-dark.svg'), renderMarkFile(dark.action));
  await writeViewer(outDir);
  for (const file of [...linkedFiles, ...HERO]) await copyTo(join(outDir, copyOf(file)), file);
  await writeForModels(built);
  // Written for hosts that route by file names; ours knows its pages.
  await rm(join(outDir, 'hashmap.json'), { force: true });
  await compress(outDir);
}

/** The picture of the front page, for either theme. */
const HERO = ['docs/images/payment-page.png', 'docs/images/payment-page-dark.png'];

async function copyTo(path: string, file: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await copyFile(join(ROOT, file), path);
}

const COMPRESSED = ['.html', '.js', '.css', '.json', '.svg', '.txt'];

/** Quality 9: all of it takes two seconds; 11 takes half a minute and saves 6 %. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 9 } };

async function compress(folder: string): Promise<void> {
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => COMPRESSED.includes(extname(path)))
    .map((path) => join(folder, path));
  for (const file of files) {
    const bytes = await readFile(file);
    await writeFile(`${file}.br`, await promisify(brotliCompress)(bytes, BROTLI));
    await writeFile(`${file}.gz`, await promisify(gzip)(bytes));
  }
}
