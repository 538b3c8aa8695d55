import { Anchor, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { florin } from '../app/florin.ts';
import { T } from '../words/rich.tsx';

/** The order that the payer meant the money for, where the payment says so. */
export function NamedOrder({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: ['intents', 'one', id],
    queryFn: () => florin.intents.retrieve(id),
  });
  if (!data) return null;
  const order = (
    <Anchor component={Link} to={`/payments/${id}`} size="sm">
      {data.orderId ?? id}
    </Anchor>
  );
  return (
    <Text size="sm" component="div">
      <T of="Sent for order {order}" order={order} />
    </Text>
  );
}
