import type { Refund } from '@florin/sdk';
import { Alert, Group, Text, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { Section } from '../parts/detail-screen.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';
import { ClaimLinkButton } from './claim-link.tsx';
import { OPEN_SOURCES, SOURCES } from './reasons.ts';

const approval = (refund: Refund, addressOf: (typed: string) => string) => ({
  run: (given: { text(name: string): string }) =>
    florin.refunds.approveAddress(refund.id, { address: addressOf(given.text('address')) }),
  done: t('Address approved. The refund is ready to send.'),
  refresh: ['refunds'],
});

/** Section on the refund's address: who named it, and what is still to be decided about it. */
export function RefundAddress({ refund }: { refund: Refund }) {
  const can = useCan();
  const { status, address, addressSource } = refund;
  const isOpen = status === 'awaiting_address';
  return (
    <Section title={t('Address')}>
      {address === null ? (
        <Text size="sm">{isOpen ? t('None yet.') : t('None was named.')}</Text>
      ) : (
        <>
          <Copyable text={address} label={t('address')} short={false} />
          <Text size="sm" c="dimmed">
            {addressSource && (isOpen ? OPEN_SOURCES : SOURCES)[addressSource]}
          </Text>
          <PayerNote refund={refund} />
        </>
      )}
      {isOpen && can.own && (
        <Group gap="xs" mt="sm">
          {address === null ? <Named refund={refund} /> : <Approve refund={refund} address={address} />}
          <ClaimLinkButton refund={refund} />
        </Group>
      )}
    </Section>
  );
}

function PayerNote({ refund: { address, payerAddress, payerKind } }: { refund: Refund }) {
  if (payerAddress === null || payerAddress === address) return null;
  const payer = <code>{payerAddress}</code>;
  return (
    <Alert color="orange" mt="xs" maw={640} role="note" style={{ overflowWrap: 'anywhere' }}>
      {payerKind === 'wallet' ? (
        <T
          of="This is not the wallet that paid. The payment came from {address}, which may belong to an exchange."
          address={payer}
        />
      ) : (
        <NotAWallet kind={payerKind} payer={payer} />
      )}
    </Alert>
  );
}

/** The payment came from where no money may be sent back to. */
function NotAWallet({ kind, payer }: { kind: Refund['payerKind']; payer: ReactNode }) {
  return kind === 'exchange' ? (
    <T
      of="The payment came from {address}, a wallet of an exchange that many customers share. Money sent there is lost to your customer: ask them for an address of their own."
      address={payer}
    />
  ) : (
    <T
      of="The payment came from {address}, which belongs to a program such as a swap, a bridge or a multisig. Money sent there may be lost: ask your customer for an address of their own."
      address={payer}
    />
  );
}

function Approve({ refund, address }: { refund: Refund; address: string }) {
  return (
    <ActionDialogButton
      label={t('Approve address')}
      explanation={
        <T
          of="The customer named {address}. Money sent there cannot be called back, and the address cannot be changed afterwards."
          address={<code>{address}</code>}
        />
      }
      action={approval(refund, () => address)}
    />
  );
}

/**
 * Buttons to name an address before the customer has named one: the merchant may know it, and the chain may know who
 * paid.
 */
function Named({ refund }: { refund: Refund }) {
  const { payerAddress, payerKind } = refund;
  return (
    <>
      <ActionDialogButton
        label={t('Enter an address')}
        submit={t('Use this address')}
        button={{ variant: 'default' }}
        explanation={t('The wallet that the customer told you. Money sent to a wrong one is lost.')}
        action={approval(refund, (typed) => typed)}
      >
        <TextInput
          label={t('Solana address')}
          name="address"
          autoComplete="off"
          spellCheck={false}
          required
        />
      </ActionDialogButton>
      {payerAddress && payerKind !== 'wallet' && (
        <Text size="sm" w="100%" maw={640} style={{ overflowWrap: 'anywhere' }}>
          <NotAWallet kind={payerKind} payer={<code>{payerAddress}</code>} />
        </Text>
      )}
      {payerAddress && payerKind === 'wallet' && (
        <ActionDialogButton
          label={t('Use the wallet that paid')}
          submit={t('Use this address')}
          button={{ variant: 'default' }}
          explanation={
            <T
              of="The payment came from {address}. If that wallet belongs to an exchange, the exchange keeps the money. Choose it only where the customer says that the wallet is their own."
              address={<code>{payerAddress}</code>}
            />
          }
          action={approval(refund, () => payerAddress)}
        />
      )}
    </>
  );
}
