import { Anchor } from '@mantine/core';
import { useSession } from '../app/session.ts';
import { Copyable } from './copyable.tsx';
import { Icon } from './icon.tsx';

/** An address or a transaction: to copy, and to look at where others can see it too. */
export function OnChain({ kind, text, label }: { kind: 'address' | 'tx'; text: string; label: string }) {
  const { network } = useSession();
  return (
    <>
      <Copyable text={text} label={label} />
      {network !== 'sandbox' && (
        <Anchor
          href={`https://explorer.solana.com/${kind}/${text}${network === 'devnet' ? '?cluster=devnet' : ''}`}
          target="_blank"
          rel="noreferrer"
          aria-label={`View ${label} in the explorer`}
          ml={6}
        >
          <Icon name="external" size={14} />
        </Anchor>
      )}
    </>
  );
}
