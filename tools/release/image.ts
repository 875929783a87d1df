// The image of a release as an archive for `podman load` and `docker load`.
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sum } from './build.ts';
import type { Clone } from './clone.ts';

type Parts = { Config: string; readonly Layers: readonly string[] };

type Config = {
  container?: string;
  config: { Hostname?: string };
  container_config?: { Hostname?: string };
};

/** Returns the name and digest of its base. */
export function buildImage(
  clone: Clone,
  { version, archive }: { readonly version: string; readonly archive: string },
): Sum {
  const image = `localhost/malipo:${version}`;
  clone.read({ IMAGE: image }, 'tools/image/build.sh');
  clone.run('podman', 'save', '--quiet', '--format', 'docker-archive', '--output', archive, image);
  forgetContainer(archive);
  const inspect = (name: string, format: string) =>
    clone.read({}, 'podman', 'image', 'inspect', '--format', format, name).trim();
  const base = inspect(image, '{{index .Labels "org.opencontainers.image.base.name"}}');
  return { name: base, hash: inspect(base, '{{.Digest}}').replace('sha256:', '') };
}

/** Removes the random names of the container that the image was built in, which is all that differs between builds. */
function forgetContainer(archive: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'malipo-image-'));
  const read = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), 'utf8'));
  try {
    execFileSync('tar', ['-xf', archive, '-C', folder]);
    const [parts] = read('manifest.json') as [Parts];
    const config = read(parts.Config) as Config;
    delete config.container;
    delete config.config.Hostname;
    delete config.container_config?.Hostname;
    const text = JSON.stringify(config);
    parts.Config = `${createHash('sha256').update(text).digest('hex')}.json`;
    writeFileSync(join(folder, parts.Config), text);
    writeFileSync(join(folder, 'manifest.json'), JSON.stringify([parts]));
    rmSync(archive);
    const fixed = ['--mtime=@0', '--owner=0', '--group=0', '--numeric-owner', '--mode=a=r', '--format=ustar'];
    const names = ['manifest.json', parts.Config, ...parts.Layers];
    execFileSync('tar', [...fixed, '-cf', archive, '-C', folder, ...names]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
