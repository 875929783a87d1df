// The gateway's APIs: v2 with a merchant's token, and the console as a signed-in user.

/** Returns the JSON of the answer. Throws if it is not 2xx. */
export type Call = <Answer>(method: string, path: string, body?: object) => Promise<Answer>;

export function apiCaller(url: string, apiToken: string): Call {
  return (method, path, body) => callJson(url + path, method, { authorization: `Bearer ${apiToken}` }, body);
}

/** A call that must be accepted. */
export async function callAccepted<Answer extends object>(
  call: Call,
  path: string,
  body: object,
): Promise<Answer> {
  const answer = await call<Answer & { readonly status?: string }>('POST', path, body);
  if (answer.status !== 'ACCEPTED') throw new Error(`${path} was answered ${JSON.stringify(answer)}`);
  return answer;
}

export type Person = { readonly email: string; readonly password: string };

/** Returns the session cookies. */
export async function signIn(url: string, { email, password }: Person): Promise<string> {
  const answer = await send(
    `${url}/console/auth/sign-in/email`,
    'POST',
    { origin: url },
    { email, password },
  );
  if (!answer.ok) throw new Error(`signing in as ${email} was answered ${answer.status}`);
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ');
}

/** Paths are those below /console/api/. */
export function consoleCaller(url: string, cookie: string): Call {
  return (method, path, body) =>
    callJson(`${url}/console/api/${path}`, method, { origin: url, cookie }, body);
}

async function callJson<Answer>(
  url: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body?: object,
): Promise<Answer> {
  const answer = await send(url, method, headers, body);
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url} was answered ${answer.status}: ${text}`);
  return JSON.parse(text) as Answer;
}

function send(url: string, method: string, headers: Readonly<Record<string, string>>, body?: object) {
  if (body === undefined) return fetch(url, { method, headers });
  const sent = { ...headers, 'content-type': 'application/json' };
  return fetch(url, { method, headers: sent, body: JSON.stringify(body) });
}
