import type { Customer, Invoice, UpdateInvoiceRequest } from '@florin/sdk';
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { CustomerField } from '../billing/customer-field.tsx';
import { DiscountField, discountOf } from '../discounts/discount-field.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { t, tn } from '../words/t.ts';
import { InvoiceLines, lineItemsOf } from './invoice-lines.tsx';

const ON_A_DATE = 'date';

interface NewInvoiceProps {
  /** Whom it is for, where that is known. */
  customer?: Customer;
  onDone(invoice: Invoice): void;
}

export function NewInvoice({ customer, onDone }: NewInvoiceProps) {
  return (
    <DialogForm
      button={t('New invoice')}
      icon="plus"
      kind={customer ? 'plain' : 'main'}
      submit={t('Create draft')}
      run={async (values) =>
        florin.invoices.create({
          projectId: values.text('projectId'),
          customerId: values.text('customerId'),
          lineItems: lineItemsOf(values),
          ...termsOf(values),
        })
      }
      refresh={['invoices']}
      done={t('Draft created. Check it, then open it.')}
      onDone={onDone}
    >
      {customer ? <FieldsFor customer={customer} /> : <NewInvoiceFields />}
    </DialogForm>
  );
}

export function EditDraft({ invoice }: { invoice: Invoice }) {
  return (
    <DialogForm
      button={t('Edit')}
      title={t('Edit draft')}
      submit={t('Save')}
      run={async (values) =>
        florin.invoices.update(invoice.id, { lineItems: lineItemsOf(values), ...termsOf(values) })
      }
      refresh={['invoices']}
      done={t('Draft saved.')}
    >
      <InvoiceLines projectId={invoice.projectId} items={invoice.draft?.lineItems ?? []} />
      <Terms invoice={invoice} projectId={invoice.projectId} />
    </DialogForm>
  );
}

function FieldsFor({ customer }: { customer: Customer }) {
  return (
    <>
      <input type="hidden" name="projectId" value={customer.projectId} />
      <input type="hidden" name="customerId" value={customer.id} />
      <InvoiceLines projectId={customer.projectId} items={[]} />
      <Terms projectId={customer.projectId} />
    </>
  );
}

/** The customer decides about the project. */
function NewInvoiceFields() {
  const [customer, setCustomer] = useState<Customer>();
  return (
    <>
      <CustomerField chosen={customer} onChange={setCustomer} />
      <input type="hidden" name="projectId" value={customer?.projectId ?? ''} />
      <InvoiceLines projectId={customer?.projectId} items={[]} />
      <Terms projectId={customer?.projectId} />
    </>
  );
}

function Terms({ invoice, projectId }: { invoice?: Invoice; projectId: string | undefined }) {
  const netDays = String(invoice?.draft?.netDays ?? 30);
  const [due, setDue] = useState(invoice?.dueAt ? ON_A_DATE : netDays);
  const days = [...new Set(['7', '14', '30', '60', '90', netDays])].sort((a, b) => Number(a) - Number(b));
  return (
    <>
      <NativeSelect
        label={t('Due')}
        name="due"
        value={due}
        onChange={(event) => setDue(event.currentTarget.value)}
        data={[
          ...days.map((count) => ({
            value: count,
            label: tn(count, '{count} day after it is opened', '{count} days after it is opened'),
          })),
          { value: ON_A_DATE, label: t('On a date') },
        ]}
      />
      {due === ON_A_DATE && (
        <TextInput
          label={t('Due date')}
          name="dueAt"
          type="date"
          defaultValue={invoice?.dueAt ? isoDay(invoice.dueAt) : ''}
          required
        />
      )}
      <DiscountField projectId={projectId} draft={invoice?.draft} />
      <Textarea
        label={t('Note to the customer')}
        description={t('On the payment page, the PDF and in the e-mail. Optional.')}
        name="memo"
        maxLength={1000}
        autosize
        minRows={2}
        defaultValue={invoice?.memo ?? ''}
      />
      <TextInput
        label={t('Reference')}
        description={t('Such as an order number. Optional.')}
        name="merchantReference"
        maxLength={255}
        defaultValue={invoice?.merchantReference ?? ''}
      />
      <Checkbox
        label={t('Send by e-mail when it is opened')}
        name="send"
        defaultChecked={invoice?.draft?.send ?? false}
      />
    </>
  );
}

const isoDay = (at: Date | string) => new Date(at).toISOString().slice(0, 10);

/** A due date is the end of that day, in UTC as on the PDF. */
function termsOf(values: FormValues): Omit<UpdateInvoiceRequest, 'lineItems' | 'metadata'> {
  const due = values.text('due');
  return {
    ...(due === ON_A_DATE
      ? { dueAt: new Date(`${values.text('dueAt')}T23:59:59Z`) }
      : { netDays: Number(due) }),
    ...discountOf(values),
    memo: values.optional('memo'),
    merchantReference: values.optional('merchantReference'),
    send: values.isOn('send'),
  };
}
