import type { Invoice } from '@florin/sdk';
import { useNavigate } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { t, tc } from '../words/t.ts';
import { EditDraft } from './invoice-form.tsx';

/** Buttons for a manual invoice. */
export function InvoiceActions({ invoice }: { invoice: Invoice }) {
  const can = useCan();
  if (!can.change || invoice.billingReason !== 'manual') return null;
  if (invoice.status === 'draft') return <DraftActions invoice={invoice} />;
  return invoice.status === 'open' ? <OpenActions invoice={invoice} /> : null;
}

const REFRESH = ['invoices', 'checkout-sessions'];

function DraftActions({ invoice: { id, draft, ...invoice } }: { invoice: Invoice }) {
  const navigate = useNavigate();
  return (
    <>
      <ActionDialogButton
        label={tc('action', 'Open invoice')}
        explanation={
          draft?.send
            ? t('It gets its number, and its content can no longer change. The customer gets it by e-mail.')
            : t(
                'It gets its number, and its content can no longer change. Then send the customer the payment link.',
              )
        }
        action={{ run: () => florin.invoices.open(id), refresh: REFRESH, done: t('Invoice opened.') }}
      />
      <EditDraft invoice={{ id, draft, ...invoice }} />
      <ActionDialogButton
        label={t('Delete draft')}
        explanation={t('The draft is deleted. It has no number, so nothing is missing.')}
        isDangerous
        action={{
          run: () => florin.invoices.delete(id),
          refresh: ['invoices'],
          done: t('Draft deleted.'),
          onDone: () => void navigate({ to: '/invoices' }),
        }}
      />
    </>
  );
}

function OpenActions({ invoice: { id, amountPaidCents, sentAt } }: { invoice: Invoice }) {
  return (
    <>
      <ActionDialogButton
        label={sentAt === null ? t('Send by e-mail') : t('Send again')}
        submit={t('Send')}
        explanation={t('The customer gets an e-mail with the PDF and the payment link.')}
        button={{ variant: 'default' }}
        action={{
          run: () => florin.invoices.send(id),
          refresh: REFRESH,
          done: t('The e-mail is on its way.'),
        }}
      />
      <ActionDialogButton
        label={tc('action', 'Void')}
        submit={t('Void invoice')}
        explanation={
          BigInt(amountPaidCents) === 0n
            ? t('It keeps its number, and nothing is owed. This can’t be undone.')
            : t(
                'It keeps its number, and nothing more is owed. What was paid becomes the customer’s account credit and is listed under Exceptions, where you can refund it. This can’t be undone.',
              )
        }
        isDangerous
        action={{
          run: () => florin.invoices.void(id),
          refresh: [...REFRESH, 'exceptions', 'customers'],
          done: t('Invoice voided.'),
        }}
      />
    </>
  );
}
