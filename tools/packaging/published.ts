// The published packages, and the layout of each in the folder that is packed.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where `npm pack` puts its files: one per package. */
export const TARBALLS = join(ROOT, 'packages');

export type Published = {
  /** The workspace: its folder at the root of the repository. */
  readonly workspace: string;
  /** The path of the workspace's own files in the package. */
  readonly folder: string;
  /** Files that the program reads: at the same path in the repository and in the package. */
  readonly assets: readonly string[];
  readonly hasDeclarations: boolean;
  /** The oldest supported Node.js, tested. Dependencies have minimum versions too. */
  readonly node: string;
};

/** Promise.withResolvers and JSON modules without a warning; tested with 22.12.0, and 20 has neither. */
const OLDEST_NODE = '22.12';

/**
 * The server reads files beside its own: migrations, the dashboard, the documentation. Its package is the repository's
 * tree with most of it left out, so that relative paths stay the same.
 */
export const PUBLISHED: readonly Published[] = [
  { workspace: 'sdk', folder: '.', assets: [], hasDeclarations: true, node: OLDEST_NODE },
  {
    workspace: 'server',
    folder: 'server',
    assets: [
      'server/migrations',
      'server/src/sandbox/phone/phone.js',
      'dashboard/dist',
      'docs/.vitepress/dist',
      'openapi',
      'deploy/monitoring',
    ],
    hasDeclarations: false,
    node: OLDEST_NODE,
  },
  { workspace: 'cli', folder: '.', assets: [], hasDeclarations: false, node: OLDEST_NODE },
];

/** The folder that is packed. */
export const distOf = ({ workspace }: Published) => join(ROOT, workspace, 'dist');
