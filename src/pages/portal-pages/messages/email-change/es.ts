import type { EmailChangeMessages } from './messages.ts';

export const es: EmailChangeMessages = {
  waiting: 'A la espera de que confirme {email}, hasta el {moment}',
  withdraw: 'Retirar',
  withdrawn: 'Su correo electrónico sigue siendo el mismo.',
  sent: 'Hemos enviado un enlace a {email}. Su correo cambiará cuando lo abra.',
  hint: 'Aquí enviamos recordatorios y recibos. Un correo nuevo vale en cuanto abra el enlace que le enviamos.',
  fixed: 'Para cambiarlo, póngase en contacto con {merchant}.',
  needed: 'Escriba un correo electrónico. Para eliminarlo, póngase en contacto con {merchant}.',
  tooMany: 'Son demasiados correos nuevos para un día. Inténtelo de nuevo mañana.',
  confirmTitle: '¿Es este su correo electrónico?',
  confirmText: 'Alguien con una cuenta en {merchant} ha indicado {email}. Confírmelo si ha sido usted.',
  confirmWarning:
    'Si no ha sido usted, cierre esta página: lo que compre en {merchant} con esta dirección podría acabar en esa cuenta.',
  confirmButton: 'Sí, confirmar esta dirección',
  doneTitle: 'Su correo está confirmado',
  doneText: 'Su cuenta en {merchant} usa ahora {email}.',
  deadTitle: 'Este enlace ya no funciona',
  deadText:
    'Se ha usado, retirado o sustituido, o ha caducado. Puede volver a escribir el correo en su cuenta.',
};
