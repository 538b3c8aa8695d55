import type { Project } from '@florin/sdk';
import { Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';

export function ChangeSettings({ project }: { project: Project }) {
  const { settings } = project;
  const days = { inputMode: 'numeric', required: true, pattern: '\\d{1,2}', title: 'Whole days' } as const;
  return (
    <DialogForm
      button="Change"
      label="Change the settings"
      submit="Save"
      run={async (values) =>
        florin.projects.update(project.id, {
          settings: {
            gracePeriodDays: Number(values.count('grace', 'Grace')),
            renewalLeadDays: Number(values.count('lead', 'Lead')),
            reminderDays: readDays(values.text('reminders')),
            invoicePrefix: values.text('prefix'),
            usageCredits: readCredits(values.text('credits')),
            lowBalanceCredits: values.optionalCount('low', 'Low balance'),
          },
        })
      }
      refresh={['projects']}
      done="The settings are saved."
    >
      <TextInput
        label="Ask for a renewal, in days"
        description="Before the paid period ends."
        name="lead"
        defaultValue={settings.renewalLeadDays}
        {...days}
        data-autofocus
      />
      <TextInput
        label="Grace, in days"
        description="How long an unpaid renewal keeps its access."
        name="grace"
        defaultValue={settings.gracePeriodDays}
        {...days}
      />
      <TextInput
        label="Reminders, in days"
        description="Before the period ends, such as 3, 1. Empty: none."
        name="reminders"
        defaultValue={settings.reminderDays.join(', ')}
      />
      <TextInput
        label="Invoice prefix"
        description="Letters, digits, dot and dash, up to 16."
        name="prefix"
        required
        maxLength={16}
        defaultValue={settings.invoicePrefix}
      />
      <Textarea
        label="Credits that usage takes"
        description="One metric to a line, such as images = 5."
        name="credits"
        autosize
        minRows={2}
        defaultValue={creditsText(settings.usageCredits)}
      />
      <TextInput
        label="Low balance, in credits"
        description="You are told when a customer falls to it. Empty: never."
        name="low"
        inputMode="numeric"
        defaultValue={settings.lowBalanceCredits?.toString() ?? ''}
      />
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
      if (!/^\d{1,2}$/.test(day)) throw new Error(`Reminders: “${day}” is no number of days.`);
      return Number(day);
    });
}

function readCredits(text: string): Record<string, number> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return Object.fromEntries(
    lines.map((line) => {
      const match = /^\s*([a-z0-9_.:-]{1,64})\s*=\s*(\d{1,10})\s*$/.exec(line);
      if (!match)
        throw new Error(`Credits: “${line.trim()}” is not a metric and a number, such as images = 5.`);
      return [match[1]!, Number(match[2])];
    }),
  );
}
