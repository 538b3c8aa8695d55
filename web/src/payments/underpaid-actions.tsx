import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { moneyText } from '../parts/money.tsx';

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
          label="Accept as paid"
          explanation={`The order completes with ${moneyText(paidCents)} USDC, and ${moneyText(missingCents)} USDC is waived. If the rest still arrives, it’s listed under Exceptions. This can’t be undone.`}
          action={{
            run: async () => {
              await calls.accept(id);
            },
            done: 'Accepted as paid.',
            refresh: UNDERPAID_REFRESH,
          }}
        />
      )}
      {can.change && isPayable && (
        <ActionDialogButton
          label="Send reminder"
          explanation={`The customer gets an e-mail with the link to pay the remaining ${moneyText(missingCents)} USDC.`}
          button={{ variant: 'default' }}
          action={{
            run: async () => {
              await calls.remind(id);
            },
            done: 'The reminder is on its way.',
            refresh: ['invoices'],
          }}
        />
      )}
    </>
  );
}
