import type { Brand, Project } from '@florin/sdk';
import { ColorSwatch, Text, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { florin } from '../app/florin.ts';
import { useCan } from '../app/session.ts';
import { Section } from '../parts/detail-screen.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { ImageField, LOGO_HINT, logoSource } from '../parts/image-field.tsx';
import { t } from '../words/t.ts';
import styles from './project-brand.module.css';

const COLOR = /^#[0-9a-f]{6}$/i;
/** The default color of the pages. */
const PLAIN = '#0b6b57';

/** Brand of the project as customers see it: the merchant's own applies to what the project does not set. */
export function ProjectBrand({ project }: { project: Project }) {
  const can = useCan();
  const merchant = useQuery({ queryKey: ['brand'], queryFn: () => florin.merchant.retrieveBrand() });
  const { brandName, brandColor, logoUrl } = project;
  const isOwn = brandName !== null || brandColor !== null || logoUrl !== null;
  return (
    <Section
      title={t('Brand')}
      actions={
        can.change && !project.archivedAt && <ChangeBrand project={project} merchant={merchant.data} />
      }
    >
      <Preview name={brandName} color={brandColor} project={project} merchant={merchant.data} />
      <Text size="sm" c="dimmed" mt="xs">
        {isOwn
          ? t('Shown on checkout and link pages, in the portal, in e-mails and on invoices.')
          : t('Your own name, color and logo, as set in Settings.')}
      </Text>
      {can.change && !project.archivedAt && (
        <ImageField
          noun="logo"
          hasImage={logoUrl !== null}
          hint={LOGO_HINT}
          set={(file) => florin.projects.setLogo(project.id, file)}
          remove={() => florin.projects.removeLogo(project.id)}
          without={merchant.data?.logoUrl ? 'your own' : 'the first letter of the name'}
          refresh={['projects']}
        />
      )}
    </Section>
  );
}

function ChangeBrand({ project, merchant }: { project: Project; merchant: Brand | undefined }) {
  const [name, setName] = useState(project.brandName ?? '');
  const [color, setColor] = useState(project.brandColor ?? '');
  return (
    <DialogForm
      button={t('Change')}
      label={t('Change brand')}
      submit={t('Save')}
      run={() =>
        florin.projects.update(project.id, { brandName: name.trim() || null, brandColor: color || null })
      }
      refresh={['projects']}
      done={t('Saved.')}
    >
      <TextInput
        label={t('Name')}
        description={t('Shown to customers. Leave blank to use your own name.')}
        value={name}
        maxLength={255}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('Color')}
        description={t('For buttons and links. Leave blank to use your own color.')}
        placeholder={merchant?.brandColor ?? PLAIN}
        pattern="#[0-9a-fA-F]{6}"
        title={t('A hex color such as #0b6b57')}
        value={color}
        onChange={(event) => setColor(event.currentTarget.value)}
        leftSection={<ColorSwatch size={16} color={COLOR.test(color) ? color : 'transparent'} />}
      />
      <Preview
        name={name.trim() || null}
        color={COLOR.test(color) ? color : null}
        project={project}
        merchant={merchant}
      />
    </DialogForm>
  );
}

interface PreviewProps {
  name: string | null;
  color: string | null;
  project: Project;
  merchant: Brand | undefined;
}

/** A checkout page's head and button, as customers would see them. */
function Preview({ name, color, project, merchant }: PreviewProps) {
  const shownName = name ?? merchant?.name ?? project.name;
  const background = color ?? merchant?.brandColor ?? PLAIN;
  const logo = project.logoUrl ?? merchant?.logoUrl;
  const look = { background, color: readableOn(background) };
  return (
    <figure className={styles.preview} aria-label={t('Preview')}>
      {logo ? (
        <img className={styles.logo} src={logoSource(logo)} alt="" />
      ) : (
        <span className={styles.sign} style={look} aria-hidden="true">
          {[...shownName.trim()][0]?.toUpperCase()}
        </span>
      )}
      <bdi className={styles.name}>{shownName}</bdi>
      <span className={styles.button} style={look}>
        {t('Continue to payment')}
      </span>
    </figure>
  );
}

/** Black or white, as the service chooses it: whichever has the higher contrast. */
function readableOn(color: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= (luminance + 0.05) / 0.05 ? '#ffffff' : '#000000';
}
