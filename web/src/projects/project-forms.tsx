import type { Project } from '@florin/sdk';
import { Text, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { moneyText } from '../parts/money.tsx';
import { payoutChangeText } from '../parts/pending-payout-change.tsx';
import { t } from '../words/t.ts';

const REFRESH = ['projects', 'overview', 'limits'];

export function NewProject({ onDone }: { onDone(project: Project): void }) {
  return (
    <DialogForm
      button={t('New project')}
      icon="plus"
      kind="main"
      submit={t('Create project')}
      run={(values) => florin.projects.create({ name: values.text('name') })}
      refresh={REFRESH}
      onDone={onDone}
    >
      <TextInput
        label={t('Name')}
        description={t('Shown to customers on their invoices.')}
        name="name"
        required
        maxLength={255}
        data-autofocus
      />
    </DialogForm>
  );
}

export function RenameProject({ project }: { project: Project }) {
  return (
    <DialogForm
      button={t('Rename')}
      title={t('Rename project')}
      submit={t('Save')}
      run={(values) => florin.projects.update(project.id, { name: values.text('name') })}
      refresh={REFRESH}
      done={t('Project renamed.')}
    >
      <TextInput
        label={t('Name')}
        name="name"
        defaultValue={project.name}
        required
        maxLength={255}
        data-autofocus
      />
    </DialogForm>
  );
}

/** Owners only: it decides where money goes. */
export function ChangePayout({ project }: { project: Project }) {
  return (
    <DialogForm
      button={t('Change')}
      label={t('Change payout address')}
      submit={t('Use this address')}
      run={(values) =>
        florin.projects.update(project.id, { payoutAddress: values.optional('payoutAddress') })
      }
      refresh={REFRESH}
      done={payoutChangeText(t('Payout address changed.'))}
    >
      <Text size="sm">
        {t('Applies to new payments in this project. Open payments keep the current address.')}
      </Text>
      <TextInput
        label={t('Solana address')}
        description={t('Leave blank to use your main address.')}
        name="payoutAddress"
        defaultValue={project.payoutAddress ?? ''}
        maxLength={64}
        autoComplete="off"
        spellCheck={false}
        data-autofocus
      />
    </DialogForm>
  );
}

export function ChangeLimits({ project }: { project: Project }) {
  const volume = project.monthlyVolumeLimitCents;
  return (
    <DialogForm
      button={t('Change')}
      label={t('Change limits')}
      submit={t('Save')}
      run={async (values) =>
        florin.projects.update(
          project.id,
          values.changed((given) => ({
            monthlyVolumeLimitCents: given.optionalMoney('volume', t('Volume')),
            monthlyRequestLimit: given.optionalCount('requests', t('Requests')),
          })),
        )
      }
      refresh={REFRESH}
      done={t('Limits saved.')}
    >
      <Text size="sm">
        {t(
          'Limits apply per calendar month (UTC). Once reached, new payments are blocked. Open ones can still be paid.',
        )}
      </Text>
      <TextInput
        label={t('Volume in USDC')}
        description={t('Leave blank for no limit.')}
        name="volume"
        inputMode="decimal"
        defaultValue={volume === null ? '' : moneyText(volume)}
        data-autofocus
      />
      <TextInput
        label={t('Requests')}
        description={t('Leave blank for no limit.')}
        name="requests"
        inputMode="numeric"
        defaultValue={project.monthlyRequestLimit?.toString() ?? ''}
      />
    </DialogForm>
  );
}

export function ArchiveProject({ project, onDone }: { project: Project; onDone(): void }) {
  return (
    <DialogForm
      button={t('Archive')}
      title={t('Archive {name}?', { name: project.name })}
      kind="danger"
      submit={t('Archive permanently')}
      run={() => florin.projects.delete(project.id)}
      refresh={REFRESH}
      done={t('Project archived.')}
      onDone={onDone}
    >
      <Text size="sm">
        {t(
          'An archived project can’t sell anything, and this can’t be undone. Its data stays readable. End its subscriptions and close its open invoices first.',
        )}
      </Text>
    </DialogForm>
  );
}
