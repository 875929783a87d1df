// The options that a usage names: `--by NAME`, in brackets if it can be left out.

export type UsedOption = {
  readonly name: string;
  /** What stands for its value; null for one without a value. */
  readonly value: string | null;
  readonly isRequired: boolean;
};

export function readUsage(usage: string): readonly UsedOption[] {
  return [...usage.matchAll(/--([a-z][a-z-]*)(?: ([^\s[\]<-][^\s\]]*))?/g)].map((match) => ({
    name: match[1] ?? '',
    value: match[2] ?? null,
    isRequired: !isInBrackets(usage, match.index),
  }));
}

function isInBrackets(usage: string, index: number): boolean {
  const before = usage.slice(0, index);
  return before.lastIndexOf('[') > before.lastIndexOf(']');
}
