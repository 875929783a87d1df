// Follows redirections as a browser does, with cookies for each machine, through the identity provider of tests.

export type Visit = { readonly status: number; readonly url: string; readonly cookie: string };

const HOPS_MAX = 12;

/** `login` is who signs in at the identity provider. Answers where it ended, with the cookies of that machine. */
export async function follow(start: string, init: RequestInit, login: string): Promise<Visit> {
  const jars = new Map<string, Map<string, string>>();
  let [url, next] = [start, init];
  for (let hops = 0; hops < HOPS_MAX; hops += 1) {
    const { origin } = new URL(url);
    const jar = jars.get(origin) ?? cookiesIn(hops === 0 ? new Headers(init.headers).get('cookie') : null);
    jars.set(origin, jar);
    const headers = new Headers(next.headers);
    headers.set('cookie', [...jar].map(([name, value]) => `${name}=${value}`).join('; '));
    const response = await fetch(url, { ...next, redirect: 'manual', headers });
    for (const set of response.headers.getSetCookie()) keep(jar, set);
    const to = response.headers.get('location') ?? nextIn(await response.text(), login);
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join('; ');
    if (to === null) return { status: response.status, url, cookie };
    [url, next] = [new URL(to, url).href, {}];
    // The dashboard itself need not be built.
    if (new URL(url).pathname.startsWith('/dashboard')) return { status: response.status, url, cookie };
  }
  throw new Error(`redirected more than ${HOPS_MAX} times, at last to ${url}`);
}

function cookiesIn(header: string | null): Map<string, string> {
  const jar = new Map<string, string>();
  for (const cookie of header?.split('; ') ?? []) if (cookie !== '') keep(jar, cookie);
  return jar;
}

function keep(jar: Map<string, string>, set: string): void {
  const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? [];
  jar.set(name, value);
}

/** The page of the provider that asks who it is, or the answer that says where the provider is. */
function nextIn(text: string, login: string): string | null {
  const link = text.match(new RegExp(`href="([^"]+login=${login})"`));
  if (link !== null) return link[1] ?? null;
  return text.startsWith('{') ? ((JSON.parse(text) as { readonly url?: string }).url ?? null) : null;
}
