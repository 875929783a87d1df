// Prompts: what payers' phones show, and how they are answered.
import { Type, type Static } from 'typebox';
import { findFault, type Parsed } from '../../../wire/fault.ts';
import { amountSchema, currencySchema } from '../../../wire/v2/amount.ts';
import { providerCodeSchema } from '../../../wire/v2/toolkit/provider.ts';
import { timestampSchema } from '../../../wire/v2/timestamp.ts';

export const promptSchema = Type.Object(
  {
    promptId: Type.String({ description: "The operator's own reference of the payment." }),
    provider: providerCodeSchema,
    phoneNumber: Type.String({ description: 'The phone that shows the prompt.', examples: ['250783456789'] }),
    amount: amountSchema,
    currency: currencySchema,
    customerMessage: Type.String({ description: "The merchant's text." }),
    opened: timestampSchema('When the payment reached the operator.'),
    ends: Type.Optional(
      timestampSchema(
        'When the payer approves by himself. Absent when the prompt stays open until it is answered.',
      ),
    ),
  },
  { title: 'Prompt', description: 'A deposit that waits for its payer.' },
);

export const promptsSchema = Type.Array(promptSchema, { title: 'Prompts' });

export const promptPathSchema = Type.Object({ promptId: Type.String() }, { additionalProperties: false });

export const promptAnswerSchema = Type.Object(
  {
    decision: Type.Enum(['APPROVE', 'DECLINE'], {
      type: 'string',
      description:
        'APPROVE: the payer types the PIN, and what the phone number stands for happens: most complete. ' +
        'DECLINE: the payment fails with PAYMENT_NOT_APPROVED.',
    }),
  },
  { additionalProperties: false, title: 'PromptAnswer' },
);

export type PromptAnswer = Static<typeof promptAnswerSchema>;

/** A prompt as the simulator sends it. */
export type SimulatorPrompt = {
  readonly promptId: string;
  readonly provider: string;
  readonly phoneNumber: string;
  readonly amount: string;
  readonly currency: string;
  readonly message: string;
  readonly openedAt: string;
  readonly endsAt: string | null;
};

export function parsePromptAnswer(body: unknown): Parsed<PromptAnswer> {
  const fault = findFault(promptAnswerSchema, body);
  if (fault !== null) return { type: 'FAULT', fault };
  return { type: 'PARSED', request: body as PromptAnswer };
}

export function renderPrompt(prompt: SimulatorPrompt): Static<typeof promptSchema> {
  const { message: customerMessage, openedAt: opened, endsAt, ...rest } = prompt;
  return { ...rest, customerMessage, opened, ...(endsAt === null ? {} : { ends: endsAt }) };
}
