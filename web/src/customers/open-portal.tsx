import type { Customer, PortalSession } from '@florin/sdk';
import { Button, Modal, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useAction } from '../app/action.ts';
import { florin } from '../app/florin.ts';
import { Copyable } from '../parts/copyable.tsx';
import { Icon } from '../parts/icon.tsx';
import { momentText } from '../parts/time.tsx';

/** A way into the portal as this customer. The link is shown this once: whoever has it is let in. */
export function OpenPortal({ customer }: { customer: Customer }) {
  const [session, setSession] = useState<PortalSession>();
  const create = useAction<void, PortalSession>({
    run: () => florin.portalSessions.create({ projectId: customer.projectId, customerId: customer.id }),
    onDone: setSession,
  });
  return (
    <>
      <Button size="xs" variant="default" onClick={() => create.mutate()} loading={create.isPending}>
        Portal link
      </Button>
      <Modal
        opened={session !== undefined}
        onClose={() => setSession(undefined)}
        title="A link to their portal"
      >
        {session && (
          <Stack gap="sm">
            <Text size="sm">
              Send it to this customer and nobody else: it opens their subscriptions, invoices and balance. It
              works once, until {momentText(session.expiresAt)}, and is not shown again.
            </Text>
            <Copyable text={session.url} label="portal link" short={false} />
            <Button
              component="a"
              href={session.url}
              target="_blank"
              rel="noreferrer"
              variant="default"
              leftSection={<Icon name="external" />}
            >
              Open it myself, which uses it up
            </Button>
          </Stack>
        )}
      </Modal>
    </>
  );
}
