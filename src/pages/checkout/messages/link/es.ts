import type { LinkMessages } from './messages.ts';

export const es: LinkMessages = {
  seller: 'el vendedor',
  credits: 'Créditos que recibe',
  renews:
    'Cada renovación es un pago que usted confirma. Nunca cobramos nada de su billetera automáticamente.',
  reference: 'Referencia',
  open: 'Usted elige el importe',
  form: {
    title: 'Su pedido',
    amount: 'Importe en dólares',
    otherAmount: 'Otro importe en dólares',
    amountHint: ({ min, max }) => (max === undefined ? `Desde ${min}.` : `De ${min} a ${max}.`),
    email: 'Correo electrónico',
    emailHint: 'Aquí el vendedor puede contactarle sobre este pago.',
    referenceHint: 'El número que le dio el vendedor; por ejemplo, de pedido o de cliente.',
    submit: 'Continuar al pago',
    next: 'Usted paga en USDC en Solana, desde su propia billetera. Allí confirmará el pago.',
    startTrial: 'Empezar la prueba gratuita',
    trialNext:
      'No paga nada ahora y todavía no necesita una billetera. Antes de que termine la prueba le pediremos que confirme el primer pago.',
  },
  problems: {
    title: 'Revise sus datos',
    amount: ({ min, max }) =>
      max === undefined
        ? `Introduzca un importe de ${min} o más.`
        : `Introduzca un importe de ${min} a ${max}.`,
    amountAmbiguous:
      'Eso podría leerse como dos importes distintos. Escríbalo sin separador de miles, por ejemplo 1250 o 1250,00.',
    emailMissing: 'Introduzca su dirección de correo electrónico.',
    emailMalformed: 'Esto no es una dirección de correo. Debe parecerse a nombre@example.com.',
    referenceMissing: 'Introduzca la referencia que le dieron.',
    referenceMalformed: 'Como máximo 200 caracteres, sin saltos de línea.',
  },
  notFound: {
    title: 'Este enlace de pago no existe',
    text: 'Puede que la dirección esté incompleta o que el enlace se haya eliminado. Pídalo de nuevo al vendedor.',
  },
  damaged: {
    title: 'Este enlace de pago está dañado',
    text: (merchant) =>
      `La referencia de su dirección supera los 200 caracteres o contiene caracteres no admitidos. Pida un enlace nuevo a ${merchant}.`,
  },
  closed: {
    title: 'Este enlace de pago está cerrado',
    text: (merchant) => `Ya no acepta pagos. Para obtener uno nuevo, póngase en contacto con ${merchant}.`,
  },
  held: {
    title: 'Alguien lo está comprando',
    text: 'Otra persona está pagando el último disponible. Si no lo paga, volverá a ofrecerse aquí, normalmente en menos de una hora. No se le ha cobrado nada.',
    back: 'Comprobar de nuevo',
  },
  refused: {
    title: 'Ahora mismo no se puede pagar',
    text: (merchant) =>
      `No se ha pagado nada. Por el momento no se puede aceptar este pago. Póngase en contacto con ${merchant} o inténtelo más tarde.`,
    back: 'Intentar de nuevo',
  },
};
