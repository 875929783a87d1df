// The published packages, and the layout of each in its workspace while it is packed.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export type Published = {
  /** The workspace: its folder at the root of the repository. */
  readonly workspace: string;
  /** The path of the workspace's own files in `dist`. */
  readonly folder: string;
  /** Files that the program reads: at the same path in the repository and in `dist`. */
  readonly assets: readonly string[];
  /** Sites that are built first, because they are assets. */
  readonly hasSites: boolean;
  readonly hasDeclarations: boolean;
  /** The oldest supported Node.js, tested. Dependencies have minimum versions too. */
  readonly node: string;
};

/** Promise.withResolvers and JSON modules without a warning; tested with 22.12.0, and 20 has neither. */
export const OLDEST_NODE = '22.12';

/**
 * The server reads files beside its own: migrations, the dashboard, the documentation. Its `dist` is the repository's
 * tree with most of it left out, so that relative paths stay the same.
 */
export const PUBLISHED: readonly Published[] = [
  { workspace: 'sdk', folder: '.', assets: [], hasSites: false, hasDeclarations: true, node: OLDEST_NODE },
  {
    workspace: 'server',
    folder: 'server',
    assets: [
      'server/migrations',
      'server/src/sandbox/phone/phone.js',
      'dashboard/dist',
      'docs/.vitepress/dist',
      'openapi',
      'deploy/haproxy.cfg',
      'deploy/malipo.env',
      'deploy/monitoring',
      'deploy/owner.env',
      'deploy/systemd',
    ],
    hasSites: true,
    hasDeclarations: false,
    node: OLDEST_NODE,
  },
  { workspace: 'cli', folder: '.', assets: [], hasSites: false, hasDeclarations: false, node: OLDEST_NODE },
];

/** The folder with everything that is published except the manifest, the README and the licence. */
export const distOf = ({ workspace }: Published) => join(ROOT, workspace, 'dist');
