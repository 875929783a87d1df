// One of the platform's people in the console, with the same calls as the dashboard.
import { DEMO_PASSWORD } from '../../server/src/commands/sandbox/demo-people.ts';
import { consoleCaller, signIn, type Call } from '../kit/api.ts';

export class Colleague {
  readonly #call: Call;

  private constructor(call: Call) {
    this.#call = call;
  }

  /** Signs in and confirms the password. */
  static async signIn(baseUrl: string, email: string): Promise<Colleague> {
    const cookie = await signIn(baseUrl, { email, password: DEMO_PASSWORD });
    const colleague = new Colleague(consoleCaller(baseUrl, cookie));
    await colleague.confirm();
    return colleague;
  }

  /** It lasts for ten minutes. */
  async confirm(): Promise<void> {
    await this.#call('POST', 'me/confirm', { password: DEMO_PASSWORD });
  }

  /** A call that must succeed; on a conflict with other work on the same wallet it is repeated, as a person would. */
  async ask<Answer>(method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<Answer> {
    try {
      return await this.#call<Answer>(method, path, body);
    } catch (error) {
      if (String(error).includes('Others are busy')) return this.ask(method, path, body);
      throw error;
    }
  }

  /** A call that must be refused as a conflict. */
  async refusedTo(method: 'POST', path: string, body: object): Promise<void> {
    const refusal = await this.#call(method, path, body).then(() => 'accepted', String);
    if (!refusal.includes('answered 409')) throw new Error(`${path} must be refused, and was: ${refusal}`);
  }
}
