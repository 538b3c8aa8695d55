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
import { t } from '../words/t.ts';

/** Seller as printed on invoices. */
export function ProjectSeller({ project, canChange }: { project: Project; canChange: boolean }) {
  const { seller } = project;
  return (
    <Section title={t('Seller')} actions={canChange && <SellerActions project={project} />}>
      {seller ? (
        <Facts
          of={[
            [t('Legal name'), seller.legalName],
            [t('Address'), <AddressText key="a" address={seller.address} />],
            [t('Country'), countryName(seller.country)],
            [t('Tax IDs'), <TaxIdsText key="t" taxIds={seller.taxIds} />],
            [t('Registration number'), seller.registrationNumber ?? '–'],
          ]}
        />
      ) : (
        <Text c="dimmed" size="sm">
          {t('Not set. Your legal name, address and tax IDs, for invoices with tax.')}
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
          label={t('Remove seller')}
          explanation={t('New invoices have no seller on them. Existing ones keep it.')}
          isDangerous
          action={{
            run: () => florin.projects.update(project.id, { seller: null }),
            refresh: ['projects'],
            done: t('Seller removed.'),
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
      button={seller ? t('Change') : t('Add')}
      label={seller ? t('Change seller') : t('Add seller')}
      submit={t('Save')}
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
      done={t('Seller saved. It is on new invoices.')}
    >
      <TextInput
        label={t('Legal name')}
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
        label={t('Registration number')}
        description={t('In the register of companies. Optional.')}
        name="registrationNumber"
        maxLength={255}
        defaultValue={seller?.registrationNumber ?? ''}
        autoComplete="off"
      />
    </DialogForm>
  );
}
