import { QueryCache, QueryClient } from '@tanstack/react-query';
import { codeOf } from './florin.ts';

/** What was read shows at once and is asked for again behind it; events keep it fresh; a session that is over leads back to the door, whoever noticed it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteSignedOut }),
  defaultOptions: {
    // The client tries again by itself, and knows better when.
    queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
  },
});

export function noteSignedOut(error: unknown): void {
  if (codeOf(error) === 'SIGN_IN_REQUIRED') queryClient.setQueryData(['session'], null);
}
