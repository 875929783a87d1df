// The gateway that a call is about.
import { readFile } from 'node:fs/promises';
import { Malipo } from '@malipo/sdk';
import { textOf, type Call } from './command.ts';
import { chooseProfile, type Profile } from './profiles.ts';

export type Gateway = { readonly malipo: Malipo; readonly profile: Profile };

/** Anyone who waits at a terminal wants to hear of trouble soon; the package's own patience is for programs. */
const RETRY_FOR_MS = 3_000;

export async function openGateway(
  call: Pick<Call, 'options' | 'world'>,
  { retryForMs = RETRY_FOR_MS }: { readonly retryForMs?: number } = {},
): Promise<Gateway> {
  const profile = await chooseProfile(call.world, textOf(call, 'profile'));
  const { url: baseUrl, token, signing } = profile;
  const options = { baseUrl, token, retryForMs };
  if (signing === undefined) return { profile, malipo: new Malipo(options) };
  const privateKey = await readFile(signing.privateKeyPath, 'utf8');
  return { profile, malipo: new Malipo({ ...options, signing: { keyId: signing.keyId, privateKey } }) };
}
