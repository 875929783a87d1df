// Dictionaries of structured headers (RFC 9651) with the text of each member as received. The library keeps the last of
// two members with one name; a signature must not depend on that choice.
import { parseDictionary, type InnerList, type Item } from 'structured-headers';

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

export type Member = {
  readonly name: string;
  /** The exact text after the name and its equals sign. */
  readonly text: string;
  readonly value: Item | InnerList;
};

/** Several header lines with one name are joined with commas. */
export function headerText(headers: Headers, name: string): string | undefined {
  // Names come from the client, for example "constructor".
  const value = Object.hasOwn(headers, name) ? headers[name] : undefined;
  return typeof value === 'string' || value === undefined ? value : value.join(', ');
}

/** The members in order, including duplicates; null if it is not a dictionary. */
export function parseMembers(text: string): readonly Member[] | null {
  try {
    parseDictionary(text);
    return splitMembers(text).map(readMember);
  } catch {
    return null;
  }
}

/** The name that two members have, if there is one. */
export function findRepeated(members: readonly Member[]): string | undefined {
  const names = members.map(({ name }) => name);
  return names.find((name, index) => names.indexOf(name) < index);
}

/** Splits at commas outside quoted texts. The quotes of a valid text are in pairs. */
function splitMembers(text: string): readonly string[] {
  return (text.match(/(?:"(?:\\.|[^"\\])*(?:"|\\?$)|[^",])+/g) ?? []).map((part) => part.trim());
}

function readMember(part: string): Member {
  const [, name = '', text = ''] = /^([a-z*][a-z0-9_.*-]*)(?:=([\s\S]*))?/.exec(part) ?? [];
  const value = parseDictionary(part).get(name);
  if (value === undefined) throw new Error('a member without a name');
  return { name, text, value };
}
