import type { Sponsor } from '@florin/sdk';
import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Failed, Loading } from '../parts/states.tsx';

type Mode = Sponsor['sponsorFees'];

export const FEE_MODES: readonly { value: Mode; label: string }[] = [
  { value: 'never', label: 'Customers pay it themselves' },
  { value: 'when_needed', label: 'Paid for customers without SOL' },
  { value: 'always', label: 'Paid for everyone' },
];

export const feeModeText = (mode: Mode) => FEE_MODES.find(({ value }) => value === mode)!.label;

const OFF: Record<NonNullable<Sponsor['reasonOff']>, string> = {
  not_set_up: 'Not set up on this server. Customers need a little SOL in their wallet.',
  network_unreachable: 'Off: the Solana network can’t be reached right now.',
  low_balance: 'Off: the wallet that pays the fees is nearly empty. Send SOL to it.',
  daily_limit_reached: 'Off until tomorrow: today’s limit has been reached.',
  merchant_limit_reached: 'Off until tomorrow: your own limit for today has been reached.',
};

/** Whose network fees are paid, from what, and what is left of it. */
export function NetworkFeesSection() {
  const can = useCan();
  const sponsor = useQuery({ queryKey: ['sponsor'], queryFn: () => florin.sponsor.retrieve() });
  return (
    <Section title="Network fees">
      {sponsor.error ? (
        <Failed error={sponsor.error} />
      ) : sponsor.data ? (
        <>
          <SponsorFacts sponsor={sponsor.data} />
          {can.change && <ChangeMode mode={sponsor.data.sponsorFees} />}
        </>
      ) : (
        <Loading lines={1} />
      )}
    </Section>
  );
}

function SponsorFacts({ sponsor }: { sponsor: Sponsor }) {
  const { sponsorFees, reasonOff, address, balanceLamports, spentTodayLamports, limitLamportsPerDay } =
    sponsor;
  const state = reasonOff === null ? 'On' : OFF[reasonOff];
  if (address === null) return <Text size="sm">{state}</Text>;
  return (
    <Facts
      of={[
        ['Network fee', feeModeText(sponsorFees)],
        ['State', sponsorFees === 'never' ? 'Not used' : state],
        ['Paid from', <OnChain key="a" kind="address" text={address} label="wallet" />],
        ['Balance', balanceLamports === null ? 'Unknown' : sol(balanceLamports)],
        ['Spent today', `${sol(spentTodayLamports)} of ${sol(limitLamportsPerDay)}`],
        ['Your payments today', sponsor.transactionsTodayCount],
      ]}
    />
  );
}

function ChangeMode({ mode }: { mode: Mode }) {
  return (
    <ActionDialogButton
      label="Change network fees"
      button={{ variant: 'default', mt: 'sm' }}
      explanation="Every payment costs a small network fee in SOL. Where it is paid for them, customers need only USDC."
      action={{
        run: (given) => florin.sponsor.update({ sponsorFees: given.text('mode') as Mode }),
        done: 'Network fees changed.',
        refresh: ['sponsor'],
      }}
    >
      <NativeSelect label="Network fee" name="mode" defaultValue={mode} data={[...FEE_MODES]} />
    </ActionDialogButton>
  );
}

/** 0.0005 SOL: nine digits at most, and none that says nothing. */
function sol(lamports: number | bigint): string {
  const value = BigInt(lamports);
  const part = String(value % 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '');
  return `${(value / 1_000_000_000n).toLocaleString('en-US')}${part && `.${part}`} SOL`;
}
