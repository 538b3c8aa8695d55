import { FlorinError } from '@florin/sdk';
import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { messageOf } from './florin.ts';

/** Instead of a screen that broke. A new version may have replaced its file, so the way out is to load again. */
export function ErrorScreen({ error }: { error: unknown }) {
  const traceId = error instanceof FlorinError ? error.traceId : undefined;
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" role="alert">
        <Title order={1}>This did not work</Title>
        <Text>{messageOf(error)}</Text>
        {traceId && (
          <Text size="sm" c="dimmed">
            Quote this when you ask about it: {traceId}
          </Text>
        )}
        <Button onClick={() => location.reload()}>Load again</Button>
      </Stack>
    </Center>
  );
}

export function NotFoundScreen() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1}>There is nothing here</Title>
        <Text>The address is wrong, or what it named is gone.</Text>
        <Anchor href="/dashboard">To the start</Anchor>
      </Stack>
    </Center>
  );
}
