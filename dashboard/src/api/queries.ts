// What was read, kept while screens need it.
import { QueryClient, queryOptions } from '@tanstack/react-query';
import type { MaybeOptionalInit } from 'openapi-fetch';
import type { PathsWithMethod } from 'openapi-typescript-helpers';
import { answer, api } from './client.ts';
import { Failure } from './failure.ts';
import type { paths } from './schema.ts';

/** Only what never arrived is worth asking again by itself. */
const mayRetry = (count: number, error: Error) =>
  count < 2 && error instanceof Failure && error.code === 'UNREACHABLE';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { retry: mayRetry, staleTime: 10_000, refetchOnWindowFocus: true },
    mutations: { retry: false },
  },
});

type ReadPath = PathsWithMethod<paths, 'get'>;

type ReadAnswer<Path extends ReadPath> = paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Answer } } } };
}
  ? Answer
  : never;

/**
 * A call that reads, for `useQuery`:
 *   useQuery(reading('/console/api/merchants/{merchantId}/team', { params: { path: { merchantId } } }))
 */
export function reading<Path extends ReadPath>(path: Path, init: MaybeOptionalInit<paths[Path], 'get'>) {
  return queryOptions({
    queryKey: [path, init] as const,
    queryFn: ({ signal }) => {
      const read = api.GET as (path: string, init: object) => ReturnType<typeof api.GET>;
      return answer(read(path, { ...init, signal })) as Promise<ReadAnswer<Path>>;
    },
  });
}
