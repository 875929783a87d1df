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

export function renderOverlay(name: string, components: readonly string[] = []): readonly Manifest[] {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-manifests-'));
  try {
    cpSync(FOLDER, folder, { recursive: true });
    const overlay = join(folder, 'overlays', name);
    addComponents(join(overlay, 'kustomization.yaml'), components);
    if (isOldKubectl()) translateKustomizations(folder);
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
  readonly kind: 'Kustomization' | 'Component';
  readonly resources: readonly string[];
  readonly components?: readonly string[];
  readonly patches?: readonly { readonly path: string }[];
};

/** As a host does it. */
function addComponents(path: string, names: readonly string[]): void {
  const components = names.map((name) => `../../components/${name}`);
  const overlay = parse(readFileSync(path, 'utf8')) as Kustomization;
  if (names.length > 0) writeFileSync(path, stringify({ ...overlay, components }));
}

function translateKustomizations(folder: string): void {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  for (const path of names
    .filter((name) => name.endsWith('kustomization.yaml'))
    .map((name) => join(folder, name))) {
    const {
      resources,
      components = [],
      patches = [],
      ...rest
    } = parse(readFileSync(path, 'utf8')) as Kustomization;
    const isFolder = (name: string) => statSync(join(dirname(path), name)).isDirectory();
    // It has no components: one stands between the overlay and the base.
    const between = rest.kind === 'Component' ? ['../../base'] : resources.filter(isFolder);
    const translated = {
      ...rest,
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      bases: components.length > 0 ? components : between,
      resources: resources.filter((name) => !isFolder(name)),
      patchesStrategicMerge: patches.map((patch) => patch.path),
    };
    writeFileSync(path, stringify(translated));
  }
}
