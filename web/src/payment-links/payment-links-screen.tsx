import type { ExpandedPaymentLink, PaymentLinksListQuery } from '@florin/sdk';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { termsText } from '../billing/price-text.ts';
import { Copyable } from '../parts/copyable.tsx';
import { type Column, createdRange, DATE_FILTERS, type Filter, ListScreen } from '../parts/list-screen.tsx';
import { Empty } from '../parts/states.tsx';
import { Status } from '../parts/status.tsx';
import { Time } from '../parts/time.tsx';
import { t } from '../words/t.ts';
import { CreateLinkButton } from './create-link-button.tsx';
import { paymentsText } from './payments-text.ts';

const FILTERS: readonly Filter[] = [
  { kind: 'choice', name: 'status', label: t('Status'), options: ['active', 'inactive'] },
  ...DATE_FILTERS,
];

const COLUMNS: readonly Column<ExpandedPaymentLink>[] = [
  { title: t('Product'), cell: linkText, share: '60%' },
  { title: t('Status'), cell: ({ status }) => <Status of={status} /> },
  { title: t('Link'), cell: ({ url }) => <Copyable text={url} label={t('link')} />, wideOnly: true },
  {
    title: t('Payments'),
    cell: paymentsText,
    align: 'right',
  },
  { title: t('Created'), cell: ({ createdAt }) => <Time at={createdAt} />, align: 'right', wideOnly: true },
];

function linkText({ name, price }: ExpandedPaymentLink): string {
  const title = name ?? price?.product?.name ?? t('Product');
  return price ? `${title}, ${termsText(price)}` : title;
}

export default function PaymentLinksScreen() {
  const { change } = useCan();
  const create = change && <CreateLinkButton />;
  return (
    <ListScreen<ExpandedPaymentLink, PaymentLinksListQuery>
      title={t('Payment links')}
      name="payment-links"
      columns={COLUMNS}
      filters={FILTERS}
      query={(search) => ({
        status: search.status as PaymentLinksListQuery['status'],
        ...createdRange(search),
      })}
      load={(query) => florin.paymentLinks.list({ ...query, expand: 'price.product' })}
      loadCsv={(query) => florin.paymentLinks.listCsv(query)}
      hrefOf={({ id }) => `/payment-links/${id}`}
      actions={create}
      empty={
        <Empty title={t('Sell without code')} action={create}>
          {t(
            'A payment link is a page you can share or print as a QR code. The product, its price and the link are created in one step.',
          )}
        </Empty>
      }
    />
  );
}
