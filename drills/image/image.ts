// The image itself: built by tools/image/build.sh, and what it consists of.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Podman } from './podman.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Returns its name. */
export function buildImage(): string {
  return execFileSync(join(ROOT, 'tools/image/build.sh'), { encoding: 'utf8' }).trim();
}

export type ImageFacts = {
  /** Of what lies above the base, which has Debian and Node.js. */
  readonly megabytes: number;
  readonly user: string;
  readonly hasHealthCheck: boolean;
  readonly labels: Readonly<Record<string, string>>;
  /** Packages for development, which must not be in it. */
  readonly developmentPackages: readonly string[];
};

type Inspected = {
  readonly Size: number;
  readonly Labels: Readonly<Record<string, string>>;
  readonly User: string;
  readonly HealthCheck?: unknown;
  readonly Healthcheck?: unknown;
};

export async function inspectImage(podman: Podman, image: string): Promise<ImageFacts> {
  const inspect = async (name: string) => {
    const [found] = JSON.parse(await podman('image', 'inspect', name)) as [Inspected];
    return found;
  };
  const { Size, User, Labels, HealthCheck, Healthcheck } = await inspect(image);
  const base = await inspect(Labels['org.opencontainers.image.base.name'] ?? '');
  const folder = join(await podman('image', 'mount', image), 'opt/malipo');
  try {
    return {
      megabytes: Math.round((Size - base.Size) / 100_000) / 10,
      user: User,
      hasHealthCheck: (HealthCheck ?? Healthcheck) !== undefined,
      labels: Labels,
      developmentPackages: listDevelopmentPackages(folder),
    };
  } finally {
    await podman('image', 'unmount', image);
  }
}

/** By npm's own list of what it installed. */
function listDevelopmentPackages(folder: string): readonly string[] {
  const { packages } = JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly devOptional?: boolean }>>;
  };
  return Object.entries(packages).flatMap(([name, { dev = false, devOptional = false }]) =>
    dev || devOptional ? [name] : [],
  );
}
