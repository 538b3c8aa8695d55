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
import { t } from '../words/t.ts';

/** Facts about a subscription, and links to what it belongs to. */
export function SubscriptionFacts({ subscription }: { subscription: Subscription }) {
  const { priceId, latestInvoiceId, accessUntil, trialEndsAt, currentPeriodStart, currentPeriodEnd } =
    subscription;
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [t('Customer'), <CustomerLink key="c" id={subscription.customerId} />],
            [
              t('Plan'),
              <To key="p" to={`/catalog/prices/${priceId}`}>
                <PriceName id={priceId} />
              </To>,
            ],
            [t('Quantity'), numberText(subscription.quantity)],
            [t('Access'), subscription.hasAccess ? t('Yes') : t('No')],
            [t('Access until'), accessUntil && <Time key="au" at={accessUntil} />],
            [
              subscription.status === 'trialing' ? t('Trial ends') : t('Trial ended'),
              trialEndsAt && <Time key="te" at={trialEndsAt} />,
            ],
            [t('Period start'), currentPeriodStart && <Time key="pb" at={currentPeriodStart} />],
            [t('Period end'), currentPeriodEnd && <Time key="pe" at={currentPeriodEnd} />],
            [t('Latest invoice'), latestInvoiceId && <InvoiceLink key="li" id={latestInvoiceId} />],
            [t('Reference'), subscription.merchantReference],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Subscription ID'), subscription.id],
          [t('Price ID'), priceId],
          [t('Your customer ID'), subscription.externalCustomerId],
          [t('Client reference'), subscription.clientReferenceId],
          [t('Success URL'), subscription.successUrl],
          [t('Cancel URL'), subscription.cancelUrl],
          [t('Project'), <ProjectLink key="pr" id={subscription.projectId} />],
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
