import { QueryCache, QueryClient } from '@tanstack/react-query';
import { codeOf } from './florin.ts';

/** Cached data shows at once and is refetched in the background; events keep it fresh. A session that has ended leads back to the sign-in page, whichever query noticed it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteSignedOut }),
  defaultOptions: {
    // The client already retries, and knows better when.
    queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
  },
});

export function noteSignedOut(error: unknown): void {
  if (codeOf(error) === 'SIGN_IN_REQUIRED') queryClient.setQueryData(['session'], null);
}
