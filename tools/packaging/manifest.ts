// The package.json of a published package, from the one of its workspace: sources are replaced by their compiled files,
// repository-only fields are removed, and addresses are added.
import { posix } from 'node:path';
import type { Project } from '../release/project.ts';
import type { Published } from './published.ts';

export type Manifest = {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly keywords: readonly string[];
  readonly license: string;
  readonly files: readonly string[];
  readonly publishConfig: Readonly<Record<string, string>>;
  /** For bundlers: whether importing it has side effects. */
  readonly sideEffects?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
  readonly bin?: Readonly<Record<string, string>>;
  readonly exports?: Readonly<Record<string, string>>;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
};

export type ManifestOptions = {
  readonly published: Published;
  readonly project: Pick<Project, 'repository'>;
};

export function renderManifest(source: Manifest, { published, project }: ManifestOptions): object {
  const { name, version, description, keywords, license, files, publishConfig, sideEffects } = source;
  const { bin, exports, dependencies, optionalDependencies } = source;
  const { repository } = project;
  return {
    name,
    version,
    description,
    keywords,
    homepage: `${repository}#readme`,
    bugs: { url: `${repository}/issues` },
    repository: { type: 'git', url: `git+${repository}.git`, directory: published.workspace },
    license,
    type: 'module',
    ...(sideEffects !== undefined && { sideEffects }),
    engines: { node: `>=${published.node}` },
    files,
    publishConfig,
    ...(bin !== undefined && { bin: mapValues(bin, (_, command) => `dist/bin/${command}.js`) }),
    ...(exports !== undefined && { exports: mapValues(exports, (path) => renderExport(path, published)) }),
    ...(dependencies !== undefined && { dependencies }),
    ...(optionalDependencies !== undefined && { optionalDependencies }),
  };
}

function renderExport(path: string, { folder, hasDeclarations }: Published): string | object {
  const compiled = `./dist/${compiledPath(path, folder)}`;
  if (!hasDeclarations) return compiled;
  return { types: compiled.replace(/\.js$/, '.d.ts'), default: compiled };
}

/** The path of `./src/main.ts` of a workspace in `dist`. */
export function compiledPath(path: string, folder: string): string {
  return posix.join(folder, path.replace(/\.ts$/, '.js'));
}

function mapValues<Value, Made>(
  record: Readonly<Record<string, Value>>,
  make: (value: Value, key: string) => Made,
): Readonly<Record<string, Made>> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, make(value, key)]));
}
