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
      submit="Create the project"
      run={(values) => florin.projects.create({ name: values.text('name') })}
      refresh={REFRESH}
      onDone={onDone}
    >
      <TextInput
        label="Name"
        description="Customers see it on their invoices."
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
      title="Rename the project"
      submit="Save"
      run={(values) => florin.projects.update(project.id, { name: values.text('name') })}
      refresh={REFRESH}
      done="The project is renamed."
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

/** For owners: whoever changes it decides where money goes. */
export function ChangePayout({ project }: { project: Project }) {
  return (
    <DialogForm
      button="Change"
      label="Change the payout address"
      submit="Use this address"
      run={(values) =>
        florin.projects.update(project.id, { payoutAddress: values.optional('payoutAddress') })
      }
      refresh={REFRESH}
      done={payoutChangeText('The payout address is changed.')}
    >
      <Text size="sm">
        New payments of this project go there. What was asked for already still arrives where it was asked to.
      </Text>
      <TextInput
        label="Solana address"
        description="The wallet’s address. Empty: your main address."
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
      label="Change the limits"
      submit="Save"
      run={async (values) =>
        florin.projects.update(project.id, {
          monthlyVolumeLimitCents: values.optionalMoney('volume', 'Volume'),
          monthlyRequestLimit: values.optionalCount('requests', 'Requests'),
        })
      }
      refresh={REFRESH}
      done="The limits hold from now on."
    >
      <Text size="sm">
        Each counts by UTC calendar month. Above it nothing new can be asked for; what is open can still be
        paid.
      </Text>
      <TextInput
        label="Volume in USDC"
        description="Empty: no limit."
        name="volume"
        inputMode="decimal"
        defaultValue={volume === null ? '' : moneyText(volume)}
        data-autofocus
      />
      <TextInput
        label="Requests"
        description="Empty: no limit."
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
      submit="Archive it for ever"
      run={() => florin.projects.delete(project.id)}
      refresh={REFRESH}
      done="The project is archived."
      onDone={onDone}
    >
      <Text size="sm">
        It can still be read, but sells nothing any more, and this cannot be undone. Open invoices and running
        subscriptions must be ended first.
      </Text>
    </DialogForm>
  );
}
