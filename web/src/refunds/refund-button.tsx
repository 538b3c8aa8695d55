import type { Refund } from '@florin/sdk';
import { Button, type ButtonProps } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { FormDialog } from '../parts/form-dialog.tsx';
import type { FormValues } from '../parts/form-values.ts';
import { moneyText } from '../parts/money.tsx';
import { Failed, Loading } from '../parts/states.tsx';
import { t, tc } from '../words/t.ts';
import { ClaimLink } from './claim-link.tsx';
import { RefundFields } from './refund-fields.tsx';
import { bodyOf, readRefundable, type Source } from './refundable.ts';

export const REFUND_REFRESH = ['refunds', 'exceptions', 'intents', 'invoices', 'overview'];

interface RefundButtonProps {
  of: Source;
  /** A link that is shown once outlives the button that asked for it. */
  isOffered?: boolean;
  /** Says more than the word does, where the same word is in many rows. */
  label?: string;
  button?: ButtonProps;
}

interface Created {
  refund: Refund;
  claimUrl: string | undefined;
}

/** Promises money back, for owners. Where to is asked here, or of the customer by a link. */
export function RefundButton({ of, isOffered = true, label, button }: RefundButtonProps) {
  const can = useCan();
  const navigate = useNavigate();
  const [isOpen, setOpen] = useState(false);
  const [openings, setOpenings] = useState(0);
  const [created, setCreated] = useState<Created>();
  const show = ({ refund }: Created) => void navigate({ to: `/refunds/${refund.id}` });
  const action = useAction<FormValues, Created>({
    run: (given) => create(of, given, amountWithin(given, data?.leftCents ?? 0n)),
    refresh: REFUND_REFRESH,
    showsError: true,
    onDone(result) {
      setOpen(false);
      if (result.claimUrl) setCreated(result);
      else show(result);
    },
  });
  const { data, error } = useQuery({
    // Read again whenever the dialog opens: what is left may have changed.
    queryKey: ['refunds', 'left', bodyOf(of), openings],
    queryFn: () => readRefundable(of),
    enabled: isOpen,
    gcTime: 0,
  });
  const open = () => {
    action.reset();
    setOpenings(openings + 1);
    setOpen(true);
  };
  if (!can.own) return null;
  return (
    <>
      {isOffered && (
        <Button size="xs" variant="default" {...button} onClick={open} aria-label={label}>
          {tc('action', 'Refund')}
        </Button>
      )}
      <FormDialog
        title={tc('action', 'Refund')}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        submit={t('Create refund')}
        isBusy={action.isPending}
        isBlocked={!data || data.leftCents === 0n}
        error={action.error}
        onSubmit={(given) => action.mutate(given)}
      >
        {error ? (
          <Failed error={error} />
        ) : data ? (
          <RefundFields of={of} left={data} />
        ) : (
          <Loading lines={4} />
        )}
      </FormDialog>
      <ClaimLink url={created?.claimUrl} onClose={() => created && show(created)} />
    </>
  );
}

function amountWithin(given: FormValues, leftCents: bigint): bigint {
  const cents = given.money('amount', t('Amount'));
  if (cents > 0n && cents <= leftCents) return cents;
  throw new Error(t('Amount: enter at least 0.01 and at most {most}.', { most: moneyText(leftCents) }));
}

async function create(of: Source, given: FormValues, amountCents: bigint): Promise<Created> {
  const address = given.optional('address');
  const refund = await florin.refunds.create({
    ...bodyOf(of),
    amountCents,
    reason: given.text('reason') as Refund['reason'],
    note: given.optional('note'),
    address,
    notifyCustomer: given.isOn('notifyCustomer'),
    effects: {
      revokeCredits: given.isOn('revokeCredits'),
      cancelSubscription: given.isOn('cancelSubscription'),
    },
  });
  // A new link would end the one that is e-mailed.
  if (address !== null || given.isOn('notifyCustomer')) return { refund, claimUrl: undefined };
  // The refund exists whatever becomes of its link: its own screen makes another.
  const link = await florin.refunds.createClaimLink(refund.id).catch(() => undefined);
  return { refund, claimUrl: link?.url };
}
