// What the project aims at, beside what was measured.
export type Goal = { readonly min: number } | { readonly max: number };

export function renderGoal(goal: Goal | undefined, value: number): string {
  if (goal === undefined) return '';
  const text = 'min' in goal ? `at least ${goal.min}` : `at most ${goal.max}`;
  return isReached(goal, value) ? text : `${text}: not reached`;
}

/** Each goal with whether the value of its name reaches it. */
export function judge<Name extends string>(
  goals: Readonly<Partial<Record<Name, Goal>>>,
  values: Readonly<Record<Name, number>>,
): object {
  const judged = Object.entries<Goal | undefined>(goals).map(([name, goal]) => [
    name,
    { ...goal, isReached: goal !== undefined && isReached(goal, values[name as Name]) },
  ]);
  return Object.fromEntries(judged) as object;
}

function isReached(goal: Goal, value: number): boolean {
  return 'min' in goal ? value >= goal.min : value <= goal.max;
}
