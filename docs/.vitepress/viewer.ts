// The API viewer: Scalar over the OpenAPI documents, one page for each. It is its own page and no part of the pages
// around it, so that only people who open it load it. It sends requests to its own gateway only.
import scalar from '@scalar/fastify-api-reference';
import { fastify } from 'fastify';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from './pages.ts';

type ViewedDocument = { readonly name: string; readonly title: string };

const DOCUMENTS: readonly ViewedDocument[] = [
  { name: 'v2', title: 'API v2' },
  { name: 'sandbox', title: 'Sandbox' },
  { name: 'v1', title: 'API v1' },
  { name: 'console', title: 'Console' },
];

export async function writeViewer(outDir: string): Promise<void> {
  const folder = join(outDir, 'api');
  await mkdir(folder, { recursive: true });
  await mkdir(join(outDir, 'openapi'), { recursive: true });
  for (const document of DOCUMENTS) {
    await writeFile(join(folder, `${document.name}.html`), drawPage(document));
    await copyDocument(outDir, `${document.name}.json`);
  }
  await copyDocument(outDir, 'collection.json');
  await writeFile(join(folder, 'scalar.js'), await readScalar());
  for (const file of ['start.js', 'viewer.css']) {
    await copyFile(join(import.meta.dirname, 'viewer', file), join(folder, file));
  }
}

async function copyDocument(outDir: string, name: string): Promise<void> {
  await copyFile(join(ROOT, 'openapi', name), join(outDir, 'openapi', name));
}

/**
 * Scalar's bundle for browsers, which its plugin for Fastify carries and serves. The package of the bundle itself
 * brings a hundred others, none of which a browser needs. The map it names is not there.
 */
async function readScalar(): Promise<string> {
  const app = fastify();
  await app.register(scalar, { routePrefix: '/api', configuration: { url: 'unused' } });
  const answer = await app.inject('/api/js/scalar.js');
  await app.close();
  if (answer.statusCode !== 200) throw new Error('the API viewer has no bundle');
  return answer.body.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
}

function drawPage({ name, title }: ViewedDocument): string {
  const links = DOCUMENTS.map((document) => {
    const current = document.name === name ? ' aria-current="page"' : '';
    return `<a href="/docs/api/${document.name}"${current}>${document.title}</a>`;
  });
  return `<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} | Malipo</title>
<link rel="icon" href="/docs/mark.svg" type="image/svg+xml">
<link rel="stylesheet" href="/docs/api/viewer.css">
</head>
<body>
<header>
<a class="home" href="/docs/"><span class="mark"></span>Malipo</a>
<nav aria-label="Documents">${links.join('')}</nav>
</header>
<noscript>The viewer needs scripts. The document: <a href="/docs/openapi/${name}.json">${name}.json</a>.</noscript>
<main id="viewer" data-document="/docs/openapi/${name}.json"></main>
<script src="/docs/api/scalar.js"></script>
<script src="/docs/api/start.js"></script>
</body>
</html>
`;
}
