// The manifests of deploy/kubernetes as kubectl renders them.
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parse, parseAllDocuments, stringify } from 'yaml';

const FOLDER = fileURLToPath(new URL('../../../deploy/kubernetes', import.meta.url));

// Of any kind: what the fields of each are, the API's schemas say.
export type Manifest = {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
} & Readonly<Record<string, any>>;

export function listOverlays(): readonly string[] {
  return readdirSync(join(FOLDER, 'overlays'));
}

export function renderOverlay(name: string): readonly Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-manifests-'));
  try {
    cpSync(FOLDER, folder, { recursive: true });
    if (isOldKubectl()) translateKustomizations(folder);
    const overlay = join(folder, 'overlays', name);
    const text = execFileSync('kubectl', ['kustomize', overlay], { encoding: 'utf8' });
    return parseAllDocuments(text).map((document) => unfold(document.toJS() as Manifest));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** kustomize folds long values of a Secret; the API reads them all the same, the schema does not. */
function unfold(object: Manifest): Manifest {
  if (object.kind !== 'Secret') return object;
  const values = Object.entries(object['data'] as Readonly<Record<string, string>>);
  return {
    ...object,
    data: Object.fromEntries(values.map(([key, value]) => [key, value.replaceAll(/\s/g, '')])),
  };
}

/** Debian's is 1.20; its kustomize has other words for two things. */
function isOldKubectl(): boolean {
  const text = execFileSync('kubectl', ['version', '--client', '-o', 'json'], { encoding: 'utf8' });
  const { clientVersion } = JSON.parse(text) as { readonly clientVersion: { readonly minor: string } };
  return Number.parseInt(clientVersion.minor, 10) < 21;
}

type Kustomization = {
  readonly resources: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
};

function translateKustomizations(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of names
    .filter((name) => name.endsWith('kustomization.yaml'))
    .map((name) => join(folder, name))) {
    const { resources, patches = [], ...rest } = parse(readFileSync(path, 'utf8')) as Kustomization;
    const isFolder = (name: string) => statSync(join(dirname(path), name)).isDirectory();
    const translated = {
      ...rest,
      bases: resources.filter(isFolder),
      resources: resources.filter((name) => !isFolder(name)),
      patchesStrategicMerge: patches.map((patch) => patch.path),
    };
    writeFileSync(path, stringify(translated));
  }
}
