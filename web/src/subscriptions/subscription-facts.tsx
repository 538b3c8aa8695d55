import type { Subscription } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { CustomerLink, InvoiceLink, PriceName } from '../billing/names.tsx';
import { numberText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { Time } from '../parts/time.tsx';
import { To } from '../parts/to.tsx';

/** What is known of a subscription, and what it belongs to. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { priceId, latestInvoiceId, accessUntil, trialEndsAt, currentPeriodStart, currentPeriodEnd } =
    subscription;
  return (
    <>
      <Section title="Details">
        <Facts
          of={[
            ['Customer', <CustomerLink key="c" id={subscription.customerId} />],
            [
              'Plan',
              <To key="p" to={`/catalog/prices/${priceId}`}>
                <PriceName id={priceId} />
              </To>,
            ],
            ['Quantity', numberText(subscription.quantity)],
            ['Access', subscription.hasAccess ? 'Yes' : 'No'],
            ['Access until', accessUntil && <Time key="au" at={accessUntil} />],
            [
              subscription.status === 'trialing' ? 'Trial ends' : 'Trial ended',
              trialEndsAt && <Time key="te" at={trialEndsAt} />,
            ],
            ['Period start', currentPeriodStart && <Time key="pb" at={currentPeriodStart} />],
            ['Period end', currentPeriodEnd && <Time key="pe" at={currentPeriodEnd} />],
            ['Latest invoice', latestInvoiceId && <InvoiceLink key="li" id={latestInvoiceId} />],
            ['Reference', subscription.merchantReference],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          ['Subscription ID', subscription.id],
          ['Price ID', priceId],
          ['Your customer ID', subscription.externalCustomerId],
          ['Client reference', subscription.clientReferenceId],
          ['Success URL', subscription.successUrl],
          ['Cancel URL', subscription.cancelUrl],
          ['Project', <ProjectLink key="pr" id={subscription.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={subscription.metadata}
          save={(metadata) => florin.subscriptions.update(subscription.id, { metadata })}
          refresh={['subscriptions']}
        />
      </DeveloperDetails>
    </>
  );
}
