// project.json: the repository's address, its owners and contacts, and the public key of releases.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export type Project = {
  readonly repository: string;
  readonly owners: readonly string[];
  readonly contact: string;
  readonly securityContact: string;
  /** Of minisign, as one line of text. */
  readonly releaseKey: string;
};

export function readProject(folder: string): Project {
  return JSON.parse(readFileSync(join(folder, 'project.json'), 'utf8')) as Project;
}

/** The names of values that stand for real ones. */
export function listPlaceholders(project: Project): readonly string[] {
  return Object.entries(project).flatMap(([name, value]) =>
    [value].flat().some((text) => text === '' || /\bexample\b/i.test(text)) ? [name] : [],
  );
}
