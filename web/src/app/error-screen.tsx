import { FlorinError } from '@florin/sdk';
import { Anchor, Button, Center, Stack, Text, Title } from '@mantine/core';
import { t } from '../words/t.ts';
import { messageOf } from './florin.ts';

/** Instead of a screen that broke. A new version may have replaced its file, so the way out is to load again. */
export function ErrorScreen({ error }: { error: unknown }) {
  const traceId = error instanceof FlorinError ? error.traceId : undefined;
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm" role="alert">
        <Title order={1}>{t('Something went wrong')}</Title>
        <Text>{messageOf(error)}</Text>
        {traceId && (
          <Text size="sm" c="dimmed">
            {t('Error reference: {reference}', { reference: traceId })}
          </Text>
        )}
        <Button onClick={() => location.reload()}>{t('Reload page')}</Button>
      </Stack>
    </Center>
  );
}

export function NotFoundScreen() {
  return (
    <Center mih="60vh" p="md">
      <Stack align="center" gap="sm">
        <Title order={1}>{t('Page not found')}</Title>
        <Text>{t('The link may be wrong, or this may have been deleted.')}</Text>
        <Anchor href="/dashboard">{t('Go to Home')}</Anchor>
      </Stack>
    </Center>
  );
}
