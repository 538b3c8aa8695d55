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
import { t, tc } from '../words/t.ts';
import { useHistory } from './payment-timeline.tsx';

const VIAS: Record<NonNullable<PaymentIntent['paidVia']>, string> = {
  wallet: t('Wallet on the payment page'),
  transfer: t('Transfer'),
  x402: t('Program (x402)'),
  mpp: t('Program (MPP)'),
};

/** Facts about a payment, and links to what it belongs to. */
export function PaymentFacts({ intent }: { intent: PaymentIntent }) {
  const session = useCheckoutOf(intent.id);
  const { status, terminalId, paidVia } = intent;
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Received'), <Money key="m" cents={intent.amountReceivedCents} />],
            [t('Waived'), BigInt(intent.waivedCents) > 0n && <Money key="w" cents={intent.waivedCents} />],
            [t('Order'), intent.orderId],
            ...(session ? checkoutLinks(session) : []),
            [
              t('Checkout'),
              session && (
                <To key="c" to={`/checkout-sessions/${session.id}`}>
                  {t('View checkout')}
                </To>
              ),
            ],
            [
              t('Terminal'),
              terminalId && (
                <To key="t" to={`/terminals/${terminalId}`}>
                  {t('View terminal')}
                </To>
              ),
            ],
            [t('Paid via'), paidVia && VIAS[paidVia]],
            [t('Created'), <Time key="cr" at={intent.createdAt} />],
            [t('Expires'), status !== 'succeeded' && <Time key="e" at={intent.expiresAt} />],
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
        [t('Payment ID'), intent.id],
        ...(data ? transactionFacts(data) : []),
        [t('Paid from'), addressOf(intent.payerAddress, t('wallet'))],
        [t('Paid to'), addressOf(intent.destinationAddress, t('payout address'))],
        [t('Reference'), addressOf(intent.referenceAddress, t('reference'))],
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
    transactions.length === 1 ? t('Transaction') : t('Transaction {number}', { number: at + 1 }),
    <span key={txSignature}>
      <OnChain kind="tx" text={txSignature} label={t('transaction')} /> <Money cents={amountCents} />
      {!isFinal && `, ${tc('state', 'not final yet')}`}
    </span>,
  ]);
}
