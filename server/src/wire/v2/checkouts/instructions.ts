// Instructions for payers, for merchants who show them on their own pages.
import { Type, type Static } from 'typebox';
import { findInstructions, type Instructions } from '../../../domain/checkouts/instructions.ts';

export function localTextSchema(description: string, example: { readonly en: string; readonly fr: string }) {
  return Type.Object(
    { en: Type.String(), fr: Type.String() },
    { description: `${description} In English and French.`, examples: [example] },
  );
}

const stepsSchema = Type.Array(
  Type.Object({
    text: Type.String({ description: 'What the payer does.', examples: ['Dial *115#'] }),
    template: Type.String({
      description: 'The same with the names of variables in double braces, for markup of your own.',
      examples: ['Dial {{shortCode}}'],
    }),
  }),
);

/** With instructions that are really given as their example. */
export function instructionsSchema(description: string) {
  const given = findInstructions('MTN_MOMO_ZMB', 'ZMW');
  const channels: readonly unknown[] = given === null ? [] : renderInstructions(given).channels;
  const displayName = { en: 'No PIN prompt on your phone?', fr: 'Pas de demande de code PIN ?' };
  const channel = Type.Object({
    type: Type.Enum(['USSD', 'APP'], {
      type: 'string',
      description: 'By dialling, or in the app of the provider.',
    }),
    displayName: localTextSchema('What to write above the steps.', displayName),
    quickLink: Type.Optional(
      Type.String({
        description: 'What to dial to get straight to the waiting payments. Put `tel:` in front for a link.',
        examples: ['*182*7*1#'],
      }),
    ),
    variables: Type.Object(
      {},
      {
        additionalProperties: Type.String(),
        description: 'The variables of the templates by name.',
        examples: [{ shortCode: '*115#' }],
      },
    ),
    instructions: Type.Object({ en: stepsSchema, fr: stepsSchema }, { description: 'The steps, in order.' }),
  });
  return Type.Object(
    {
      channels: Type.Array(channel, {
        description: 'The ways to do it; the payer needs one.',
        examples: [channels],
      }),
    },
    { description },
  );
}

export function renderInstructions({
  channels,
}: Instructions): Static<ReturnType<typeof instructionsSchema>> {
  return {
    channels: channels.map(({ instructions: { en, fr }, stepNames: _stepNames, ...channel }) => ({
      ...channel,
      instructions: { en: [...en], fr: [...fr] },
    })),
  };
}
