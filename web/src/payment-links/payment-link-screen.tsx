import type { PaymentLink } from '@florin/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { queryClient } from '../app/query-client.ts';
import { useCan } from '../app/session.ts';
import { termsText } from '../billing/price-text.ts';
import { ProjectLink } from '../billing/project-field.tsx';
import { SESSION_COLUMNS } from '../checkout/session-columns.tsx';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { DeveloperDetails } from '../parts/developer-details.tsx';
import { Dotted } from '../parts/dotted.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { moneyText } from '../parts/money.tsx';
import { ShortList } from '../parts/short-list.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { To } from '../parts/to.tsx';
import { t, tn } from '../words/t.ts';
import { LinkQr } from './link-qr.tsx';
import { paymentsText } from './payments-text.ts';
import { productQuery, useSold } from './use-sold.ts';

export default function PaymentLinkScreen() {
  return (
    <DetailScreen
      name="payment-links"
      load={loadNamed}
      back={{ to: '/payment-links', label: t('Payment links') }}
      title={({ title }) => title}
      subtitle={(link) => <Terms link={link} />}
      aside={(link) => <LinkFacts link={link} />}
      badge={({ status }) => <Status of={status} />}
      actions={(link) => <SwitchButton link={link} />}
    >
      {(link) => (
        <>
          <Share link={link} />
          <Checkouts link={link} />
        </>
      )}
    </DetailScreen>
  );
}

/** A link without a name is titled by its product. */
async function loadNamed(id: string): Promise<PaymentLink & { title: string }> {
  const link = await florin.paymentLinks.retrieve(id);
  return { ...link, title: link.name ?? (await queryClient.fetchQuery(productQuery(link.productId))).name };
}

function Share({ link }: { link: PaymentLink }) {
  return (
    <Section title={t('Share')}>
      <Group align="start" gap="xl">
        <LinkQr url={link.url} />
        <div>
          <Copyable text={link.url} label={t('link')} short={false} />
          <Text c="dimmed" size="sm" my="xs" maw={380}>
            {t('Send it, put it on your site or print the QR code. Anyone with the link can pay.')}
          </Text>
          <Button
            component="a"
            href={link.url}
            target="_blank"
            rel="noreferrer"
            variant="default"
            size="xs"
            rightSection={<Icon name="external" size={14} />}
          >
            {t('Open page')}
          </Button>
        </div>
      </Group>
    </Section>
  );
}

function Checkouts({ link }: { link: PaymentLink }) {
  const of = { paymentLinkId: link.id };
  return (
    <ShortList
      title={t('Checkouts')}
      name="checkout-sessions"
      of={of}
      load={(limit) => florin.checkoutSessions.list({ ...of, limit })}
      columns={SESSION_COLUMNS}
      hrefOf={({ id }) => `/checkout-sessions/${id}`}
      all={{ to: '/checkout-sessions', search: of }}
      empty={t('Nobody has opened it to pay yet.')}
    />
  );
}

function LinkFacts({ link }: { link: PaymentLink }) {
  const { product } = useSold(link);
  return (
    <>
      <Section title={t('Details')}>
        <Facts
          of={[
            [
              t('Product'),
              <To key="p" to={`/catalog/${link.productId}`}>
                {product?.name ?? '…'}
              </To>,
            ],
            [t('Payments'), paymentsText(link)],
            [t('Expires'), link.expiresAt && <Time key="e" at={link.expiresAt} />],
            [t('Created'), <Time key="c" at={link.createdAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          [t('Link ID'), link.id],
          [t('Product ID'), link.productId],
          [t('Price ID'), link.priceId],
          [t('Project'), <ProjectLink key="pr" id={link.projectId} />],
        ]}
      >
        <MetadataSection
          metadata={link.metadata}
          save={(metadata) => florin.paymentLinks.update(link.id, { metadata })}
          refresh={['payment-links']}
        />
      </DeveloperDetails>
    </>
  );
}

function Terms({ link }: { link: PaymentLink }) {
  const { price } = useSold(link);
  const terms = price && (link.openAmount ? openAmountText(link.openAmount) : termsText(price));
  return <Dotted of={[terms, paidText(link)]} />;
}

function paidText({ paymentsCount, maxPayments }: PaymentLink): string {
  if (!maxPayments) return tn(paymentsCount, 'Paid once', 'Paid {count} times');
  return tn(maxPayments, 'Paid {paid} of {count} time', 'Paid {paid} of {count} times', {
    paid: paymentsCount,
  });
}

function openAmountText({ minCents, maxCents }: NonNullable<PaymentLink['openAmount']>): string {
  const least = moneyText(minCents);
  return maxCents === null
    ? t('Customers choose: from {least} USDC', { least })
    : t('Customers choose: from {least} to {most} USDC', { least, most: moneyText(maxCents) });
}

function SwitchButton({ link }: { link: PaymentLink }) {
  const can = useCan();
  const isActive = link.status === 'active';
  const change = useAction({
    run: () => florin.paymentLinks.update(link.id, { status: isActive ? 'inactive' : 'active' }),
    done: isActive ? t('Link deactivated.') : t('Link activated.'),
    refresh: ['payment-links'],
  });
  if (!can.change) return null;
  return (
    <Button size="xs" variant="default" onClick={() => change.mutate()} loading={change.isPending}>
      {isActive ? t('Deactivate') : t('Activate')}
    </Button>
  );
}
