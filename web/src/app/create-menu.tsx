import { Button } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from '@tanstack/react-router';
import { type ComponentType, lazy, Suspense, useState } from 'react';
import { Icon, type IconName } from '../parts/icon.tsx';
import { OpenedAtOnce } from '../parts/opened-at-once.ts';
import { t, tc } from '../words/t.ts';
import { LateMenu } from './late-menu.tsx';
import styles from './layout.module.css';
import { useCan } from './session.ts';

type Creator = ComponentType<{ onDone(made: { id: string }): void }>;

interface Creatable {
  label: string;
  icon: IconName;
  /** Path below which a new object is shown. */
  base: string;
  Dialog: Creator;
}

/** Each dialog is the one of its own list, fetched when it is first needed. */
const creator = (load: () => Promise<Creator>) => lazy(async () => ({ default: await load() }));

const CREATABLE: readonly Creatable[] = [
  {
    label: t('Payment link'),
    icon: 'links',
    base: '/payment-links',
    Dialog: creator(async () => (await import('../payment-links/create-link-button.tsx')).CreateLinkButton),
  },
  {
    label: t('Invoice'),
    icon: 'invoices',
    base: '/invoices',
    Dialog: creator(async () => (await import('../invoices/invoice-form.tsx')).NewInvoice),
  },
  {
    label: t('Checkout'),
    icon: 'checkout',
    base: '/checkout-sessions',
    Dialog: creator(async () => (await import('../checkout/new-session.tsx')).NewSession),
  },
  {
    label: t('Customer'),
    icon: 'customers',
    base: '/customers',
    Dialog: creator(async () => (await import('../customers/customer-forms.tsx')).NewCustomer),
  },
  {
    label: t('Product'),
    icon: 'catalog',
    base: '/catalog',
    Dialog: creator(async () => (await import('../catalog/product-forms.tsx')).NewProduct),
  },
  {
    label: t('Discount'),
    icon: 'discounts',
    base: '/discounts',
    Dialog: creator(async () => (await import('../discounts/new-discount.tsx')).NewDiscount),
  },
];

/** Makes anything from anywhere. */
export function CreateMenu() {
  const can = useCan();
  const navigate = useNavigate();
  const [chosen, setChosen] = useState<Creatable>();
  if (!can.change) return null;
  const close = () => {
    setChosen(undefined);
    document.querySelector<HTMLElement>('[data-create]')?.focus();
  };
  const refund = () => {
    void navigate({ to: '/payments', search: { status: 'succeeded' } as never });
    notifications.show({ message: t('Open the payment to refund, then choose Refund.') });
  };
  return (
    <>
      <LateMenu
        button={
          <Button
            size="xs"
            variant="default"
            className={styles.create}
            leftSection={<Icon name="plus" />}
            aria-label={t('Create')}
            data-create
          >
            <span>{t('Create')}</span>
          </Button>
        }
        width={200}
        items={() => [
          ...CREATABLE.map((one) => ({ label: one.label, icon: one.icon, run: () => setChosen(one) })),
          ...(can.own ? [{ label: tc('noun', 'Refund'), icon: 'refunds' as const, run: refund }] : []),
        ]}
      />
      {chosen && (
        <OpenedAtOnce value={{ onClose: close }}>
          <Suspense>
            <chosen.Dialog onDone={({ id }) => void navigate({ to: `${chosen.base}/${id}` })} />
          </Suspense>
        </OpenedAtOnce>
      )}
    </>
  );
}
