import type { Sponsor } from '@florin/sdk';
import { NativeSelect, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { locale } from '../words/language.ts';
import { t, tc } from '../words/t.ts';

type Mode = Sponsor['sponsorFees'];

export const FEE_MODES: readonly { value: Mode; label: string }[] = [
  { value: 'never', label: t('Customers pay it themselves') },
  { value: 'when_needed', label: t('Paid for customers without SOL') },
  { value: 'always', label: t('Paid for everyone') },
];

export const feeModeText = (mode: Mode) => FEE_MODES.find(({ value }) => value === mode)!.label;

const OFF: Record<NonNullable<Sponsor['reasonOff']>, string> = {
  not_set_up: t('Not set up on this server. Customers need a little SOL in their wallet.'),
  network_unreachable: t('Off: the Solana network can’t be reached right now.'),
  low_balance: t('Off: the wallet that pays the fees is nearly empty. Send SOL to it.'),
  daily_limit_reached: t('Off until tomorrow: today’s limit has been reached.'),
  merchant_limit_reached: t('Off until tomorrow: your own limit for today has been reached.'),
};

/** Section on network fees: whose are paid, by which wallet, and what is left of the limit. */
export function NetworkFeesSection() {
  const can = useCan();
  const sponsor = useQuery({ queryKey: ['sponsor'], queryFn: () => florin.sponsor.retrieve() });
  return (
    <Section title={t('Network fees')}>
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
  const state = reasonOff === null ? t('On') : OFF[reasonOff];
  if (address === null) return <Text size="sm">{state}</Text>;
  return (
    <Facts
      of={[
        [t('Network fee'), feeModeText(sponsorFees)],
        [tc('state', 'State'), sponsorFees === 'never' ? t('Not used') : state],
        [t('Paid from'), <OnChain key="a" kind="address" text={address} label={t('wallet')} />],
        [t('Balance'), balanceLamports === null ? t('Unknown') : sol(balanceLamports)],
        [
          t('Spent today'),
          t('{used} of {limit}', { used: sol(spentTodayLamports), limit: sol(limitLamportsPerDay) }),
        ],
        [t('Your payments today'), sponsor.transactionsTodayCount],
      ]}
    />
  );
}

function ChangeMode({ mode }: { mode: Mode }) {
  return (
    <ActionDialogButton
      label={t('Change network fees')}
      button={{ variant: 'default', mt: 'sm' }}
      explanation={t(
        'Every payment costs a small network fee in SOL. Where it is paid for them, customers need only USDC.',
      )}
      action={{
        run: (given) => florin.sponsor.update({ sponsorFees: given.text('mode') as Mode }),
        done: t('Network fees changed.'),
        refresh: ['sponsor'],
      }}
    >
      <NativeSelect label={t('Network fee')} name="mode" defaultValue={mode} data={[...FEE_MODES]} />
    </ActionDialogButton>
  );
}

const solNumber = new Intl.NumberFormat(locale, { maximumFractionDigits: 9 });

/** 0.0005 SOL: nine digits at most, and none that says nothing. */
function sol(lamports: number | bigint): string {
  const value = BigInt(lamports);
  const part = String(value % 1_000_000_000n).padStart(9, '0');
  return `${solNumber.format(`${value / 1_000_000_000n}.${part}` as `${number}`)} SOL`;
}
