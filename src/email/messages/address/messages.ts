import type { AddressEmailKind } from '../../portal-email.ts';
import type { EmailText } from '../messages.ts';

export type AddressMessages = Record<
  AddressEmailKind,
  (facts: { sender: string; email: string }) => EmailText
>;
