import type { PaymentIntent, PaymentIntentHistory } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { useCheckoutOf } from '../billing/checkout-of.ts';
import { checkoutLinks } from '../checkout/checkout-links.tsx';
import { type Fact, Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Money } from '../parts/money.tsx';
import { OnChain } from '../parts/on-chain.tsx';
import { Time } from '../parts/time.tsx';
import { To } from '../parts/to.tsx';
import { useHistory } from './payment-timeline.tsx';

const VIAS: Record<NonNullable<PaymentIntent['paidVia']>, string> = {
  wallet: 'Wallet on the payment page',
  transfer: 'Transfer',
  x402: 'Program (x402)',
  mpp: 'Program (MPP)',
};

/** What is known of a payment, and what it belongs to. */
export function PaymentFacts({ intent }: { intent: PaymentIntent }) {
  const session = useCheckoutOf(intent.id);
  const { status, terminalId, paidVia } = intent;
  return (
    <>
      <Section title="Details">
        <Facts
          of={[
            ['Received', <Money key="m" cents={intent.amountReceivedCents} />],
            ['Waived', BigInt(intent.waivedCents) > 0n && <Money key="w" cents={intent.waivedCents} />],
            ['Order', intent.orderId],
            ...(session ? checkoutLinks(session) : []),
            [
              'Checkout',
              session && (
                <To key="c" to={`/checkout-sessions/${session.id}`}>
                  View checkout
                </To>
              ),
            ],
            [
              'Terminal',
              terminalId && (
                <To key="t" to={`/terminals/${terminalId}`}>
                  View terminal
                </To>
              ),
            ],
            ['Paid via', paidVia && VIAS[paidVia]],
            ['Created', <Time key="cr" at={intent.createdAt} />],
            ['Expires', status !== 'succeeded' && <Time key="e" at={intent.expiresAt} />],
          ]}
        />
      </Section>
      <OnChainFacts intent={intent} />
    </>
  );
}

/** Each transaction that paid toward it, and the addresses, where everybody can look them up. */
function OnChainFacts({ intent }: { intent: PaymentIntent }) {
  const { data } = useHistory(intent);
  return (
    <DeveloperDetails
      of={[
        ['Payment ID', intent.id],
        ...(data ? transactionFacts(data) : []),
        ['Paid from', addressOf(intent.payerAddress, 'wallet')],
        ['Paid to', addressOf(intent.destinationAddress, 'payout address')],
        ['Reference', addressOf(intent.referenceAddress, 'reference')],
      ]}
    >
      <MetadataSection
        metadata={intent.metadata}
        save={(metadata) => florin.intents.update(intent.id, { metadata })}
        refresh={['intents']}
      />
    </DeveloperDetails>
  );
}

const addressOf = (text: string | null, label: string) =>
  text && <OnChain kind="address" text={text} label={label} />;

function transactionFacts({ transactions }: PaymentIntentHistory): Fact[] {
  return transactions.map(({ txSignature, amountCents, isFinal }, at) => [
    transactions.length === 1 ? 'Transaction' : `Transaction ${at + 1}`,
    <span key={txSignature}>
      <OnChain kind="tx" text={txSignature} label="transaction" /> <Money cents={amountCents} />
      {!isFinal && ', not final yet'}
    </span>,
  ]);
}
