import type { PayoutAddress } from '@florin/sdk';
import { Badge, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { PendingPayoutChangeNote, payoutChangeText } from '../parts/pending-payout-change.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { signWith, useWallets } from './wallets.ts';

const REFRESH = ['profile', 'payout-address'];

/** Where money arrives, what is known of the wallet, and the two ways to change it. */
export function PayoutAddressSection() {
  const can = useCan();
  const { data: payout, error } = useQuery({
    queryKey: ['payout-address'],
    queryFn: () => florin.merchant.retrievePayoutAddress(),
  });
  return (
    <Section title="Payout address">
      <Text c="dimmed" mb="xs" maw={640}>
        Your own Solana address. Payments arrive there directly; Florin never holds a key to it.
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
          <PendingPayoutChangeNote change={payout.pendingChange} refresh={REFRESH}>
            The new address is {payout.pendingChange?.payoutAddress}.
          </PendingPayoutChangeNote>
          <Delay payout={payout} />
        </>
      ) : (
        <Loading lines={1} />
      )}
    </Section>
  );
}

/** How long a change waits, for the merchant and its projects alike. */
function Delay({ payout }: { payout: PayoutAddress }) {
  const can = useCan();
  const { payoutChangeDelayHours: hours, pendingDelayChange } = payout;
  return (
    <>
      <Group mt="sm">
        <Text>
          {hours === 0
            ? 'A change of a payout address takes effect at once.'
            : `A change of a payout address waits for ${hoursText(hours)}; owners are told, and can cancel it.`}
        </Text>
        {can.own && (
          <ActionDialogButton
            label="Change the delay"
            button={{ variant: 'default' }}
            explanation="A longer delay counts at once. A shorter one waits for as long as the delay is now."
            action={{
              run: (given) =>
                florin.merchant.updatePayoutDelay({ payoutChangeDelayHours: Number(given.text('hours')) }),
              done: ({ pendingDelayChange: waiting }) =>
                waiting ? 'The shorter delay is waiting.' : 'The delay is changed.',
              refresh: REFRESH,
            }}
          >
            <TextInput
              label="Hours, 0 to 168"
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
        The new delay is {hoursText(pendingDelayChange?.payoutChangeDelayHours ?? 0)}.
      </PendingPayoutChangeNote>
    </>
  );
}

const hoursText = (hours: number) => (hours === 1 ? '1 hour' : `${hours} hours`);

function Address({ payout }: { payout: PayoutAddress }) {
  if (payout.payoutAddress === null) return <Text fw={600}>None is set: nobody can pay you yet.</Text>;
  return (
    <>
      <OnChain kind="address" text={payout.payoutAddress} label="payout address" />
      {payout.verifiedAt !== null && (
        <Badge variant="light" color="green">
          Verified
        </Badge>
      )}
      {payout.isOffCurve && (
        <Badge variant="light" color="gray">
          Multisig or program-owned
        </Badge>
      )}
      {payout.isShared && (
        <Badge variant="light" color="orange">
          Belongs to another merchant
        </Badge>
      )}
    </>
  );
}

function ChangeButton({ payout }: { payout: PayoutAddress }) {
  return (
    <ActionDialogButton
      label={payout.payoutAddress ? 'Change the address' : 'Set the address'}
      button={{ variant: 'default' }}
      explanation="Applies to payments requested from now on; open ones keep the address they were created with. Every owner gets an e-mail where e-mail is set up."
      action={{
        run: (given) => florin.merchant.updatePayoutAddress({ payoutAddress: given.text('address') }),
        done: payoutChangeText('New payments arrive there.'),
        refresh: REFRESH,
      }}
    >
      <TextInput label="Solana address" name="address" autoComplete="off" spellCheck={false} required />
    </ActionDialogButton>
  );
}

/** Proves the wallet, takes its address over from any other merchant, and sets it. */
function VerifyButton({ payout }: { payout: PayoutAddress }) {
  const wallets = useWallets();
  return (
    <ActionDialogButton
      label="Verify by signature"
      submit="Sign with the wallet"
      button={{ variant: 'default' }}
      explanation="Your wallet signs a message; that moves no money. The address then belongs to you alone: another merchant of this installation that uses it loses it. If it is not your payout address yet, it becomes that, after the delay where there is one."
      action={{
        async run(given) {
          const payoutAddress = given.text('address');
          const wallet = wallets.find(({ name }) => name === given.text('wallet'));
          if (!wallet) throw new Error('No wallet in this browser can sign a message.');
          const { message } = await florin.merchant.createPayoutChallenge({ payoutAddress });
          const signature = await signWith(wallet, payoutAddress, message);
          await florin.merchant.verifyPayoutAddress({ payoutAddress, signature });
          if (payoutAddress !== payout.payoutAddress)
            await florin.merchant.updatePayoutAddress({ payoutAddress });
        },
        done: 'The wallet is verified.',
        refresh: REFRESH,
      }}
    >
      <TextInput
        label="Solana address"
        name="address"
        defaultValue={payout.isOffCurve ? '' : (payout.payoutAddress ?? '')}
        autoComplete="off"
        spellCheck={false}
        required
      />
      {wallets.length > 0 ? (
        <NativeSelect label="Wallet" name="wallet" data={wallets.map(({ name }) => name)} />
      ) : (
        <Text size="sm">
          No wallet in this browser can sign a message. Install one, or sign on the command line: the guide
          “Going live” says how.
        </Text>
      )}
    </ActionDialogButton>
  );
}
