import type { Customer } from '@florin/sdk';
import { Alert, Button, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { CustomerField } from '../billing/customer-field.tsx';
import { CustomerLink, customerText } from '../billing/names.tsx';
import { FormDialog } from '../parts/form-dialog.tsx';
import { T } from '../words/rich.tsx';
import { t } from '../words/t.ts';

interface MergeCustomerProps {
  customer: Customer;
  onDone(into: Customer): void;
}

/** Dialog to merge a customer who was written down twice. */
export function MergeCustomer({ customer, onDone }: MergeCustomerProps) {
  const [isOpen, setOpen] = useState(false);
  const [into, choose] = useState<Customer>();
  const action = useAction<void, Customer>({
    run: () => florin.customers.merge(customer.id, { intoCustomerId: into!.id }),
    refresh: ['customers', 'checkout-sessions', 'subscriptions', 'invoices', 'balance-entries', 'usage'],
    onDone() {
      setOpen(false);
      onDone(into!);
    },
    showsError: true,
  });
  const open = () => {
    action.reset();
    choose(undefined);
    setOpen(true);
  };
  return (
    <>
      <Button size="xs" variant="default" onClick={open}>
        {t('Merge')}
      </Button>
      <FormDialog
        title={t('Merge')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={t('Merge customers')}
        isDangerous
        isBusy={action.isPending}
        isBlocked={into === undefined}
        error={action.error}
        onSubmit={() => action.mutate()}
      >
        <Text size="sm">
          {t(
            '{customer} and the customer you choose become one person: with the details of the customer you choose, one balance, and a portal that shows everything of both. What was sold stays as it is. This can’t be undone.',
            { customer: customerText(customer) },
          )}
        </Text>
        <CustomerField chosen={into} onChange={choose} />
      </FormDialog>
    </>
  );
}

/** Shown for a customer who is another one by now. */
export function MergedNotice({ intoId }: { intoId: string }) {
  return (
    <Alert mb="md">
      <T
        of="This customer was merged into {customer}, who has the details and the balance."
        customer={<CustomerLink id={intoId} />}
      />
    </Alert>
  );
}
