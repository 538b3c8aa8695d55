import type { CreateWebhookEndpointRequest, WebhookEndpoint } from '@florin/sdk';
import { TagsInput, TextInput } from '@mantine/core';
import type { FormValues } from '../parts/form-values.ts';
import { t } from '../words/t.ts';
import { EVENT_NAMES } from './event-names.ts';

/** Returns the title of a webhook endpoint: its name, or the host of its URL. */
export function endpointTitle({ name, url, isFirst }: WebhookEndpoint): string {
  return name ?? (isFirst ? t('Main endpoint') : (URL.parse(url)?.host ?? url));
}

export function EndpointFields({ endpoint }: { endpoint?: WebhookEndpoint }) {
  return (
    <>
      <TextInput
        label={t('Endpoint URL')}
        name="url"
        type="url"
        defaultValue={endpoint?.url}
        placeholder="https://books.example/webhooks/florin"
        required
        data-autofocus
      />
      <TextInput
        label={t('Name')}
        description={t('Optional. Only your team sees it.')}
        name="name"
        maxLength={255}
        defaultValue={endpoint?.name ?? ''}
      />
      <TagsInput
        label={t('Events')}
        description={t(
          'Leave empty for all events. payment_intent.created is sent only if you choose it here.',
        )}
        name="eventTypes"
        data={EVENT_NAMES}
        defaultValue={endpoint?.eventTypes ?? []}
        maxDropdownHeight={220}
        clearable
      />
    </>
  );
}

/** A name that no event has is refused by the service, which says so. */
export function endpointOf(values: FormValues): CreateWebhookEndpointRequest {
  const chosen = values.text('eventTypes').split(',').filter(Boolean);
  const eventTypes = chosen as NonNullable<CreateWebhookEndpointRequest['eventTypes']>;
  return {
    url: values.text('url'),
    name: values.optional('name'),
    eventTypes: eventTypes.length === 0 ? null : eventTypes,
  };
}
