// The workbench's report on a signed request: whether it would be accepted, what should have been signed, and where the
// two differ.
import { Type, type Static } from 'typebox';
import { renderContentDigest } from '../../../wire/http-signature/content-digest.ts';
import type { SignedRequest, Verdict } from '../../../wire/http-signature/check-signature.ts';
import { SIGNATURE_RULES } from '../../../wire/http-signature/read-signature.ts';

export const workbenchPathSchema = Type.Object(
  { group: Type.String({ description: 'What the request is for.', examples: ['deposits'] }) },
  { additionalProperties: false },
);

const differenceSchema = Type.Object(
  {
    line: Type.Integer({ description: 'The number of the first line that differs, from one.' }),
    expected: Type.String({ description: 'This line as it should be; empty when yours has lines too many.' }),
    received: Type.String({ description: 'This line as you sent it; empty when yours has too few lines.' }),
  },
  {
    description: 'Only when you sent your own signature base in the header Malipo-Signature-Base, in base64.',
  },
);

export const signatureReportSchema = Type.Object(
  {
    verdict: Type.Enum(['ACCEPTED', 'REFUSED'], {
      type: 'string',
      description: 'Whether the request would get past the check of its signature.',
    }),
    rule: Type.Optional(
      Type.Enum([...SIGNATURE_RULES], {
        type: 'string',
        description: 'The first rule that is broken, in the order in which rules are held.',
      }),
    ),
    explanation: Type.String({ description: 'The same for people, with what to try where we can guess.' }),
    signatureBase: Type.Optional(
      Type.String({ description: 'What should have been signed, byte for byte. No line break ends it.' }),
    ),
    lines: Type.Optional(Type.Array(Type.String(), { description: 'The lines of the signature base.' })),
    difference: Type.Optional(differenceSchema),
    contentDigest: Type.String({ description: 'The Content-Digest of the body that was received.' }),
    signedRequestsOnly: Type.Boolean({ description: 'Whether your account demands signatures now.' }),
  },
  { title: 'SignatureReport' },
);

export type Findings = {
  readonly request: SignedRequest;
  readonly verdict: Verdict;
  /** Why the signature may be wrong; null if there is no known explanation. */
  readonly guess: string | null;
  /** The signature base that the client says it signed. */
  readonly ownBase: string | null;
  readonly signedRequestsOnly: boolean;
};

export function renderSignatureReport(findings: Findings): Static<typeof signatureReportSchema> {
  const { request, verdict, ownBase, signedRequestsOnly } = findings;
  const { fault, base } = verdict;
  const difference = base === null || ownBase === null ? null : findDifference(base, ownBase);
  return {
    verdict: fault === null ? 'ACCEPTED' : 'REFUSED',
    ...(fault !== null && { rule: fault.rule }),
    explanation: explain(findings, difference !== null),
    ...(base !== null && { signatureBase: base, lines: base.split('\n') }),
    ...(difference !== null && { difference }),
    contentDigest: renderContentDigest(request.body, 'sha-512'),
    signedRequestsOnly,
  };
}

/** The first line in which two signature bases differ; null if they are equal. */
export function findDifference(expected: string, received: string): Static<typeof differenceSchema> | null {
  if (expected === received) return null;
  const [own, theirs] = [expected.split('\n'), received.split('\n')];
  const index = own.findIndex((line, at) => line !== theirs[at]);
  const at = index === -1 ? own.length : index;
  return { line: at + 1, expected: own[at] ?? '', received: theirs[at] ?? '' };
}

function explain({ verdict, guess, ownBase }: Findings, differs: boolean): string {
  const { fault, base } = verdict;
  if (fault === null) return 'The signature is good.';
  const sentence = `Refused: ${fault.cause}.`;
  if (fault.rule !== 'SIGNATURE' || base === null) return sentence;
  if (differs) return `${sentence} What you signed is not what we expected: see difference.`;
  if (guess !== null) return `${sentence} ${guess}`;
  if (ownBase === null) {
    return `${sentence} Compare signatureBase with what you signed, or send yours in Malipo-Signature-Base.`;
  }
  return `${sentence} You signed the right base, so key or algorithm differ from what is registered.`;
}
