import type { SignInText } from './messages.ts';

export const es: SignInText = (sender) => ({
  subject: 'Su enlace para iniciar sesión',
  paragraphs: [
    `Aquí tiene el enlace a su cuenta en ${sender}. Funciona una sola vez, durante 15 minutos.`,
    'Quien lo tenga puede abrir su cuenta, así que no lo comparta. Si no lo ha pedido, puede ignorar este correo.',
  ],
  action: 'Abrir mi cuenta',
});
