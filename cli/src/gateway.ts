// The gateway of a call.
import { readFile } from 'node:fs/promises';
import { Malipo } from '@malipo/sdk';
import { textOf, type Call } from './command.ts';
import { chooseProfile, type Profile } from './profiles.ts';

export type Gateway = { readonly malipo: Malipo; readonly profile: Profile };

/** A user at a terminal wants to see a problem soon; the SDK's longer retries are for programs. */
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
