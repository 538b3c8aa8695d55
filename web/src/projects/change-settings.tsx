import type { Project } from '@florin/sdk';
import { Checkbox, NativeSelect, Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan, useSession } from '../app/session.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { moneyText } from '../parts/money.tsx';
import { FEE_MODES } from '../settings/network-fees.tsx';
import { t, tc } from '../words/t.ts';

export function ChangeSettings({ project }: { project: Project }) {
  const can = useCan();
  const { sendsEmails } = useSession();
  const { settings } = project;
  const { agentRefundLimitCents: refundLimit } = settings;
  const days = { inputMode: 'numeric', required: true, pattern: '\\d{1,2}', title: t('Whole days') } as const;
  return (
    <DialogForm
      button={t('Change')}
      label={t('Change settings')}
      submit={t('Save')}
      run={async (values) =>
        florin.projects.update(project.id, {
          settings: values.changed((given) => ({
            gracePeriodDays: Number(given.count('grace', t('Grace period'))),
            renewalLeadDays: Number(given.count('lead', t('Renewal invoice'))),
            reminderDays: readDays(given.figures('reminders')),
            invoicePrefix: given.text('prefix'),
            usageCredits: readCredits(given.figures('credits')),
            lowBalanceCredits: given.optionalCount('low', t('Low balance')),
            sponsorFees: given.optional('fees') as Project['settings']['sponsorFees'],
            embedOrigins: given
              .text('embed')
              .split(/[\s,،]+/)
              .filter(Boolean),
            supportEmail: given.optional('support'),
            termsUrl: given.optional('terms'),
            ...(sendsEmails && { portalSignIn: given.isOn('signIn') }),
            ...(can.own && {
              agentRefundLimitCents: given.optionalMoney('agents', t('Refunds by assistants')) ?? 0n,
            }),
          })),
        })
      }
      refresh={['projects']}
      done={t('Settings saved.')}
    >
      <TextInput
        label={t('Renewal invoice, in days')}
        description={t('How many days before the paid period ends it is sent.')}
        name="lead"
        defaultValue={settings.renewalLeadDays}
        {...days}
        data-autofocus
      />
      <TextInput
        label={t('Grace period, in days')}
        description={t('How long a customer keeps access when a renewal isn’t paid.')}
        name="grace"
        defaultValue={settings.gracePeriodDays}
        {...days}
      />
      <TextInput
        label={t('Reminders, in days')}
        description={t('Before the period ends, e.g. 3, 1. Leave blank for none.')}
        name="reminders"
        defaultValue={settings.reminderDays.join(', ')}
      />
      <TextInput
        label={t('Invoice prefix')}
        description={t('Up to 16 letters, digits, dots and dashes.')}
        name="prefix"
        required
        maxLength={16}
        defaultValue={settings.invoicePrefix}
      />
      <Textarea
        label={t('Credits per unit of usage')}
        description={t('One metric per line, e.g. images = 5.')}
        name="credits"
        autosize
        minRows={2}
        defaultValue={creditsText(settings.usageCredits)}
      />
      <TextInput
        label={t('Low balance, in credits')}
        description={t('Alert when a customer’s balance drops to this. Leave blank to turn off.')}
        name="low"
        inputMode="numeric"
        defaultValue={settings.lowBalanceCredits?.toString() ?? ''}
      />
      <NativeSelect
        label={t('Network fee')}
        description={t('Whether it is paid for the customers of this project.')}
        name="fees"
        defaultValue={settings.sponsorFees ?? ''}
        data={[{ value: '', label: t('As in your settings') }, ...FEE_MODES]}
      />
      <TextInput
        label={t('Support e-mail')}
        description={t(
          'Linked on your checkout pages, and where replies to your e-mails go. Leave blank for none.',
        )}
        name="support"
        type="email"
        maxLength={254}
        defaultValue={settings.supportEmail ?? ''}
      />
      <TextInput
        label={tc('legal', 'Terms')}
        description={t(
          'Linked on your checkout pages, e.g. https://shop.example.com/terms. Leave blank for none.',
        )}
        name="terms"
        type="url"
        maxLength={2048}
        defaultValue={settings.termsUrl ?? ''}
      />
      {sendsEmails && (
        <Checkbox
          label={t('Customers can sign in by e-mail')}
          description={t('They enter their address and get a link to their subscriptions and invoices.')}
          name="signIn"
          defaultChecked={settings.portalSignIn}
        />
      )}
      <Textarea
        label={t('Websites that can embed your checkout')}
        description={t('One per line, e.g. https://shop.example.com. Leave blank for none.')}
        name="embed"
        autosize
        minRows={2}
        defaultValue={settings.embedOrigins.join('\n')}
      />
      {can.own && (
        <TextInput
          label={t('Refunds by assistants, in USDC')}
          description={t('The most that AI assistants may refund of one payment. Leave blank for none.')}
          name="agents"
          inputMode="decimal"
          defaultValue={BigInt(refundLimit) === 0n ? '' : moneyText(refundLimit)}
        />
      )}
    </DialogForm>
  );
}

export const creditsText = (credits: Record<string, number>) =>
  Object.entries(credits)
    .map(([metric, cost]) => `${metric} = ${cost}`)
    .join('\n');

function readDays(text: string): number[] {
  return text
    .split(/[\s,،;]+/)
    .filter((day) => day !== '')
    .map((day) => {
      if (!/^\d{1,2}$/.test(day)) throw new Error(t('Reminders: enter days separated by commas, e.g. 3, 1.'));
      return Number(day);
    });
}

function readCredits(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const match = /^\s*([a-z0-9_.:-]{1,64})\s*=\s*(\d{1,10})\s*$/.exec(line);
      if (!match)
        throw new Error(
          t('Credits: “{line}” must be a metric and a number, e.g. images = 5.', { line: line.trim() }),
        );
      return [match[1]!, Number(match[2])];
    }),
  );
}
