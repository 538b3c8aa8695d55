import { Text } from '@mantine/core';
import { useSession } from '../app/session.ts';
import { t } from '../words/t.ts';

/** Note on what a payout address needs before every wallet app can pay it. Test money is paid by none of them. */
export function FirstCoins({ isVault = false }: { isVault?: boolean }) {
  const { network } = useSession();
  if (network === 'sandbox') return null;
  return (
    <Text size="sm" mt="xs" maw={640}>
      {isVault
        ? t(
            'Send 0.01 USDC to this vault once: some wallet apps refuse to pay an address that has never held any.',
          )
        : t(
            'Send 0.001 SOL and 0.01 USDC to this address once: some wallet apps refuse to pay an address that has never held them.',
          )}
    </Text>
  );
}
