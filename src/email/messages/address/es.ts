import type { AddressMessages } from './messages.ts';

export const es: AddressMessages = {
  email_confirmation: ({ sender, email }) => ({
    subject: 'Confirme su correo electrónico',
    paragraphs: [
      `Alguien con una cuenta en ${sender} ha indicado ${email} como su correo electrónico. Confírmelo si ha sido usted. El enlace funciona una sola vez, durante 24 horas.`,
      `Si no ha sido usted, no lo confirme: lo que compre en ${sender} con esta dirección podría acabar en esa cuenta. Si ignora este correo, no pasará nada.`,
    ],
    action: 'Confirmar esta dirección',
  }),
  email_change: ({ sender, email }) => ({
    subject: 'Su correo electrónico va a cambiar',
    paragraphs: [
      `En su cuenta de ${sender} se ha indicado un correo electrónico nuevo: ${email}. Sustituirá a este en cuanto se confirme desde ese buzón.`,
      `Si ha sido usted, no tiene que hacer nada. Si no, póngase en contacto con ${sender} ahora mismo o retire el cambio en su cuenta.`,
    ],
  }),
};
