// The notes of a release: its section of CHANGELOG.md. Where that was written before, it only gets its date; from 0.1.1
// on it comes from the commits.

const PENDING = ' (not released yet)';

/** What users notice, by the type of the commit. A "!" before the colon says that they have to do something. */
const HEADINGS = { breaking: 'Breaking', feat: 'New', fix: 'Fixed', perf: 'Faster' } as const;

const SUBJECT = /^(?<type>[a-z]+)(?:\((?<area>[^)]+)\))?(?<isBreaking>!?): (?<what>.+)$/;

/** The changelog with the section of this version and its day. */
export function datedChangelog(
  changelog: string,
  {
    version,
    day,
    commits,
  }: { readonly version: string; readonly day: string; readonly commits: () => string },
): string {
  const heading = `## ${version} (${day})`;
  const pending = `## ${version}${PENDING}\n`;
  if (changelog.includes(pending)) return changelog.replace(pending, () => `${heading}\n`);
  const at = changelog.indexOf('\n## ');
  if (at < 0) throw new Error('CHANGELOG.md has no section');
  return `${changelog.slice(0, at)}\n${heading}\n\n${commits()}${changelog.slice(at)}`;
}

/** One section without its heading. */
export function notesOf(changelog: string, version: string): string {
  const [, section] = changelog.split(`\n## ${version} (`);
  if (section === undefined) throw new Error(`CHANGELOG.md has no section of ${version}`);
  const [text = ''] = section.slice(section.indexOf('\n')).split('\n## ');
  return `${text.trim()}\n`;
}

export function notesFromCommits({
  subjects,
  migrations,
  isBreaking,
}: {
  readonly subjects: readonly string[];
  readonly migrations: readonly string[];
  readonly isBreaking: (migration: string) => boolean;
}): string {
  const parsed = subjects.map((subject) => SUBJECT.exec(subject)?.groups ?? {});
  const sections = Object.entries(HEADINGS).flatMap(([type, heading]) => {
    const lines = parsed.flatMap(({ type: found, area, what, isBreaking: mark }) =>
      (mark === '!' ? 'breaking' : found) === type
        ? [`- ${area === undefined ? '' : `${area}: `}${what}`]
        : [],
    );
    return lines.length === 0 ? [] : [`**${heading}**\n\n${lines.join('\n')}\n`];
  });
  const files = migrations.filter((migration) => migration !== '');
  const schema = files.map((migration) => {
    const warning = isBreaking(migration) ? ', breaking: stop all processes first' : '';
    return `- \`${migration}\`${warning}`;
  });
  if (schema.length > 0) sections.push(`**Migrations**\n\n${schema.join('\n')}\n`);
  return sections.length === 0 ? 'Nothing that users notice.\n' : sections.join('\n');
}
