import { QueryCache, QueryClient } from '@tanstack/react-query';
import { codeOf } from './florin.ts';
import { createQuestion } from './question.ts';

/** Cached data shows at once and is refetched in the background; events keep it fresh. A session that has ended asks to sign in again, whichever query noticed it. */
export const queryClient: QueryClient = new QueryClient({
  queryCache: new QueryCache({ onError: noteSignedOut }),
  defaultOptions: {
    // The client already retries, and knows better when.
    queries: { retry: false, staleTime: 2_000, refetchOnWindowFocus: true },
    // Without a connection a change fails at once: sending it minutes later would be a surprise.
    mutations: { networkMode: 'always' },
  },
});

export function noteSignedOut(error: unknown): void {
  if (codeOf(error) === 'SIGN_IN_REQUIRED' && queryClient.getQueryData(['session']))
    void signingInAgain.ask();
}

export const signingInAgain = createQuestion();

/** Opens the dialog over whatever is on the screen; true when the same member is back. */
export const askToSignIn = signingInAgain.ask;
