import { QueryCache, QueryClient } from '@tanstack/react-query';
import { codeOf, florin } from './florin.ts';
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
  if (codeOf(error) === 'SIGN_IN_REQUIRED' && queryClient.getQueryData(['session'])) void askUnlessSignedIn();
}

async function askUnlessSignedIn(): Promise<void> {
  if (await isSignedOut()) await signingInAgain.ask();
  else await queryClient.refetchQueries({ predicate: ({ state }) => state.status === 'error' });
}

const ANSWER_ON_ITS_WAY_MS = 1_000;
let asking: Promise<boolean> | undefined;

/**
 * True if the session has really ended. A confirmation gives it another cookie: a request that was on its way then is
 * refused, and so is the next one until the answer with the new cookie has arrived.
 */
export function isSignedOut(): Promise<boolean> {
  asking ??= (async () => {
    if (!(await isRefused())) return false;
    await new Promise((resolve) => setTimeout(resolve, ANSWER_ON_ITS_WAY_MS));
    return isRefused();
  })().finally(() => {
    asking = undefined;
  });
  return asking;
}

const isRefused = () =>
  florin.dashboard.retrieveSession().then(
    () => false,
    (error: unknown) => codeOf(error) === 'SIGN_IN_REQUIRED',
  );

export const signingInAgain = createQuestion();

/** Opens the dialog over whatever is on the screen; true when the same member is back. */
export const askToSignIn = signingInAgain.ask;
