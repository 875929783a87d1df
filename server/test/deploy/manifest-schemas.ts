// Checks Kubernetes objects against the API's published schemas, offline. They come as the types and validators of
// npm's kubernetes-models, so each object is written as a TypeScript literal: the compiler finds fields that there are
// not, and the validators find values that are not permitted.
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Manifest } from './manifests.ts';

const run = promisify(execFile);
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));

/** Answers what is wrong in each list of objects, by its name. */
export async function findSchemaFaults(
  lists: Readonly<Record<string, readonly Manifest[]>>,
): Promise<Readonly<Record<string, string>>> {
  const folder = await mkdtemp(join(tmpdir(), 'malipo-schemas-'));
  try {
    await symlink(PACKAGES, join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"type":"module"}');
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER }));
    for (const [name, objects] of Object.entries(lists))
      await writeFile(join(folder, `${name}.ts`), objects.map(renderObject).join('\n'));
    const compiled = await runAndRead(folder, [join(PACKAGES, '.bin/tsc'), '--project', '.']);
    const found: Record<string, string> = {};
    for (const name of Object.keys(lists)) {
      const refused = compiled.split('\n').filter((line) => line.startsWith(`${name}.ts(`));
      const invalid = refused.length > 0 ? '' : await runAndRead(folder, [process.execPath, `${name}.ts`]);
      found[name] = [...refused, invalid].filter(Boolean).join('\n');
    }
    return found;
  } finally {
    await rm(folder, { recursive: true });
  }
}

const COMPILER = {
  noEmit: true,
  strict: true,
  skipLibCheck: true,
  types: [],
  target: 'es2024',
  module: 'nodenext',
};

/** The constructor adds version and kind. */
function renderObject({ apiVersion, kind, ...rest }: Manifest, index: number): string {
  const family = apiVersion.startsWith('monitoring.coreos.com/')
    ? '@kubernetes-models/prometheus-operator'
    : 'kubernetes-models';
  const name = `${kind}${index}`;
  return `import { ${kind} as ${name} } from '${family}/${apiVersion}';
new ${name}(${JSON.stringify(rest)}).validate();`;
}

/** What a program writes, if it fails. */
async function runAndRead(cwd: string, [command = '', ...args]: readonly string[]): Promise<string> {
  type Failure = { readonly stdout: string; readonly stderr: string };
  return run(command, args, { cwd }).then(
    () => '',
    ({ stdout, stderr }: Failure) => stdout + stderr,
  );
}
