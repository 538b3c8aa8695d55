import type { SignInMessages } from './messages.ts';

export const es: SignInMessages = {
  title: 'Iniciar sesión en su cuenta',
  text: 'Escriba el correo electrónico que usa con {merchant}. Le enviaremos un enlace que abre su cuenta.',
  label: 'Correo electrónico',
  submit: 'Enviarme un enlace',
  problem: 'Escriba un correo electrónico, por ejemplo nombre@example.com.',
  sentTitle: 'Mire su correo',
  sentText:
    'Si esta dirección tiene una cuenta en {merchant}, le hemos enviado un enlace. Funciona una sola vez, durante 15 minutos.',
  notThere: '¿No ha llegado nada en unos minutos? Mire en la carpeta de spam o pruebe con otra dirección.',
  again: 'Probar con otra dirección',
  newLink: 'Recibir un enlace nuevo por correo',
  usedText: 'Ya se ha usado o ha caducado. Puede recibir uno nuevo por correo.',
};
