import type { CheckoutMessages } from './messages.ts';

export const es: CheckoutMessages = {
  total: 'Total',
  quantity: (count) => `${count} ×`,
  credit: 'Saldo aplicado',
  period: (from, to) => `${from} – ${to}`,
  renews:
    'Cada renovación es un pago que usted confirma. Nunca cobramos nada de su billetera automáticamente.',
  credits: (count) => (count === '1' ? '1 crédito' : `${count} créditos`),
  sandboxHint:
    'Aquí no se puede pagar con billeteras reales. Use la billetera de prueba que aparece más abajo.',
  waiting: {
    title: 'Pagar con USDC en Solana',
    amount: 'Importe a pagar',
    scan: 'Escanee con su billetera',
    scanLabel: 'Código QR de este pago para una billetera de Solana',
    or: 'o',
    wallets: 'Billeteras en este navegador',
    payWith: 'Pagar con {wallet}',
    noSol: 'No necesita SOL: la comisión de red ya está cubierta.',
    connecting: 'Conectando con su billetera…',
    approve: 'Apruebe el pago en su billetera, por favor.',
    sent: 'Enviado. Esperando a la red…',
    refused: 'Pago cancelado en su billetera. No se le ha cobrado nada.',
    unsure:
      'Todavía no sabemos si su pago se envió. Espere, por favor: esta página lo mostrará cuando llegue. Podrá volver a intentarlo en 90 segundos.',
    openWallet: 'Abrir en la aplicación de billetera',
    openIn: (wallet) => `Abrir en ${wallet}`,
    expiresIn: 'Tiempo restante',
    late: (until) =>
      `La renovación no se pagó a tiempo. Pague antes del ${until} y su suscripción se reanudará.`,
    failedBefore: 'El último intento no se completó y no se recibió nada. Puede pagar de nuevo.',
    tooLarge: 'Este importe es demasiado grande para un solo envío. Póngase en contacto con el vendedor.',
    manual: 'Pagar manualmente',
    manualHint:
      'Para billeteras que no pueden escanear. Envíe exactamente este importe en USDC, en un solo envío.',
    sendExactly: 'Importe',
    token: 'Token USDC',
    toAddress: 'Dirección',
    reference: 'Referencia',
    referenceHint:
      'Añada la referencia si su billetera lo permite. Sin ella no podemos identificar su pago automáticamente. Después de pagar, pegue su transacción más abajo.',
    copy: 'Copiar',
    copied: 'Copiado',
    live: 'Detectaremos su pago automáticamente.',
    refresh: 'Comprobar de nuevo',
  },
  claim: {
    title: 'Ya he pagado',
    text: 'Normalmente su pago aparece en segundos. Si no es así, pegue su transacción y lo comprobaremos.',
    signature: 'Firma de la transacción (opcional)',
    hint: 'Su billetera la muestra en los detalles de la transacción.',
    send: 'Comprobar mi pago',
    thanks: 'Gracias. Estamos buscando su pago; esta página le avisará cuando lo encontremos.',
    malformed: 'Eso no es una firma de transacción. Tiene unas 88 letras y cifras.',
  },
  checking: {
    title: 'El tiempo se ha agotado',
    text: 'Estamos comprobando si se envió un pago a tiempo. Por favor, no pague ahora: solo tardaremos unos instantes.',
  },
  confirming: {
    title: 'Pago detectado',
    text: 'La red lo está confirmando. Tarda unos 15 segundos; puede salir de esta página.',
    part: (seen, missing) => `${seen} están en camino. Después todavía faltarán ${missing}.`,
  },
  underpaid: {
    title: (missing) => `Todavía faltan ${missing}`,
    text: (received, expected) =>
      `Hemos recibido ${received} de ${expected}. Pague el resto para completar el pago.`,
    late: (until) => `El plazo para pagar ha pasado, pero puede completarlo con el resto hasta el ${until}.`,
  },
  paid: {
    title: 'Pagado. ¡Gracias!',
    text: (amount, merchant) => `${merchant} ha recibido ${amount}.`,
    surplus: (amount, merchant) =>
      `Ha pagado ${amount} de más. Póngase en contacto con ${merchant} para obtener un reembolso.`,
    receipt: 'Recibo (PDF)',
    transaction: 'Transacción',
    paidAt: 'Pagado el',
    back: (merchant) => `Volver a ${merchant}`,
    close: 'Puede cerrar esta página.',
    number: 'Factura',
  },
  expired: {
    title: 'Este pago ha caducado',
    text: 'No se recibió nada a tiempo. Por favor, no envíe dinero a esta dirección.',
    alreadyPaid: (until) =>
      `¿Ya lo ha enviado? Un pago que llegue tarde sigue contando hasta el ${until}, y esta página lo mostrará.`,
    again: 'Empezar de nuevo',
  },
  over: {
    title: 'Este pago está cerrado',
    text: 'Ya no se puede pagar aquí. Si envió dinero, póngase en contacto con el vendedor e indíquele su transacción.',
  },
  canceled: {
    title: 'Este pago se ha cancelado',
    text: 'Por favor, no pague. Si ya envió dinero, póngase en contacto con el vendedor: puede verlo.',
  },
  cancel: 'Cancelar y volver',
  backTo: (merchant) => `Volver a ${merchant}`,
  toAccount: 'Volver a su cuenta',
  terminal: {
    title: (name) => name,
    idle: 'Listo',
    idleText: 'El próximo pago aparecerá aquí.',
    inactive: 'Este terminal está desactivado.',
    next: 'Esperando el próximo pago',
    thanks: '¡Gracias!',
  },
  testWallet: {
    title: 'Billetera de prueba',
    text: 'Paga con dinero ficticio en la cadena de pruebas, y el pago se detecta como cualquier otro.',
    exact: 'Pagar lo exacto',
    less: 'Pagar de menos',
    more: 'Pagar de más',
    twice: 'Pagar dos veces',
    late: 'Pagar tarde',
    no_reference: 'Pagar sin referencia',
    fail: 'Fallar en la cadena',
    wrong_mint: 'Pagar con otro token',
    lateHint: '«Pagar tarde» adelanta primero el reloj del entorno de pruebas más allá del plazo.',
  },
};
