import type { DashboardSession } from '@florin/sdk';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { t } from '../words/t.ts';
import { codeOf, florin, rememberCsrfToken } from './florin.ts';
import { queryClient } from './query-client.ts';
import { showTimesIn } from './time-zone.ts';

/** Session of the signed-in member; null if nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async (): Promise<DashboardSession | null> => {
    try {
      return remember(await florin.dashboard.retrieveSession());
    } catch (error) {
      if (codeOf(error) !== 'SIGN_IN_REQUIRED') throw error;
      return null;
    }
  },
  staleTime: 5 * 60_000,
});

/** Starts a session after signing in: drops everything that was loaded for someone else. */
export function startSession(session: DashboardSession): void {
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  queryClient.setQueryData(sessionQuery.queryKey, remember(session));
}

/** The same session with new facts: confirmed just now, or with another password. */
export function renewSession(session: DashboardSession): void {
  queryClient.setQueryData(sessionQuery.queryKey, remember(session));
}

export async function signOut(): Promise<void> {
  await florin.dashboard.signOut().catch((error: unknown) => {
    if (codeOf(error) !== 'SIGN_IN_REQUIRED') throw error;
  });
  queryClient.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'session' });
  queryClient.setQueryData(sessionQuery.queryKey, null);
}

/** Returns the session, for screens that need a signed-in member. */
export function useSession(): DashboardSession {
  const { data } = useQuery(sessionQuery);
  if (!data) throw new Error(t('Nobody is signed in.'));
  return data;
}

export interface Can {
  /** Change anything at all: everybody but a viewer. */
  change: boolean;
  /** Keys and the audit log are not for viewers. */
  seeKeys: boolean;
  /** Payout address, exceptions, members, keys that may do everything. */
  own: boolean;
  /** Test payments and the clock. */
  playSandbox: boolean;
}

/** Returns the permissions that decide what is offered. The service checks again, whatever is offered. */
export function useCan(): Can {
  const { member, network } = useSession();
  const change = member.role !== 'viewer';
  return {
    change,
    seeKeys: change,
    own: member.role === 'owner',
    playSandbox: change && network === 'sandbox',
  };
}

function remember(session: DashboardSession): DashboardSession {
  rememberCsrfToken(session.csrfToken);
  showTimesIn(session.merchant.timeZone);
  return session;
}
