// The packages that are published, and how each lies in the folder that is packed.
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../../', import.meta.url));

/** Where `npm pack` puts what is installed: one file for each package. */
export const TARBALLS = join(ROOT, 'packages');

export type Published = {
  /** The workspace: its folder at the root of the repository. */
  readonly workspace: string;
  /** Where the workspace's own files lie in the package. */
  readonly folder: string;
  /** What is read while the program runs: from the root of the repository to the same place in the package. */
  readonly assets: readonly string[];
  /** The same, for what is left out where no one built it. */
  readonly builtElsewhere?: readonly string[];
  readonly hasDeclarations: boolean;
  /** The oldest Node.js it runs on. Dependencies have floors too; these were tried. */
  readonly node: string;
};

/** Promise.withResolvers and modules of JSON without a warning; tried with 22.12.0, and 20 has neither. */
const NODE_OF_PROGRAMS = '22.12';

/**
 * The server reads files beside its own: migrations, the dashboard, the documentation. Its package is the
 * repository's tree with most of it left out, so that every path from one file to another is the same.
 */
export const PUBLISHED: readonly Published[] = [
  { workspace: 'sdk', folder: '.', assets: [], hasDeclarations: true, node: '20' },
  {
    workspace: 'server',
    folder: 'server',
    assets: [
      'server/migrations',
      'server/src/sandbox/phone/phone.js',
      'dashboard/dist',
      'openapi',
      'deploy/monitoring',
    ],
    builtElsewhere: ['docs/.vitepress/dist'],
    hasDeclarations: false,
    node: NODE_OF_PROGRAMS,
  },
  { workspace: 'cli', folder: '.', assets: [], hasDeclarations: false, node: NODE_OF_PROGRAMS },
];

/** The folder that is packed. */
export const distOf = ({ workspace }: Published) => join(ROOT, workspace, 'dist');
