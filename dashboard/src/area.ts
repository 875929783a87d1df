// What an area of screens gives the shell.
import type { Worded } from './language.tsx';
import type { Permission, Scope } from './me.ts';
import type { Badges } from './parts/badges.ts';
import type { IconName } from './parts/icon.tsx';

export type Entry = {
  readonly scope: Scope['type'];
  /** Below the scope: "team" for /m/…/team or /host/team. */
  readonly path: string;
  readonly label: Worded<string>;
  readonly icon: IconName;
  /** People without it do not see the entry. The same as the route's own `needs`. */
  readonly needs: Permission;
  readonly group: Group;
  /** What is counted beside it. */
  readonly badges?: readonly (keyof Badges)[];
};

/** Groups of the navigation, in their order. */
export const GROUPS = ['work', 'money', 'settings'] as const;
export type Group = (typeof GROUPS)[number];

/** Something the search (Ctrl+K) offers for what was typed. */
export type Finding = {
  readonly id: string;
  readonly label: Worded<string>;
  readonly icon: IconName;
  /** Below the label, in every language the same. */
  readonly description?: string;
  /** Below the scope, with its search: "payments?query=…". */
  readonly path: string;
  /** Instead of the path, of something that is not below the scope. */
  readonly address?: string;
};

export type Area = {
  readonly entries: readonly Entry[];
  /** Asked on every letter, so it calls nothing: it only offers where to look. */
  readonly find?: (query: string, scope: Scope) => readonly Finding[];
  /** Asked when typing pauses: it may call the API. */
  readonly look?: (query: string, scope: Scope, signal: AbortSignal) => Promise<readonly Finding[]>;
};

/** The address of something below a scope. */
export function addressIn(scope: Scope, path: string): string {
  const base = scope.type === 'merchant' ? `/m/${scope.merchantId}` : '/host';
  return `${base}/${path}`;
}
