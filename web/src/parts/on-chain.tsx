import { Anchor } from '@mantine/core';
import { useSession } from '../app/session.ts';
import { t } from '../words/t.ts';
import { Copyable } from './copyable.tsx';
import { Icon } from './icon.tsx';

interface OnChainProps {
  kind: 'address' | 'tx';
  text: string;
  label: string;
  short?: boolean;
}

/** An address or a transaction: to copy, and to look at where others can see it too. */
export function OnChain({ kind, text, label, short = true }: OnChainProps) {
  const { network } = useSession();
  return (
    <>
      <Copyable text={text} label={label} short={short} />
      {network !== 'sandbox' && (
        <Anchor
          href={`https://explorer.solana.com/${kind}/${text}${network === 'devnet' ? '?cluster=devnet' : ''}`}
          target="_blank"
          rel="noreferrer"
          aria-label={
            kind === 'tx' ? t('View transaction in the explorer') : t('View address in the explorer')
          }
          ms={6}
        >
          <Icon name="external" size={14} />
        </Anchor>
      )}
    </>
  );
}
