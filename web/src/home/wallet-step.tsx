import type { Onboarding } from '@florin/sdk';
import { Button, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan, useSession } from '../app/session.ts';
import { FirstCoins } from '../parts/first-coins.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import styles from './first-steps.module.css';
import { StepLink } from './step-link.tsx';

/**
 * Step in which the owner proves the wallet by a signature, or confirms it: a payment arrives at any address, even a
 * mistyped one.
 */
export function WalletStep({ wallet }: { wallet: Onboarding['wallet'] }) {
  if (wallet.payoutAddress === null)
    return (
      <Text size="sm">
        <T
          of="Payments go straight to your own Solana wallet. {link}"
          link={<StepLink href="/settings">{t('Add your payout address')}</StepLink>}
        />
      </Text>
    );
  const address = <span className={styles.address}>{wallet.payoutAddress}</span>;
  if (wallet.provenBy === 'signature')
    return (
      <Text size="sm">
        <T of="{address} is verified by its signature." address={address} />
      </Text>
    );
  if (wallet.isSeenInWallet)
    return (
      <Text size="sm">
        <T
          of="You confirmed that {address} is your wallet. It is not verified by a signature."
          address={address}
        />
      </Text>
    );
  if (wallet.hasPayment) return <Question payoutAddress={wallet.payoutAddress} />;
  return (
    <>
      <Text size="sm">
        <T
          of="{address} is not verified. {link}, or make the test payment below and check that it arrives in your wallet."
          address={address}
          link={<StepLink href="/settings">{t('Verify it by signature')}</StepLink>}
        />
      </Text>
      <FirstCoins />
    </>
  );
}

/** A payment has arrived. Test money of the sandbox shows in no wallet, so there the address itself is compared. */
function Question({ payoutAddress }: { payoutAddress: string }) {
  const can = useCan();
  const { network } = useSession();
  const confirm = useAction({
    run: () => florin.dashboard.confirmWallet({ payoutAddress }),
    refresh: ['onboarding'],
  });
  const holes = {
    address: <span className={styles.address}>{payoutAddress}</span>,
    link: <StepLink href="/settings">{t('verify it by signature')}</StepLink>,
  };
  return (
    <>
      <Text size="sm" mb="xs">
        {network === 'sandbox' ? (
          <T
            of="A test payment arrived at {address}. Test money does not show in a wallet: compare the address with the one in your wallet, or {link}."
            {...holes}
          />
        ) : (
          <T
            of="A payment arrived at {address}. Money arrives at a wrong address, too: check that it shows in your wallet, or {link}."
            {...holes}
          />
        )}
      </Text>
      {can.own && (
        <Button size="xs" onClick={() => confirm.mutate()} loading={confirm.isPending}>
          {network === 'sandbox' ? t('It is the address of my wallet') : t('It shows in my wallet')}
        </Button>
      )}
    </>
  );
}
