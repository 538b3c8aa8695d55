import type { RefundMessages } from './messages.ts';

export const es: RefundMessages = {
  head: 'Su reembolso',
  number: 'Reembolso',
  address: 'Dirección',
  transaction: 'Transacción',
  sentAt: 'Enviado',
  validUntil: 'Válido hasta',
  copy: 'Copiar',
  copied: 'Copiado',
  part: (sent) => `Ya han llegado ${sent}. El resto está por llegar.`,
  asking: {
    title: '¿Adónde enviamos su reembolso?',
    text: (merchant) =>
      `${merchant} quiere enviarle este dinero en USDC en Solana. Indique la dirección de su billetera.`,
  },
  form: {
    label: 'Dirección de Solana de su billetera',
    hint: 'En su billetera aparece en «Recibir». Cópiela y compare los primeros y los últimos caracteres.',
    warning:
      'No indique la dirección de depósito de una plataforma de intercambio, salvo que acepte USDC en Solana exactamente en esa dirección. El dinero enviado a una dirección de otro token o de otra red se pierde.',
    submit: 'Usar esta dirección',
    change: 'Cambiar la dirección',
    problem: 'Revise los datos',
    missing: 'Escriba la dirección de su billetera.',
    malformed: 'Esto no es una dirección de Solana. Tiene entre 32 y 44 letras y números.',
    unusable:
      'No se puede enviar nada a esta dirección. Escriba la dirección de su propia billetera, no la de un token, una cuenta de token o un programa.',
    unavailable:
      'Ahora mismo no se puede acceder a la red y no se ha guardado nada. Inténtelo de nuevo en un momento.',
  },
  wallet: {
    title: 'O con una billetera de este navegador',
    text: 'Firme con la billetera con la que pagó y nadie tendrá que aprobar la dirección. Firmar no cuesta nada ni mueve dinero.',
    textUnknown: 'Rellena su dirección por usted.',
    offer: 'Usar {wallet}',
    connecting: 'Conectando con su billetera…',
    approve: 'Firme el mensaje en su billetera.',
    confirmed: 'Gracias. Su reembolso irá a la billetera con la que pagó.',
    refused: 'La billetera no ha firmado. No se ha cambiado nada.',
    failed: 'No se ha aceptado la firma y no se ha cambiado nada. Escriba la dirección en su lugar.',
    other: 'Hemos rellenado la dirección de esta billetera. Compruébela y envíe el formulario.',
  },
  awaitingApproval: {
    title: 'Gracias. Hemos guardado la dirección.',
    text: (merchant) =>
      `${merchant} la revisará y después enviará su reembolso. Hasta entonces todavía puede cambiarla.`,
  },
  ready: {
    title: 'Su reembolso se enviará pronto',
    text: (merchant) =>
      `La dirección está confirmada y ya no se puede cambiar. Ahora ${merchant} enviará el dinero.`,
  },
  processing: {
    title: 'Su reembolso está en camino',
    text: () => 'La red lo está confirmando. Tarda unos 15 segundos.',
  },
  succeeded: {
    title: 'Su reembolso ha llegado',
    text: (merchant) => `${merchant} lo ha enviado a su dirección.`,
  },
  canceled: {
    title: 'Este reembolso se ha cancelado',
    text: (merchant) => `No se enviará nada. Si no lo esperaba, pregunte a ${merchant}.`,
  },
  expired: {
    title: 'Este reembolso ha caducado',
    text: (merchant) => `No se envió a tiempo. Pida uno nuevo a ${merchant}.`,
  },
};
