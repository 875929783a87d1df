// Somebody of the host who works in the console, by the same calls as the dashboard makes.
import { DEMO_PASSWORD } from '../../server/src/commands/sandbox/demo-people.ts';

export type Called = { readonly status: number; readonly body: unknown };

export class Colleague {
  readonly #baseUrl: string;
  #cookie = '';

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Signs in, and confirms that it is them. */
  async enter(email: string): Promise<this> {
    const response = await this.#send('POST', '/console/auth/sign-in/email', {
      email,
      password: DEMO_PASSWORD,
    });
    if (!response.ok) throw new Error(`${email} was not let in: ${response.status}`);
    this.#cookie = response.headers
      .getSetCookie()
      .map((cookie) => cookie.split(';')[0])
      .join('; ');
    await this.confirm();
    return this;
  }

  /** It lasts for ten minutes. */
  async confirm(): Promise<void> {
    await this.#send('POST', '/console/api/me/confirm', { password: DEMO_PASSWORD });
  }

  async call(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Called> {
    const response = await this.#send(method, `/console/api${path}`, body);
    return { status: response.status, body: await response.json() };
  }

  /** A call that must succeed; where others are busy with the same wallet it is made again, as a person would. */
  async ask<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> {
    const { status, body: answer } = await this.call(method, path, body);
    if (status === 409 && JSON.stringify(answer).includes('Others are busy'))
      return this.ask(method, path, body);
    if (status !== 200)
      throw new Error(`${method} ${path} was answered ${status}: ${JSON.stringify(answer)}`);
    return answer as Answer;
  }

  #send(method: string, path: string, body?: object): Promise<Response> {
    return fetch(`${this.#baseUrl}${path}`, {
      method,
      headers: {
        cookie: this.#cookie,
        origin: this.#baseUrl,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  }
}
