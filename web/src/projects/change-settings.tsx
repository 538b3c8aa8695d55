import type { Project } from '@florin/sdk';
import { NativeSelect, Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { moneyText } from '../parts/money.tsx';
import { FEE_MODES } from '../settings/network-fees.tsx';

export function ChangeSettings({ project }: { project: Project }) {
  const can = useCan();
  const { settings } = project;
  const { agentRefundLimitCents: refundLimit } = settings;
  const days = { inputMode: 'numeric', required: true, pattern: '\\d{1,2}', title: 'Whole days' } as const;
  return (
    <DialogForm
      button="Change"
      label="Change settings"
      submit="Save"
      run={async (values) =>
        florin.projects.update(project.id, {
          settings: {
            gracePeriodDays: Number(values.count('grace', 'Grace period')),
            renewalLeadDays: Number(values.count('lead', 'Renewal invoice')),
            reminderDays: readDays(values.text('reminders')),
            invoicePrefix: values.text('prefix'),
            usageCredits: readCredits(values.text('credits')),
            lowBalanceCredits: values.optionalCount('low', 'Low balance'),
            sponsorFees: values.optional('fees') as Project['settings']['sponsorFees'],
            ...(can.own && {
              agentRefundLimitCents: values.optionalMoney('agents', 'Refunds by assistants') ?? 0n,
            }),
          },
        })
      }
      refresh={['projects']}
      done="Settings saved."
    >
      <TextInput
        label="Renewal invoice, in days"
        description="How many days before the paid period ends it is sent."
        name="lead"
        defaultValue={settings.renewalLeadDays}
        {...days}
        data-autofocus
      />
      <TextInput
        label="Grace period, in days"
        description="How long a customer keeps access when a renewal isn’t paid."
        name="grace"
        defaultValue={settings.gracePeriodDays}
        {...days}
      />
      <TextInput
        label="Reminders, in days"
        description="Before the period ends, e.g. 3, 1. Leave blank for none."
        name="reminders"
        defaultValue={settings.reminderDays.join(', ')}
      />
      <TextInput
        label="Invoice prefix"
        description="Up to 16 letters, digits, dots and dashes."
        name="prefix"
        required
        maxLength={16}
        defaultValue={settings.invoicePrefix}
      />
      <Textarea
        label="Credits per unit of usage"
        description="One metric per line, e.g. images = 5."
        name="credits"
        autosize
        minRows={2}
        defaultValue={creditsText(settings.usageCredits)}
      />
      <TextInput
        label="Low balance, in credits"
        description="Alert when a customer’s balance drops to this. Leave blank to turn off."
        name="low"
        inputMode="numeric"
        defaultValue={settings.lowBalanceCredits?.toString() ?? ''}
      />
      <NativeSelect
        label="Network fee"
        description="Whether it is paid for the customers of this project."
        name="fees"
        defaultValue={settings.sponsorFees ?? ''}
        data={[{ value: '', label: 'As in your settings' }, ...FEE_MODES]}
      />
      {can.own && (
        <TextInput
          label="Refunds by assistants, in USDC"
          description="The most that AI assistants may refund of one payment. Leave blank for none."
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
    .split(/[\s,;]+/)
    .filter((day) => day !== '')
    .map((day) => {
      if (!/^\d{1,2}$/.test(day)) throw new Error('Reminders: enter days separated by commas, e.g. 3, 1.');
      return Number(day);
    });
}

function readCredits(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const match = /^\s*([a-z0-9_.:-]{1,64})\s*=\s*(\d{1,10})\s*$/.exec(line);
      if (!match)
        throw new Error(`Credits: “${line.trim()}” must be a metric and a number, e.g. images = 5.`);
      return [match[1]!, Number(match[2])];
    }),
  );
}
