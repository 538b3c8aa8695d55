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
import { LinkQr } from './link-qr.tsx';
import { productQuery, useSold } from './use-sold.ts';

export default function PaymentLinkScreen() {
  return (
    <DetailScreen
      name="payment-links"
      load={loadNamed}
      back={{ to: '/payment-links', label: 'Payment links' }}
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
    <Section title="Share">
      <Group align="start" gap="xl">
        <LinkQr url={link.url} />
        <div>
          <Copyable text={link.url} label="link" short={false} />
          <Text c="dimmed" size="sm" my="xs" maw={380}>
            Send it, put it on your site or print the QR code. Anyone with the link can pay.
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
            Open page
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
      title="Checkouts"
      name="checkout-sessions"
      of={of}
      load={(limit) => florin.checkoutSessions.list({ ...of, limit })}
      columns={SESSION_COLUMNS}
      hrefOf={({ id }) => `/checkout-sessions/${id}`}
      all={{ to: '/checkout-sessions', search: of }}
      empty="Nobody has opened it to pay yet."
    />
  );
}

function LinkFacts({ link }: { link: PaymentLink }) {
  const { product } = useSold(link);
  return (
    <>
      <Section title="Details">
        <Facts
          of={[
            [
              'Product',
              <To key="p" to={`/catalog/${link.productId}`}>
                {product?.name ?? '…'}
              </To>,
            ],
            ['Payments', paymentsText(link)],
            ['Expires', link.expiresAt && <Time key="e" at={link.expiresAt} />],
            ['Created', <Time key="c" at={link.createdAt} />],
          ]}
        />
      </Section>
      <DeveloperDetails
        of={[
          ['Link ID', link.id],
          ['Product ID', link.productId],
          ['Price ID', link.priceId],
          ['Project', <ProjectLink key="pr" id={link.projectId} />],
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
  if (maxPayments) return `Paid ${paymentsCount} of ${maxPayments} times`;
  return paymentsCount === 1 ? 'Paid once' : `Paid ${paymentsCount} times`;
}

const paymentsText = ({ paymentsCount, maxPayments }: PaymentLink) =>
  `${paymentsCount}${maxPayments ? ` of ${maxPayments}` : ''}`;

function openAmountText({ minCents, maxCents }: NonNullable<PaymentLink['openAmount']>): string {
  const most = maxCents === null ? '' : ` to ${moneyText(maxCents)}`;
  return `Customers choose: from ${moneyText(minCents)}${most} USDC`;
}

function SwitchButton({ link }: { link: PaymentLink }) {
  const can = useCan();
  const isActive = link.status === 'active';
  const change = useAction({
    run: () => florin.paymentLinks.update(link.id, { status: isActive ? 'inactive' : 'active' }),
    done: isActive ? 'Link deactivated.' : 'Link activated.',
    refresh: ['payment-links'],
  });
  if (!can.change) return null;
  return (
    <Button size="xs" variant="default" onClick={() => change.mutate()} loading={change.isPending}>
      {isActive ? 'Deactivate' : 'Activate'}
    </Button>
  );
}
