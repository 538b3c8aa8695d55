import type { Customer } from '@florin/sdk';
import { NativeSelect, Radio, Stack, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { requireMoney } from '../parts/money.tsx';
import { t } from '../words/t.ts';
import { TaxData, taxDataOf } from './tax-data.tsx';

export function NewCustomer({ onDone }: { onDone(customer: Customer): void }) {
  return (
    <DialogForm
      button={t('New customer')}
      icon="plus"
      kind="main"
      submit={t('Create customer')}
      run={async (values) =>
        florin.customers.create({
          projectId: values.text('projectId'),
          externalCustomerId: values.optional('externalCustomerId'),
          ...personOf(values),
        })
      }
      refresh={['customers']}
      onDone={onDone}
    >
      <ProjectField />
      <TextInput
        label={t('Your customer ID')}
        description={t('Your ID for this customer. Can’t be changed later. Optional.')}
        name="externalCustomerId"
        maxLength={255}
        data-autofocus
      />
      <PersonFields />
    </DialogForm>
  );
}

export function EditCustomer({ customer }: { customer: Customer }) {
  return (
    <DialogForm
      button={t('Edit')}
      title={t('Edit customer')}
      submit={t('Save')}
      run={async (values) => florin.customers.update(customer.id, values.changed(personOf))}
      refresh={['customers']}
      done={t('Customer saved.')}
    >
      <PersonFields customer={customer} />
    </DialogForm>
  );
}

const personOf = (values: FormValues) => ({
  name: values.optional('name'),
  email: values.optional('email'),
  language: values.optional('language'),
  ...taxDataOf(values),
});

function PersonFields({ customer }: { customer?: Customer }) {
  return (
    <>
      <TextInput
        label={t('Name')}
        name="name"
        maxLength={255}
        defaultValue={customer?.name ?? ''}
        autoComplete="off"
      />
      <TextInput
        label={t('E-mail')}
        name="email"
        type="email"
        maxLength={254}
        defaultValue={customer?.email ?? ''}
        autoComplete="off"
      />
      <TextInput
        label={t('Language')}
        description={t(
          'Language for e-mails to this customer, e.g. en or de-AT. Leave blank for the default.',
        )}
        name="language"
        maxLength={35}
        defaultValue={customer?.language ?? ''}
      />
      <TaxData customer={customer} />
    </>
  );
}

/** Adds to or deducts from one of the two balances; the reason is stored with the entry. */
export function AdjustBalance({ customer }: { customer: Customer }) {
  return (
    <DialogForm
      button={t('Adjust')}
      title={t('Adjust balance')}
      submit={t('Adjust')}
      run={async (values) => {
        const reason = values.text('reason');
        const sign = values.text('direction') === 'take' ? -1n : 1n;
        if (values.text('balance') === 'money') {
          const deltaCents = sign * requireMoney(t('Amount'), values.text('amount'));
          return florin.customers.adjustBalance(customer.id, { deltaCents, reason });
        }
        const deltaCredits = sign * values.count('amount', t('Amount'));
        return florin.customers.adjustBalance(customer.id, { deltaCredits, reason });
      }}
      refresh={['customers', 'balance-entries']}
      done={t('Balance adjusted.')}
    >
      <NativeSelect
        label={t('Balance')}
        name="balance"
        data={[
          { value: 'credits', label: t('Prepaid credits (for usage)') },
          { value: 'money', label: t('Account credit in USDC (for the next renewal)') },
        ]}
      />
      <Radio.Group label={t('Action')} name="direction" defaultValue="add">
        <Stack gap={6} mt={4}>
          <Radio value="add" label={t('Add')} />
          <Radio value="take" label={t('Deduct')} />
        </Stack>
      </Radio.Group>
      <TextInput label={t('Amount')} name="amount" inputMode="decimal" required autoComplete="off" />
      <TextInput
        label={t('Reason')}
        description={t('Shown to the customer.')}
        name="reason"
        required
        maxLength={255}
      />
    </DialogForm>
  );
}
