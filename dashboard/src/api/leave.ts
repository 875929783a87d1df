// Leaves the current screen for one that must come first, and remembers the way back. The page is loaded again, so that
// nothing of the person who was signed in stays in memory.

const BASE = '/dashboard';

export function leaveFor(signInPath: '/sign-in' | '/two-factor'): void {
  const { pathname, search } = window.location;
  if (pathname === BASE + signInPath) return;
  const to = pathname.slice(BASE.length) + search;
  window.location.assign(`${BASE}${signInPath}${to.length > 1 ? `?to=${encodeURIComponent(to)}` : ''}`);
}

/** Goes back to where somebody wanted to be. Only a path of ours is followed. */
export function comeBack(to: string | undefined): void {
  const path = to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
  window.location.assign(BASE + path);
}
