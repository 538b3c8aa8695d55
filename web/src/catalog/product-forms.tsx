import type { Product } from '@florin/sdk';
import { Textarea, TextInput } from '@mantine/core';
import { florin } from '../app/florin.ts';
import { ProjectField } from '../billing/project-field.tsx';
import { DialogForm } from '../parts/dialog-form.tsx';

export function NewProduct({ onDone }: { onDone(product: Product): void }) {
  return (
    <DialogForm
      button="New product"
      icon="plus"
      kind="main"
      submit="Create product"
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
      button="Edit"
      title="Edit product"
      submit="Save"
      run={(values) =>
        florin.products.update(product.id, {
          name: values.text('name'),
          description: values.optional('description'),
        })
      }
      refresh={['products']}
      done="Product saved."
    >
      <ProductFields product={product} />
    </DialogForm>
  );
}

function ProductFields({ product }: { product?: Product }) {
  return (
    <>
      <TextInput
        label="Name"
        description="Shown to customers."
        name="name"
        required
        maxLength={255}
        defaultValue={product?.name}
        data-autofocus
      />
      <Textarea
        label="Description"
        description="Optional."
        name="description"
        maxLength={2_000}
        autosize
        minRows={2}
        defaultValue={product?.description ?? ''}
      />
    </>
  );
}
