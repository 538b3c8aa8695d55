import type { Project } from '@florin/sdk';
import { Group, Text, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ActionDialogButton } from '../parts/action-dialog-button.tsx';
import { Facts, Section } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { countryName } from '../tax/countries.ts';
import { AddressFields, addressOf, CountryField } from '../tax/party-fields.tsx';
import { AddressText, TaxIdsText } from '../tax/party-text.tsx';
import { TaxIdFields, taxIdsOf } from '../tax/tax-id-fields.tsx';

/** Who sells, as it is printed on invoices. */
export function ProjectSeller({ project, canChange }: { project: Project; canChange: boolean }) {
  const { seller } = project;
  return (
    <Section title="Seller" actions={canChange && <SellerActions project={project} />}>
      {seller ? (
        <Facts
          of={[
            ['Legal name', seller.legalName],
            ['Address', <AddressText key="a" address={seller.address} />],
            ['Country', countryName(seller.country)],
            ['Tax IDs', <TaxIdsText key="t" taxIds={seller.taxIds} />],
            ['Registration number', seller.registrationNumber ?? '–'],
          ]}
        />
      ) : (
        <Text c="dimmed" size="sm">
          Not set. Your legal name, address and tax IDs, for invoices with tax.
        </Text>
      )}
    </Section>
  );
}

function SellerActions({ project }: { project: Project }) {
  return (
    <Group gap="xs">
      {project.seller && (
        <ActionDialogButton
          label="Remove seller"
          explanation="New invoices have no seller on them. Existing ones keep it."
          isDangerous
          action={{
            run: () => florin.projects.update(project.id, { seller: null }),
            refresh: ['projects'],
            done: 'Seller removed.',
          }}
        />
      )}
      <ChangeSeller project={project} />
    </Group>
  );
}

function ChangeSeller({ project: { id, seller } }: { project: Project }) {
  return (
    <DialogForm
      button={seller ? 'Change' : 'Add'}
      label={seller ? 'Change seller' : 'Add seller'}
      submit="Save"
      run={async (values) =>
        florin.projects.update(id, {
          seller: {
            legalName: values.text('legalName'),
            address: addressOf(values),
            country: values.text('country'),
            taxIds: taxIdsOf(values).map(({ type, value }) => ({ type, value })),
            registrationNumber: values.optional('registrationNumber'),
          },
        })
      }
      refresh={['projects']}
      done="Seller saved. It is on new invoices."
    >
      <TextInput
        label="Legal name"
        name="legalName"
        required
        maxLength={255}
        defaultValue={seller?.legalName ?? ''}
        data-autofocus
      />
      <AddressFields address={seller?.address} />
      <CountryField country={seller?.country} required />
      <TaxIdFields taxIds={seller?.taxIds ?? []} />
      <TextInput
        label="Registration number"
        description="In the register of companies. Optional."
        name="registrationNumber"
        maxLength={255}
        defaultValue={seller?.registrationNumber ?? ''}
        autoComplete="off"
      />
    </DialogForm>
  );
}
