import { Kbd, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { Icon } from '../parts/icon.tsx';
import { isId } from '../parts/is-id.ts';
import styles from './search-box.module.css';

/** Finds a payment by its id or by the merchant's own order. */
export function SearchBox() {
  const navigate = useNavigate();
  const find = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get('text')).trim();
    if (text === '') return;
    if (isId(text)) void navigate({ to: '/payments/$id', params: { id: text } });
    else void navigate({ to: '/payments', search: { orderId: text } as never });
    event.currentTarget.reset();
  };
  return (
    <search className={styles.box}>
      <form onSubmit={find}>
        <TextInput
          name="text"
          size="xs"
          aria-label="Find a payment by order or id"
          placeholder="Order or payment id"
          leftSection={<Icon name="search" />}
          rightSection={<Kbd size="xs">/</Kbd>}
          data-search
          autoComplete="off"
        />
      </form>
    </search>
  );
}
