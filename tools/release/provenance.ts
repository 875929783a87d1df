// From what and how the files of a release were made, as an in-toto statement with the predicate of SLSA. It has no
// time and no number of the run: the same commit gives the same file.
import type { Sum } from './build.ts';

export type Origin = {
  readonly version: string;
  readonly repository: string;
  readonly commit: string;
  readonly lockHash: string;
  /** Of the image, or null without one. */
  readonly base: Sum | null;
  readonly npm: string;
  readonly files: readonly Sum[];
};

export function renderProvenance({
  version,
  repository,
  commit,
  lockHash,
  base,
  npm,
  files,
}: Origin): object {
  return {
    _type: 'https://in-toto.io/Statement/v1',
    subject: files.map(({ name, hash }) => ({ name, digest: { sha256: hash } })),
    predicateType: 'https://slsa.dev/provenance/v1',
    predicate: {
      buildDefinition: {
        buildType: `${repository}/blob/v${version}/tools/release`,
        externalParameters: { repository, ref: `refs/tags/v${version}`, version },
        resolvedDependencies: [
          { uri: `git+${repository}@refs/tags/v${version}`, digest: { gitCommit: commit } },
          { name: 'package-lock.json', digest: { sha256: lockHash } },
          ...(base === null ? [] : [{ uri: `oci://${base.name}`, digest: { sha256: base.hash } }]),
        ],
      },
      runDetails: {
        builder: {
          id: `${repository}/blob/v${version}/tools/release`,
          version: { node: process.version, npm },
        },
      },
    },
  };
}
