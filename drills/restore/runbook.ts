// The commands of docs/operating/backup-and-restore.md, taken from the page itself, so that the drill runs what a host
// reads. Only the folders and the time differ.
import { readFileSync } from 'node:fs';

const PAGE = new URL('../../docs/operating/backup-and-restore.md', import.meta.url);

export type Places = {
  /** Instead of /var/lib/postgresql/15/main. */
  readonly data: string;
  /** Instead of /var/backups/malipo. */
  readonly backups: string;
};

export class Runbook {
  readonly #page = readFileSync(PAGE, 'utf8');
  readonly #places: Places;

  constructor(places: Places) {
    this.#places = places;
  }

  /** A block by the name in its first line. `moment` replaces the time on the page. */
  block(name: string, moment?: Date): string {
    const { data, backups } = this.#places;
    const found = new RegExp(`^( *)\`\`\`\\w+\\n *# ${name}\\n([^]*?)\\n *\`\`\`$`, 'm').exec(this.#page);
    if (found === null) throw new Error(`the page has no block "${name}"`);
    const [, indent = '', text = ''] = found;
    return text
      .split('\n')
      .map((line) => line.slice(indent.length))
      .join('\n')
      .replaceAll('/var/lib/postgresql/15/main', data)
      .replaceAll('/var/backups/malipo', backups)
      .replaceAll(/\d{4}-\d\d-\d\dT[\d:]+\+00:00/g, moment === undefined ? '$&' : momentText(moment))
      .replaceAll(/\d{4}-\d\d-\d\d [\d:]+\+00/g, moment === undefined ? '$&' : targetText(moment));
  }

  /** The arguments of our own command, without the program's name. */
  command(name: string, moment: Date): readonly string[] {
    const words = [...this.block(name, moment).matchAll(/'([^']*)'|(\S+)/g)];
    return words.map(([, quoted, plain]) => quoted ?? plain ?? '').slice(1);
  }
}

/** In a format that PostgreSQL reads before it knows zone names, and that our commands read too. */
function momentText(moment: Date): string {
  return moment.toISOString().replace('Z', '+00:00');
}

/** As pgBackRest reads it. */
function targetText(moment: Date): string {
  return moment.toISOString().replace('T', ' ').replace('Z', '+00');
}
