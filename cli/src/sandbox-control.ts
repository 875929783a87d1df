// The client of the sandbox's control API, which controls the simulated operator. It does not exist in production.
import { Trouble } from './command.ts';
import type { Profile } from './profiles.ts';

export type SandboxControl = {
  readonly call: <Answer>(method: string, path: string, body?: object) => Promise<Answer>;
};

/** `purpose` says why the sandbox is needed: "play scenarios". */
export function controlSandbox({ url, token }: Profile, purpose: string): SandboxControl {
  return {
    call: async <Answer>(method: string, path: string, body?: object): Promise<Answer> => {
      const answer = await fetch(new URL(`/sandbox/${path}`, url), {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      }).catch(() => {
        throw new Trouble(`No answer from ${url}.`, 'Is the sandbox running? Start it: malipo sandbox');
      });
      const said = (await answer.json().catch(() => ({}))) as Answer & Failure;
      if (answer.ok) return said;
      throw refusal(answer.status, said, purpose);
    },
  };
}

/** The gateway has no control API: it is a production gateway. */
export class NotASandbox extends Trouble {}

type Failure = { readonly failureReason?: { readonly failureMessage?: string } };

function refusal(status: number, { failureReason }: Failure, purpose: string): Trouble {
  if (status === 404) {
    return new NotASandbox(
      `This gateway is not a sandbox, and cannot ${purpose}.`,
      'Start a sandbox: malipo sandbox. Use it: --profile sandbox.',
    );
  }
  if (status === 401) {
    return new Trouble(
      'The sandbox does not know the API token.',
      'It may have been restarted. See which profile is used: malipo profile list',
    );
  }
  return new Trouble(failureReason?.failureMessage ?? `The sandbox answered ${status}.`, '');
}
