import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { moneyText } from '../parts/money.tsx';
import { t } from '../words/t.ts';

export const UNDERPAID_REFRESH = [
  'intents',
  'invoices',
  'checkout-sessions',
  'subscriptions',
  'customers',
  'exceptions',
  'overview',
  'stats',
];

interface UnderpaidActionsProps {
  of: { kind: 'payment' | 'invoice'; id: string };
  paidCents: number | bigint;
  missingCents: number | bigint;
  /** False for one that is too old to be paid. */
  isPayable?: boolean;
}

/** Actions for an underpaid payment: accept it as paid (owners only), or remind the customer of the rest. */
export function UnderpaidActions({
  of: { kind, id },
  paidCents,
  missingCents,
  isPayable = true,
}: UnderpaidActionsProps) {
  const can = useCan();
  const calls = kind === 'payment' ? florin.intents : florin.invoices;
  return (
    <>
      {can.own && (
        <ActionDialogButton
          label={t('Accept as paid')}
          explanation={t(
            'The order completes with {received} USDC, and {missing} USDC is waived. If the rest still arrives, it’s listed under Exceptions. This can’t be undone.',
            { received: moneyText(paidCents), missing: moneyText(missingCents) },
          )}
          action={{
            run: async () => {
              await calls.accept(id);
            },
            done: t('Accepted as paid.'),
            refresh: UNDERPAID_REFRESH,
          }}
        />
      )}
      {can.change && isPayable && (
        <ActionDialogButton
          label={t('Send reminder')}
          explanation={t('The customer gets an e-mail with the link to pay the remaining {missing} USDC.', {
            missing: moneyText(missingCents),
          })}
          button={{ variant: 'default' }}
          action={{
            run: async () => {
              await calls.remind(id);
            },
            done: t('The reminder is on its way.'),
            refresh: ['invoices'],
          }}
        />
      )}
    </>
  );
}
