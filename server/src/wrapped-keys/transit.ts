// The Transit engine of Vault and of OpenBao, by its HTTP API: it encrypts and decrypts under a key that never leaves
// it. What it encrypts names the version of that key: "vault:v1:…".
import { failed, type KeyAnswer, type KeyService, type KeyServiceObserver } from './port.ts';
import { createRequester, type ServiceAddress, type ServiceBody } from './request.ts';
import { Session, type LoginSettings } from './session.ts';

export type TransitSettings = ServiceAddress & {
  /** Where the engine is mounted. */
  readonly mount: string;
  /** The name of the key that wraps. */
  readonly keyName: string;
  readonly login: LoginSettings;
};

export function createTransit(settings: TransitSettings, observer: KeyServiceObserver): KeyService {
  const requester = createRequester(settings);
  const session = new Session(requester, settings.login, observer);
  const post = async (action: string, token: string, body: ServiceBody) => {
    const path = `${settings.mount}/${action}/${settings.keyName}`;
    const answer = await requester.send({ method: 'POST', path, token, body });
    session.note(token, answer);
    return answer;
  };
  /** A denial is believed when the token of a fresh login is denied as well: tokens end, and access does not. */
  const ask = async (action: string, body: ServiceBody): Promise<KeyAnswer<ServiceBody>> => {
    const held = await session.take();
    if (held.type === 'FAILED') return held;
    const answer = await post(action, held.value.token, body);
    if (answer.type === 'DONE' || answer.problem !== 'KEY_SERVICE_DENIED' || held.value.isFresh)
      return answer;
    const fresh = await session.logIn();
    return fresh.type === 'FAILED' ? fresh : post(action, fresh.value.token, body);
  };
  return {
    wrap: async (key) => textOf(await ask('encrypt', { plaintext: key.toString('base64') }), 'ciphertext'),
    rewrap: async (ciphertext) => textOf(await ask('rewrap', { ciphertext }), 'ciphertext'),
    unwrap: async (ciphertext) => {
      const answer = textOf(await ask('decrypt', { ciphertext }), 'plaintext');
      return answer.type === 'FAILED' ? answer : keyOf(answer.value);
    },
    close: () => requester.close(),
  };
}

function textOf(answer: KeyAnswer<ServiceBody>, name: string): KeyAnswer<string> {
  if (answer.type === 'FAILED') return answer;
  const text = ((answer.value['data'] ?? {}) as ServiceBody)[name];
  if (typeof text === 'string') return { type: 'DONE', value: text };
  return failed('KEY_SERVICE_UNREACHABLE', `an answer without ${name}`);
}

function keyOf(text: string): KeyAnswer<Buffer> {
  const value = Buffer.from(text, 'base64');
  if (value.length === 32) return { type: 'DONE', value };
  return failed('KEY_SERVICE_REFUSED', 'what is wrapped is not a key of 32 bytes');
}
