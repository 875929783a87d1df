// Days as people write and read them.

/** As in language.tsx, which tests outside a browser cannot read. */
type Language = 'en' | 'fr';

/** "16 Nov 2026" for "2026-11-16". */
export function formatDay(day: string, language: Language): string {
  return formatOf(language).format(new Date(`${day}T00:00:00Z`));
}

function formatOf(language: Language): Intl.DateTimeFormat {
  const locale = language === 'en' ? 'en-GB' : 'fr';
  return new Intl.DateTimeFormat(locale, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    timeZone: 'UTC',
  });
}

/** "2026-11-16", "16/11/2026", "16.11.2026" and "16 November 2026" as "2026-11-16"; null for anything else. */
export function parseDay(text: string, language: Language): string | null {
  const plain = plainOf(text.trim());
  const iso = /^(\d{4})-(\d{1,2})-(\d{1,2})$/.exec(plain);
  if (iso !== null) return dayOf(iso[1], iso[2], iso[3]);
  const [, day, month = '', year] = /^(\d{1,2})[\s./-]+(\d{1,2}|[a-z]{3,})[\s./-]+(\d{4})$/.exec(plain) ?? [];
  return dayOf(year, /^\d/.test(month) ? month : String(monthNamed(month, language)), day);
}

/** Null for days that no calendar has. */
function dayOf(year = '', month = '', day = ''): string | null {
  const text = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  const time = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(text) ? text : null;
}

/** From 1; 0 for a name that is none. The first letters are enough where they name one month alone. */
function monthNamed(name: string, language: Language): number {
  const format = new Intl.DateTimeFormat(language, { month: 'long', timeZone: 'UTC' });
  const months = Array.from({ length: 12 }, (_, index) => plainOf(format.format(Date.UTC(2026, index, 1))));
  const found = months.filter((month) => month.startsWith(name));
  return found.length === 1 ? months.indexOf(found[0] ?? '') + 1 : 0;
}

const plainOf = (text: string) => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();
