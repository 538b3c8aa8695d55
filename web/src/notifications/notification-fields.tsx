import type { CreateNotificationRequest, Notification } from '@florin/sdk';
import { MultiSelect, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { timeZone } from '../app/time-zone.ts';
import type { FormValues } from '../parts/form-values.ts';
import { t } from '../words/t.ts';

type Kind = Notification['kind'];
type Events = NonNullable<CreateNotificationRequest['eventTypes']>;

export const KINDS: Record<Kind, string> = {
  slack: 'Slack',
  discord: 'Discord',
  telegram: 'Telegram',
  email: t('E-mail'),
  https: t('Another server'),
};

/** Complete, because the type says so. */
const EVENTS: Record<Events[number], string> = {
  'payment_intent.succeeded': t('Payment received'),
  'payment_intent.underpaid': t('Payment too low'),
  'payment_intent.failed': t('Payment failed'),
  'payment_intent.expired': t('Payment not made in time'),
  'invoice.paid': t('Invoice paid'),
  'invoice.refunded': t('Invoice refunded'),
  'invoice.overdue': t('Invoice overdue'),
  'invoice.uncollectible': t('Invoice not paid in time'),
  'checkout.session.completed': t('Checkout completed'),
  'checkout.session.expired': t('Checkout expired'),
  'subscription.activated': t('Subscription started'),
  'subscription.trial_will_end': t('Trial ends soon'),
  'subscription.renewed': t('Subscription renewed'),
  'subscription.past_due': t('Renewal overdue'),
  'subscription.canceled': t('Subscription ended'),
  'subscription.reactivated': t('Subscription reactivated'),
  'customer.balance_depleted': t('Customer out of credits'),
  'refund.address_received': t('Refund address received'),
  'refund.succeeded': t('Refund arrived'),
  'refund.expired': t('Refund expired'),
  'refund_request.created': t('Refund requested at a till'),
  'exception.created': t('Exception to review'),
  'exception.resolved': t('Exception resolved'),
  'payout_address.changed': t('Payout address changed'),
  'notification.summary': t('Daily summary'),
};

const USUAL: Events = [
  'payment_intent.succeeded',
  'payment_intent.failed',
  'exception.created',
  'refund_request.created',
  'subscription.past_due',
  'payout_address.changed',
];

export function eventLabel(event: string): string {
  return EVENTS[event as Events[number]] ?? event;
}

/** Returns the title of a notification: its name, or its destination. */
export function notificationTitle({ name, kind, memberEmail, chatId, destination }: Notification): string {
  return name ?? memberEmail ?? (kind === 'telegram' ? `Telegram ${chatId}` : destination);
}

export function NewNotificationFields({ memberEmail }: { memberEmail: string }) {
  const [kind, setKind] = useState<Kind>('slack');
  return (
    <>
      <NativeSelect
        label={t('Send to')}
        name="kind"
        value={kind}
        onChange={(event) => setKind(event.currentTarget.value as Kind)}
        data={Object.entries(KINDS).map(([value, label]) => ({ value, label }))}
        data-autofocus
      />
      <TargetFields kind={kind} memberEmail={memberEmail} isNew />
      <CommonFields />
    </>
  );
}

export function NotificationFields({ notification }: { notification: Notification }) {
  const { kind, memberEmail, chatId } = notification;
  return (
    <>
      <TargetFields kind={kind} memberEmail={memberEmail ?? ''} chatId={chatId} />
      <CommonFields notification={notification} />
    </>
  );
}

const HINTS: Record<Exclude<Kind, 'email'>, [placeholder: string, help: string]> = {
  slack: ['https://hooks.slack.com/services/…', t('The URL of an incoming webhook of your channel.')],
  discord: ['https://discord.com/api/webhooks/…', t('From the channel’s settings: Integrations, Webhooks.')],
  telegram: ['https://api.telegram.org/bot<token>', t('With the token that BotFather gave you.')],
  https: ['https://alerts.example/florin', t('It gets the sentence and the link as JSON.')],
};

interface TargetProps {
  kind: Kind;
  memberEmail: string;
  chatId?: string | null;
  isNew?: boolean;
}

function TargetFields({ kind, memberEmail, chatId, isNew = false }: TargetProps) {
  if (kind === 'email')
    return (
      <TextInput
        label={t('E-mail address')}
        description={t('Of a member who can sign in here.')}
        name="memberEmail"
        type="email"
        defaultValue={memberEmail}
        required
      />
    );
  const [placeholder, help] = HINTS[kind];
  return (
    <>
      <TextInput
        label={t('URL')}
        description={
          isNew ? `${help} ${t('It isn’t shown again.')}` : t('Leave empty to keep the current one.')
        }
        name="target"
        type="url"
        placeholder={placeholder}
        required={isNew}
      />
      {kind === 'telegram' && (
        <TextInput label={t('Chat ID')} name="chatId" maxLength={64} defaultValue={chatId ?? ''} required />
      )}
    </>
  );
}

function CommonFields({ notification }: { notification?: Notification }) {
  const zone = notification?.summaryTimeZone ?? timeZone();
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('Optional. Only your team sees it.')}
        name="name"
        maxLength={255}
        defaultValue={notification?.name ?? ''}
      />
      <MultiSelect
        label={t('When')}
        name="eventTypes"
        data={Object.entries(EVENTS).map(([value, label]) => ({ value, label }))}
        defaultValue={notification?.eventTypes ?? [...USUAL]}
        maxDropdownHeight={220}
        searchable
        required
      />
      <NativeSelect
        label={t('Time of the daily summary')}
        description={`${zone}. ${t('It is sent if you choose it above and something happened.')}`}
        name="summaryHour"
        defaultValue={notification?.summaryHour ?? 8}
        data={Array.from({ length: 24 }, (_, hour) => ({
          value: String(hour),
          label: `${String(hour).padStart(2, '0')}:00`,
        }))}
      />
      <input type="hidden" name="summaryTimeZone" value={zone} />
    </>
  );
}

/** Returns the values of the form, without fields left empty. */
export function notificationOf(values: FormValues) {
  const given = (name: string) => values.optional(name) ?? undefined;
  const eventTypes = values.text('eventTypes').split(',').filter(Boolean) as Events;
  return {
    name: values.optional('name'),
    eventTypes,
    summaryHour: Number(values.text('summaryHour')),
    summaryTimeZone: given('summaryTimeZone'),
    url: given('target'),
    chatId: given('chatId'),
    memberEmail: given('memberEmail'),
  };
}
