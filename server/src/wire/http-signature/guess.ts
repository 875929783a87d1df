// Explains why a signature is wrong: tries the most common mistakes, and reports the one that matches.
import { verifyBase } from './algorithms.ts';
import type { PublicKey, SignedRequest } from './check-signature.ts';
import type { ReceivedSignature } from './read-signature.ts';
import { createSignatureBase } from './signature-base.ts';

export type Mystery = {
  readonly request: SignedRequest;
  readonly signature: ReceivedSignature;
  /** The base that was expected. */
  readonly base: string;
  readonly publicKeys: ReadonlyMap<string, PublicKey>;
  /** Other addresses that the client may have signed, each with an explanation. */
  readonly otherUrls: readonly { readonly url: string; readonly advice: string }[];
};

/** Null if no known mistake explains it. */
export function guessMistake(mystery: Mystery): string | null {
  const { signature, publicKeys } = mystery;
  const key = publicKeys.get(String(signature.parameters.get('keyid')));
  if (key === undefined) return null;
  const mistake = listBases(mystery).find(({ base }) => fits(base, signature.bytes, key));
  if (mistake !== undefined) return mistake.advice;
  const other = [...publicKeys].find(([, candidate]) => fits(mystery.base, signature.bytes, candidate));
  return other === undefined ? null : `It was made with the key that is registered as ${other[0]}.`;
}

/** What the client may have signed instead. */
function listBases({ request, signature, base, otherUrls }: Mystery) {
  const inputText = signature.inputText;
  const otherAddresses = otherUrls.flatMap(({ url, advice }) => {
    const made = tryBase({ ...request, url }, inputText);
    return made === null ? [] : [{ base: made, advice }];
  });
  return [
    ...otherAddresses,
    { base: `${base}\n`, advice: 'You signed a line break at the end of the base. There must be none.' },
    { base: base.replaceAll('\n', '\r\n'), advice: 'You parted lines by CR and LF. It must be LF alone.' },
    {
      base: base.replace('"@signature-params": ', `"@signature-params": ${signature.label}=`),
      advice: 'The last line must begin at the parenthesis, without the label of the signature.',
    },
    {
      base: base.replace(/^"@method": .*$/m, (line) =>
        line.replace(request.method, request.method.toLowerCase()),
      ),
      advice: 'The method must be in upper case.',
    },
    {
      base: base.slice(0, base.lastIndexOf('\n')),
      advice: 'You left out the last line, "@signature-params".',
    },
    {
      base: request.body.toString(),
      advice: 'You signed the body. What must be signed is the signature base.',
    },
  ];
}

function tryBase(request: SignedRequest, inputText: string): string | null {
  try {
    return createSignatureBase(request, inputText);
  } catch {
    return null;
  }
}

function fits(base: string, bytes: Buffer, key: PublicKey): boolean {
  try {
    return verifyBase(base, bytes, key);
  } catch {
    return false;
  }
}
