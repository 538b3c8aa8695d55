import type { PaymentException } from '@florin/sdk';
import { Checkbox } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { florin } from '../app/florin.ts';
import { useSession } from '../app/session.ts';
import { t } from '../words/t.ts';

/** The customer who gets an e-mail if the money pays this order; null for nobody, undefined while it is not known. */
export function useReceiver(
  { amountCents }: PaymentException,
  paymentIntentId: string,
): string | null | undefined {
  const { sendsEmails } = useSession();
  const isAsked = sendsEmails && paymentIntentId !== '';
  const { data: session } = useQuery({
    queryKey: ['checkout-sessions', 'receiver', paymentIntentId],
    queryFn: async () => {
      const page = await florin.checkoutSessions.list({ paymentIntentId, limit: 1, expand: 'customer' });
      return page.data[0] ?? null;
    },
    enabled: isAsked,
    staleTime: 0,
  });
  if (!isAsked) return null;
  if (!session) return session;
  const { name, email } = session.customer ?? { name: session.customerName, email: session.customerEmail };
  const goods = BigInt(session.amountCents) - BigInt(session.tipCents);
  const isPaid = BigInt(session.amountReceivedCents) + BigInt(amountCents ?? 0) >= goods;
  if (!email || !isPaid) return null;
  return name ? `${name} <${email}>` : email;
}

/** Says who gets a receipt before it is decided, and lets the merchant choose to send none. */
export function ReceiptChoice({ customer }: { customer: string }) {
  return (
    <Checkbox
      key={customer}
      name="sendReceipt"
      defaultChecked
      label={t('{customer} gets a receipt by e-mail', { customer })}
    />
  );
}
