// Acts: calls that change something, started by a button or a form.
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useFailureWords } from '../parts/failure-words.ts';
import { Failure } from './failure.ts';

export type ActOptions<Input, Answer> = {
  readonly act: (input: Input) => Promise<Answer>;
  /** Shown when it is done. Leave it out where the screen itself shows it. */
  readonly done?: string | ((answer: Answer) => string);
  readonly onDone?: (answer: Answer, input: Input) => void;
};

/**
 * `const remove = useAct({ act: (personId: string) => answer(api.DELETE(…)), done: words.removed });`
 * Everything on the screen is read again afterwards. A failure is shown as a notice, unless the person cancelled it.
 */
export function useAct<Input, Answer>({ act, done, onDone }: ActOptions<Input, Answer>) {
  const client = useQueryClient();
  const explain = useFailureWords();
  return useMutation({
    mutationFn: act,
    onSuccess: async (answer, input) => {
      const message = typeof done === 'function' ? done(answer) : done;
      if (message !== undefined) notifications.show({ message, color: 'teal' });
      onDone?.(answer, input);
      await client.invalidateQueries();
    },
    onError: (error) => {
      if (error instanceof Failure && error.code === 'CONFIRMATION_NEEDED') return;
      const { title, advice } = explain(error);
      notifications.show({ title, message: advice, color: 'red', autoClose: 10_000 });
    },
  });
}
