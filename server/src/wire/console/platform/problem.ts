// Open problems, by code, with what their text names.
import { Type } from 'typebox';
import { FIXING_PLACES, PROBLEM_CODES, SEVERITIES } from '../../../domain/problem.ts';
import { arrayOf, describeCalls, orNull, strict, timeSchema } from '../shape.ts';

const codeSchema = Type.Enum([...PROBLEM_CODES], { type: 'string' });

export const problemsSchema = {
  /** The most urgent first. None: all systems are operational. */
  problems: arrayOf({
    code: codeSchema,
    severity: Type.Enum([...SEVERITIES], { type: 'string' }),
    /** Null where only that it is so is known. */
    since: orNull(timeSchema),
    parameters: Type.Record(Type.String(), Type.String()),
    /** The screen where it is fixed. */
    fixedAt: Type.Enum([...FIXING_PLACES], { type: 'string' }),
  }),
  /** How many more there are of a code; 95 stands for all beyond. */
  omitted: arrayOf({ code: codeSchema, count: Type.Integer({ minimum: 1 }) }),
};

export const problemCalls = describeCalls({
  listProblems: { answer: strict({ now: timeSchema, ...problemsSchema }) },
});
