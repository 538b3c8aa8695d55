import { useQuery } from '@tanstack/react-query';
import { florin } from './florin.ts';
import { useSession } from './session.ts';

/** The service's time: the clock of a sandbox can be ahead of the browser's. */
export function useNow(): Date {
  const { network } = useSession();
  const { data } = useQuery({
    queryKey: ['sandbox-clock'],
    queryFn: () => florin.sandbox.clock(),
    enabled: network === 'sandbox',
  });
  return data ? new Date(data.now) : new Date();
}
