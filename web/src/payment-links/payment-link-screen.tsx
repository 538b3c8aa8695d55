import type { PaymentLink } from '@florin/sdk';
import { Button, Group, Text } from '@mantine/core';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { queryClient } from '../app/query-client.ts';
import { useCan } from '../app/session.ts';
import { termsText } from '../billing/price-text.ts';
import { Copyable } from '../parts/copyable.tsx';
import { DetailScreen, Facts, Section } from '../parts/detail-screen.tsx';
import { Icon } from '../parts/icon.tsx';
import { MetadataSection } from '../parts/metadata-section.tsx';
import { moneyText } from '../parts/money.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { productQuery, useSold } from './link-name.tsx';
import { LinkQr } from './link-qr.tsx';

export default function PaymentLinkScreen() {
  return (
    <DetailScreen
      name="payment-links"
      load={loadNamed}
      back={{ to: '/payment-links', label: 'Payment links' }}
      title={({ title }) => title}
      badge={({ status }) => <Status of={status} />}
      actions={(link) => <SwitchButton link={link} />}
    >
      {(link) => <Details link={link} />}
    </DetailScreen>
  );
}

/** A link without a name is titled by its product. */
async function loadNamed(id: string): Promise<PaymentLink & { title: string }> {
  const link = await florin.paymentLinks.retrieve(id);
  return { ...link, title: link.name ?? (await queryClient.fetchQuery(productQuery(link.productId))).name };
}

function Details({ link }: { link: PaymentLink }) {
  const { product, price } = useSold(link);
  return (
    <>
      <Facts
        of={[
          ['Product', product?.name],
          ['Price', price && (link.openAmount ? openAmountText(link.openAmount) : termsText(price))],
          ['Payments', `${link.paymentsCount}${link.maxPayments ? ` of ${link.maxPayments}` : ''}`],
          ['Expires', <Time key="e" at={link.expiresAt} />],
          ['Created', <Time key="c" at={link.createdAt} />],
        ]}
      />
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
      <MetadataSection
        metadata={link.metadata}
        save={(metadata) => florin.paymentLinks.update(link.id, { metadata })}
        refresh={['payment-links']}
      />
    </>
  );
}

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
