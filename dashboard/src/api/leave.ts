// Leaves the present screen for one that must come first, and remembers the way back. The page is loaded anew, so that
// nothing stays in memory of whoever was signed in.

const BASE = '/dashboard';

export function leaveFor(entrance: '/sign-in' | '/second-factor'): void {
  const { pathname, search } = window.location;
  if (pathname === BASE + entrance) return;
  const to = pathname.slice(BASE.length) + search;
  window.location.assign(`${BASE}${entrance}${to.length > 1 ? `?to=${encodeURIComponent(to)}` : ''}`);
}

/** Goes back to where somebody wanted to be. Only a path of ours is followed. */
export function comeBack(to: string | undefined): void {
  const path = to !== undefined && /^\/(?![/\\])/.test(to) ? to : '/';
  window.location.assign(BASE + path);
}
