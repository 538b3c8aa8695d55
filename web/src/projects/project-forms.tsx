import type { Project } from '@florin/sdk';
import { Text, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { DialogForm } from '../parts/dialog-form.tsx';
import { moneyText } from '../parts/money.tsx';
import { payoutChangeText } from '../parts/pending-payout-change.tsx';

const REFRESH = ['projects', 'overview', 'limits'];

export function NewProject({ onDone }: { onDone(project: Project): void }) {
  return (
    <DialogForm
      button="New project"
      icon="plus"
      kind="main"
      submit="Create project"
      run={(values) => florin.projects.create({ name: values.text('name') })}
      refresh={REFRESH}
      onDone={onDone}
    >
      <TextInput
        label="Name"
        description="Shown to customers on their invoices."
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
      button="Rename"
      title="Rename project"
      submit="Save"
      run={(values) => florin.projects.update(project.id, { name: values.text('name') })}
      refresh={REFRESH}
      done="Project renamed."
    >
      <TextInput
        label="Name"
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
      button="Change"
      label="Change payout address"
      submit="Use this address"
      run={(values) =>
        florin.projects.update(project.id, { payoutAddress: values.optional('payoutAddress') })
      }
      refresh={REFRESH}
      done={payoutChangeText('Payout address changed.')}
    >
      <Text size="sm">Applies to new payments in this project. Open payments keep the current address.</Text>
      <TextInput
        label="Solana address"
        description="Leave blank to use your main address."
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
      button="Change"
      label="Change limits"
      submit="Save"
      run={async (values) =>
        florin.projects.update(project.id, {
          monthlyVolumeLimitCents: values.optionalMoney('volume', 'Volume'),
          monthlyRequestLimit: values.optionalCount('requests', 'Requests'),
        })
      }
      refresh={REFRESH}
      done="Limits saved."
    >
      <Text size="sm">
        Limits apply per calendar month (UTC). Once reached, new payments are blocked. Open ones can still be
        paid.
      </Text>
      <TextInput
        label="Volume in USDC"
        description="Leave blank for no limit."
        name="volume"
        inputMode="decimal"
        defaultValue={volume === null ? '' : moneyText(volume)}
        data-autofocus
      />
      <TextInput
        label="Requests"
        description="Leave blank for no limit."
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
      button="Archive"
      title={`Archive ${project.name}?`}
      kind="danger"
      submit="Archive permanently"
      run={() => florin.projects.delete(project.id)}
      refresh={REFRESH}
      done="Project archived."
      onDone={onDone}
    >
      <Text size="sm">
        An archived project can’t sell anything, and this can’t be undone. Its data stays readable. End its
        subscriptions and close its open invoices first.
      </Text>
    </DialogForm>
  );
}
