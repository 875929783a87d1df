// The chaos run breaks rules by changing texts of the source. A text that moved would leave a rule whole unnoticed.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { BROKEN_RULES } from '../../../drills/chaos/broken-rules.ts';

test.each(Object.entries(BROKEN_RULES))(
  '%s: its text stands in its file exactly once',
  (_, { file, find }) => {
    const text = readFileSync(new URL(`../../src/${file}`, import.meta.url), 'utf8');
    expect(text.split(find)).toHaveLength(2);
  },
);
