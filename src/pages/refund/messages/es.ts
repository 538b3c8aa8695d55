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
    problems: {
      missing: 'Escriba la dirección de su billetera.',
      malformed: 'Esto no es una dirección de Solana. Tiene entre 32 y 44 letras y números, sin espacios.',
      truncated:
        'Esta dirección está incompleta. Cópiela entera con el botón de copiar de su billetera: tiene entre 32 y 44 caracteres.',
      other_network: 'Esta dirección es de otra red. Escriba la dirección de su billetera en Solana.',
      name: 'Esto es un nombre, no una dirección. Escriba la dirección a la que corresponde.',
      unavailable:
        'Ahora mismo no se puede acceder a la red y no se ha guardado nada. Inténtelo de nuevo en un momento.',
      program:
        'Esta es la dirección de un programa y el dinero enviado a ella se pierde. Escriba la dirección de su propia billetera.',
      mint: 'Esta es la dirección de un token, no de una billetera. Escriba la dirección de su propia billetera.',
      token_account:
        'Esta es su cuenta de USDC, no su billetera. Escriba la dirección de la billetera a la que pertenece.',
      other_token_account:
        'Esta cuenta es de otro token y no puede recibir USDC. Escriba la dirección de su propia billetera.',
      no_wallet:
        'Esta es una dirección especial de la red y no pertenece a nadie. Escriba la dirección de su propia billetera.',
      merchant: 'Esta es la dirección del vendedor. Escriba la dirección de su propia billetera.',
      reference:
        'Esta dirección solo identifica un pago o un reembolso y el dinero enviado a ella se pierde. Escriba la dirección de su propia billetera.',
      frozen:
        'La cuenta de USDC de esta billetera está bloqueada y no puede recibir nada. Escriba la dirección de otra billetera.',
      no_account:
        'Esta dirección pertenece a un programa y nunca ha tenido USDC. Escriba la dirección de su propia billetera.',
    },
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
