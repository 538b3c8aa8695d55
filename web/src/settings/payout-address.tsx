import type { PayoutAddress } from '@florin/sdk';
import { Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { FirstCoins } from '../parts/first-coins.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { PendingPayoutChangeNote, payoutChangeText } from '../parts/pending-payout-change.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { useWallets } from '../parts/wallets.ts';
import { t, tn } from '../words/t.ts';
import { canSignMessage, signMessage } from './sign-message.ts';

const REFRESH = ['profile', 'payout-address'];

/** Section on the payout address: what is known of the wallet, and the two ways to change it. */
export function PayoutAddressSection() {
  const can = useCan();
  const { data: payout, error } = useQuery({
    queryKey: ['payout-address'],
    queryFn: () => florin.merchant.retrievePayoutAddress(),
  });
  return (
    <Section title={t('Payout address')}>
      <Text c="dimmed" mb="xs" maw={640}>
        {t('The address of your own Solana wallet. Payments go straight to it; Florin never holds its keys.')}
      </Text>
      {error ? (
        <Failed error={error} />
      ) : payout ? (
        <>
          <Group>
            <Address payout={payout} />
            {can.own && (
              <>
                <ChangeButton payout={payout} />
                <VerifyButton payout={payout} />
              </>
            )}
          </Group>
          {payout.payoutAddress !== null && payout.verifiedAt === null && (
            <Text size="sm" mt="xs" maw={640}>
              {payout.isOffCurve
                ? t(
                    'Make sure this wallet is yours before you sell anything: pay yourself a small amount and see it arrive.',
                  )
                : t(
                    'Make sure this wallet is yours before you sell anything: verify it by signature, or pay yourself a small amount and see it arrive.',
                  )}
            </Text>
          )}
          {payout.payoutAddress !== null && <FirstCoins isVault={payout.isOffCurve} />}
          <PendingPayoutChangeNote change={payout.pendingChange} refresh={REFRESH}>
            {t('New address: {address}.', { address: payout.pendingChange?.payoutAddress ?? '' })}
          </PendingPayoutChangeNote>
          <Delay payout={payout} />
        </>
      ) : (
        <Loading lines={1} />
      )}
    </Section>
  );
}

/** Delay of changes, for the merchant and its projects. */
function Delay({ payout }: { payout: PayoutAddress }) {
  const can = useCan();
  const { payoutChangeDelayHours: hours, pendingDelayChange } = payout;
  return (
    <>
      <Group mt="sm">
        <Text>
          {hours === 0
            ? t('Payout address changes take effect immediately.')
            : tn(
                hours,
                'Payout address changes take effect after {count} hour. Owners are notified and can cancel them.',
                'Payout address changes take effect after {count} hours. Owners are notified and can cancel them.',
              )}
        </Text>
        {can.own && (
          <ActionDialogButton
            label={t('Change delay')}
            button={{ variant: 'default' }}
            explanation={t(
              'A longer delay applies immediately. A shorter one applies after the current delay.',
            )}
            action={{
              run: (given) =>
                florin.merchant.updatePayoutDelay({ payoutChangeDelayHours: Number(given.text('hours')) }),
              done: ({ pendingDelayChange: waiting }) =>
                waiting ? t('Shorter delay scheduled.') : t('Delay changed.'),
              refresh: REFRESH,
            }}
          >
            <TextInput
              label={t('Hours, 0 to 168')}
              name="hours"
              type="number"
              min={0}
              max={168}
              step={1}
              defaultValue={hours}
              required
            />
          </ActionDialogButton>
        )}
      </Group>
      <PendingPayoutChangeNote change={pendingDelayChange} refresh={REFRESH}>
        {tn(
          pendingDelayChange?.payoutChangeDelayHours ?? 0,
          'New delay: {count} hour.',
          'New delay: {count} hours.',
        )}
      </PendingPayoutChangeNote>
    </>
  );
}

function Address({ payout }: { payout: PayoutAddress }) {
  if (payout.payoutAddress === null) return <Text fw={600}>{t('Not set. Nobody can pay you yet.')}</Text>;
  return (
    <>
      <OnChain kind="address" text={payout.payoutAddress} label={t('payout address')} short={false} />
      {payout.verifiedAt !== null && <Status of="verified" />}
      {payout.verifiedAt === null && !payout.isOffCurve && <Status of="not_verified" />}
      {payout.isOffCurve && <Status of="multisig" />}
      {payout.isShared && <Status of="shared" />}
    </>
  );
}

function ChangeButton({ payout }: { payout: PayoutAddress }) {
  return (
    <ActionDialogButton
      label={payout.payoutAddress ? t('Change address') : t('Add address')}
      button={{ variant: 'default' }}
      explanation={t(
        'Applies to new payments. Open payments keep the current address. All owners are notified by e-mail.',
      )}
      action={{
        run: (given) => florin.merchant.updatePayoutAddress({ payoutAddress: given.text('address') }),
        done: payoutChangeText(t('Payout address updated. New payments go to this address.')),
        refresh: REFRESH,
      }}
    >
      <TextInput label={t('Solana address')} name="address" autoComplete="off" spellCheck={false} required />
    </ActionDialogButton>
  );
}

/** Proves ownership of the wallet, takes its address over from any other merchant, and sets it. */
function VerifyButton({ payout }: { payout: PayoutAddress }) {
  const wallets = useWallets().filter(canSignMessage);
  return (
    <ActionDialogButton
      label={t('Verify by signature')}
      submit={t('Sign with wallet')}
      button={{ variant: 'default' }}
      explanation={t(
        'Your wallet signs a message; no money moves. The address then belongs to you alone: any other merchant on this server that uses it loses it. If it isn’t your payout address yet, it becomes your payout address after the delay, if there is one.',
      )}
      action={{
        async run(given) {
          const payoutAddress = given.text('address');
          const wallet = wallets.find(({ name }) => name === given.text('wallet'));
          if (!wallet) throw new Error(t('No wallet in this browser can sign a message.'));
          const { message } = await florin.merchant.createPayoutChallenge({ payoutAddress });
          const signature = await signMessage(wallet, payoutAddress, message);
          await florin.merchant.verifyPayoutAddress({ payoutAddress, signature });
          if (payoutAddress !== payout.payoutAddress)
            await florin.merchant.updatePayoutAddress({ payoutAddress });
        },
        done: t('Address verified.'),
        refresh: REFRESH,
      }}
    >
      <TextInput
        label={t('Solana address')}
        name="address"
        defaultValue={payout.isOffCurve ? '' : (payout.payoutAddress ?? '')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {wallets.length > 0 ? (
        <NativeSelect label={t('Wallet')} name="wallet" data={wallets.map(({ name }) => name)} />
      ) : (
        <Text size="sm">
          {t(
            'No wallet in this browser can sign a message. Install one, or sign on the command line as described in the “Going live” guide.',
          )}
        </Text>
      )}
    </ActionDialogButton>
  );
}
