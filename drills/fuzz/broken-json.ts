// JSON as bytes that no library would write: cut off, duplicated, in other encodings, or not JSON at all.
import type { Random } from '../kit/random.ts';
import { PROTOTYPE_NAMES } from './hostile.ts';

export type Broken = { readonly bytes: Buffer; readonly what: string };

type Breaking = (text: string, random: Random) => Buffer | string;

const BREAKINGS: Readonly<Record<string, Breaking>> = {
  'cut off': (text, random) => text.slice(0, random.between(0, text.length - 1)),
  'a byte changed': (text, random) => {
    const bytes = Buffer.from(text);
    bytes[random.between(0, bytes.length - 1)] = random.between(0, 255);
    return bytes;
  },
  'a piece taken out': (text, random) => {
    const at = random.between(0, text.length - 1);
    return text.slice(0, at) + text.slice(at + random.between(1, 12));
  },
  'more behind it': (text, random) => text + random.pick(['}', ']', ',', '{}', text, '\u0000', ' x', '//x']),
  'more before it': (text, random) =>
    random.pick(['\ufeff', '\u0000', ")]}',\n", ',', 'x', '[', '\u00a0']) + text,
  'a name twice': (text, random) => {
    const [, name = 'a'] = random.pick([...text.matchAll(/"(\w+)":/g), ['', 'a']]);
    const value = random.pick(['1', 'null', '"x"', '{}', '[]', `"${'9'.repeat(30)}"`]);
    return random.chance(0.5)
      ? text.replace('{', `{"${name}":${value},`)
      : text.replace(/\}$/, `,"${name}":${value}}`);
  },
  'a name of every object': (text, random) =>
    text.replace('{', `{"${random.pick(PROTOTYPE_NAMES)}":{"isAdmin":true,"amount":"1"},`),
  'a name in escapes': (text) =>
    text.replace(/"(\w)(\w*)":/, (_, first: string, rest: string) => `"\\u00${hex(first)}${rest}":`),
  'quotes of the wrong kind': (text) => text.replaceAll('"', "'"),
  'names without quotes': (text) => text.replaceAll(/"(\w+)":/g, '$1:'),
  'a comma too many': (text) => text.replace(/([}\]])$/, ',$1'),
  'a comment': (text) => text.replace('{', '{/* x */'),
  'words of JavaScript': (text, random) =>
    text.replace(
      /"[^"]*"([,}])/,
      `${random.pick(['NaN', 'Infinity', 'undefined', 'True', '0x1F', '.5', '+1', '01'])}$1`,
    ),
  'bytes that are not UTF-8': (text, random) => {
    const at = random.between(1, text.length - 1);
    const bad = Buffer.from(random.pick(['ff', 'c0af', 'e28828', 'f8a1a1a1a1', 'eda080', '80']), 'hex');
    return Buffer.concat([Buffer.from(text.slice(0, at)), bad, Buffer.from(text.slice(at))]);
  },
  'as UTF-16': (text) => Buffer.from(text, 'utf16le'),
  'a line break in a text': (text) => text.replace(/"([^"]+)"([,}])/, '"$1\n"$2'),
  'a bad escape': (text) => text.replace(/"([^"]+)"([,}])/, '"$1\\x41\\u12"$2'),
  'nested without an end': (_, random) =>
    random.pick(['[', '{"a":', '[{"a":']).repeat(random.pick([100, 20_000, 150_000])),
  'nested deep': (_, random) => {
    const depth = random.pick([100, 5_000, 200_000]);
    return '['.repeat(depth) + ']'.repeat(depth);
  },
  'spaces around it': (text, random) => ' \n\t'.repeat(random.pick([10, 10_000, 300_000])) + text,
  'too large': (text, random) => text + ' '.repeat(random.pick([1_048_577, 1_200_000])),
  'many names': (_, random) => {
    const names = Array.from({ length: random.pick([1_000, 40_000]) }, (_unused, index) => `"n${index}":1`);
    return `{${names.join(',')}}`;
  },
  'one value': (_, random) => random.pick(['null', 'true', '0', '""', '[]', '{}', '"{}"', '-0', '1e400', '']),
  'another format': (_, random) =>
    random.pick([
      '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
      'a=1&b=2',
      '--x\r\n\r\n--x--',
      'a: 1',
    ]),
};

export function breakJson(text: string, random: Random): Broken {
  const what = random.pick(Object.keys(BREAKINGS));
  const broken = BREAKINGS[what]?.(text, random) ?? text;
  return { what, bytes: Buffer.isBuffer(broken) ? broken : Buffer.from(broken) };
}

function hex(character: string): string {
  return (character.codePointAt(0) ?? 0).toString(16).padStart(2, '0');
}
