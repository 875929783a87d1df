import type { ReactNode } from 'react';
import { FailureState } from './failure-state.tsx';
import { SlowNotice } from './slow-notice.tsx';

/** What `useQuery` gives, as far as it matters here. */
type Reading<Data> = {
  readonly data: Data | undefined;
  readonly error: Error | null;
  readonly refetch: () => Promise<unknown>;
};

type LoadedProps<Data> = {
  readonly query: Reading<Data>;
  /** Of the size of what will come, so that nothing jumps. */
  readonly skeleton: ReactNode;
  readonly children: (data: Data) => ReactNode;
};

/** Shows the skeleton, then the contents, or why there are none. */
export function Loaded<Data>({ query, skeleton, children }: LoadedProps<Data>) {
  if (query.data !== undefined) return children(query.data);
  if (query.error !== null) return <FailureState error={query.error} onRetry={() => void query.refetch()} />;
  return (
    <div aria-busy="true">
      {skeleton}
      <SlowNotice onRetry={() => void query.refetch()} />
    </div>
  );
}
