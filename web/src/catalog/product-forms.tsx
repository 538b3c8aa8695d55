import type { Product } from '@florin/sdk';
import { Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';
import { t } from '../words/t.ts';

export function NewProduct({ onDone }: { onDone(product: Product): void }) {
  return (
    <DialogForm
      button={t('New product')}
      icon="plus"
      kind="main"
      submit={t('Create product')}
      run={(values) =>
        florin.products.create({
          projectId: values.text('projectId'),
          name: values.text('name'),
          description: values.optional('description'),
        })
      }
      refresh={['products']}
      onDone={onDone}
    >
      <ProjectField />
      <ProductFields />
    </DialogForm>
  );
}

export function EditProduct({ product }: { product: Product }) {
  return (
    <DialogForm
      button={t('Edit')}
      title={t('Edit product')}
      submit={t('Save')}
      run={(values) =>
        florin.products.update(
          product.id,
          values.changed((given) => ({
            name: given.text('name'),
            description: given.optional('description'),
          })),
        )
      }
      refresh={['products']}
      done={t('Product saved.')}
    >
      <ProductFields product={product} />
    </DialogForm>
  );
}

function ProductFields({ product }: { product?: Product }) {
  return (
    <>
      <TextInput
        label={t('Name')}
        description={t('Shown to customers.')}
        name="name"
        required
        maxLength={255}
        defaultValue={product?.name}
        data-autofocus
      />
      <Textarea
        label={t('Description')}
        description={t('Optional.')}
        name="description"
        maxLength={2_000}
        autosize
        minRows={2}
        defaultValue={product?.description ?? ''}
      />
    </>
  );
}
