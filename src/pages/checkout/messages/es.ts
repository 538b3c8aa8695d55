import type { CheckoutMessages } from './messages.ts';

export const es: CheckoutMessages = {
  total: 'Total',
  quantity: (count) => `${count} ×`,
  credit: 'Saldo aplicado',
  note: 'Nota',
  discount: 'Descuento:',
  code: {
    label: 'Código promocional',
    apply: 'Aplicar',
    remove: 'Quitar',
    invalid: 'Este código no es válido.',
    refused: 'Este código no se puede usar en este momento.',
    idle: 'Este código no se aplica a este pedido.',
  },
  tip: {
    label: 'Añadir propina',
    other: 'Otro importe en dólares',
    add: 'Añadir',
    none: 'Sin propina',
    wrong: (max) => `Introduzca un importe de hasta ${max}.`,
    refused: 'En este momento no se puede añadir una propina.',
  },
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
    noSol: 'No necesita SOL: no tiene que pagar la comisión de red.',
    noSolLeft: '¿No tiene SOL en su billetera? No tiene que pagar la comisión de red.',
    connecting: 'Conectando con su billetera…',
    approve: 'Apruebe el pago en su billetera, por favor.',
    ownFee:
      'No podemos pagar la comisión de la red para esta billetera. Apruebe de nuevo, por favor: la paga su billetera, menos de un centavo en SOL.',
    sent: 'Enviado. Esperando a la red…',
    refused: 'Pago cancelado en su billetera. No se le ha cobrado nada.',
    silent:
      'Su billetera no responde. Ábrala y busque una solicitud. Si no hay ninguna, vuelva a cargar esta página.',
    feeMissing:
      'Su billetera no tiene suficiente SOL para la comisión de la red. Añada un poco de SOL o pague con otra billetera.',
    moneyMissing: 'Su billetera no tiene suficiente USDC. Añada USDC o pague con otra billetera.',
    otherNetwork: (network) => `Su billetera está en otra red. Cámbiela a ${network} e inténtelo de nuevo.`,
    notTaken:
      'Este pago no se ha realizado. Recargue la página. Si el pago sigue pendiente, compruebe que su billetera tiene suficiente USDC e inténtelo de nuevo.',
    walletFailed:
      'Su billetera ha indicado un error. Revise su actividad reciente antes de volver a intentarlo.',
    unsure:
      'Todavía no sabemos si su pago se envió. Espere, por favor: esta página lo mostrará cuando llegue. Podrá volver a intentarlo en 90 segundos.',
    openWallet: 'Abrir en la aplicación de billetera',
    openIn: (wallet) => `Abrir en ${wallet}`,
    noWallet: {
      title: '¿Qué es USDC? ¿Aún no tiene billetera?',
      usdc: 'USDC es un dólar digital: 1 USDC vale 1 dólar estadounidense. Se guarda en una billetera, una aplicación que solo usted controla.',
      text: 'Instale una aplicación de billetera de Solana, añada USDC y vuelva a esta página. Solo lleva unos minutos.',
      get: (wallet) => `Obtener ${wallet}`,
    },
    dueBy: 'Vence el',
    expiresIn: 'Tiempo restante',
    late: (until) => `Su suscripción no se pagó a tiempo. Pague antes del ${until} y se reanudará.`,
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
    otherWallet: {
      title: 'Pagar desde un exchange u otra billetera',
      text: 'Para Binance, Coinbase, Backpack, MetaMask y otros. Recibirá un importe exacto para este pago: menos de un centavo más que el precio.',
      ask: 'Mostrar el importe exacto',
      refused: 'Ahora mismo no podemos reservar un importe exacto. Por favor, pague de otra forma.',
      exactly: 'Envíe exactamente este importe. Así sabemos que el pago es suyo.',
      network: 'Envíelo como USDC en Solana, en un solo envío. Por otra red o con otro token no llegará.',
      fee: 'Si su exchange descuenta la comisión del importe, súmela: debe llegar exactamente este importe.',
      scanLabel: 'Código QR con este importe exacto para una billetera de Solana',
    },
    copy: 'Copiar',
    copied: 'Copiado',
    live: 'Detectaremos su pago automáticamente.',
    refresh: 'Comprobar de nuevo',
  },
  attempt: {
    failed: 'El último intento no se completó y no se recibió nada. Puede pagar de nuevo.',
    elsewhere:
      'Su última transacción pagó a otra cuenta que la indicada aquí, por lo que no cuenta. Compruébela en su billetera. Todavía puede pagar.',
    unknownToken: (amount, token) =>
      amount === null ? `un token desconocido (${token})` : `${amount} de un token desconocido (${token})`,
    arrived: (what, merchant) =>
      `${merchant} ha recibido ${what}. No es USDC, por lo que no cuenta como pago.`,
    ask: (merchant) => `Para recuperarlo, póngase en contacto con ${merchant}.`,
    askAt: (merchant) => `Para recuperarlo, póngase en contacto con ${merchant}:`,
    due: (amount) => `Quedan por pagar ${amount} en USDC.`,
  },
  claim: {
    title: 'Ya he pagado',
    text: 'Normalmente su pago aparece en segundos. Si no es así, pegue su transacción y lo comprobaremos.',
    signature: 'Firma de la transacción (opcional)',
    hint: 'Su billetera la muestra en los detalles de la transacción.',
    send: 'Comprobar mi pago',
    thanks: 'Gracias. Estamos buscando su pago; esta página le avisará cuando lo encontremos.',
    foundTitle: 'Hemos encontrado su pago',
    found: (merchant) =>
      `Hemos encontrado su pago, pero no indica a qué pedido corresponde. ${merchant} lo ve y lo asignará al suyo. No tiene que pagar de nuevo.`,
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
    trialTitle: 'Su prueba gratuita ha empezado',
    trialText: (until) => `Es gratis hasta el ${until}. Antes le pediremos el primer pago.`,
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
  trialLink: {
    mailedTitle: 'Revise su correo',
    mailed: (email) => `Hemos enviado un enlace a ${email}. Su prueba empieza cuando lo abra.`,
    title: 'Empiece su prueba gratuita',
    text: 'Con este paso confirma su correo electrónico. Ahora no paga nada.',
    start: 'Empezar mi prueba gratuita',
  },
  expired: {
    title: 'Este pago ha caducado',
    text: 'No se recibió nada a tiempo. Por favor, no envíe dinero a esta dirección.',
    alreadyPaid: (until) =>
      `¿Ya lo ha enviado? Un pago que llegue tarde sigue contando hasta el ${until}, y esta página lo mostrará.`,
    again: 'Empezar de nuevo',
  },
  partReceived: (received, expected, merchant) =>
    `${merchant} ha recibido ${received} de ${expected}. Si aún no se le ha devuelto, póngase en contacto con el vendedor.`,
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
    reserved_amount: 'Pagar el importe exacto sin referencia',
    fail: 'Fallar en la cadena',
    wrong_mint: 'Pagar con otro token',
    lateHint:
      '«Pagar tarde» adelanta primero el reloj del entorno de pruebas hasta que el pago llegue tarde.',
  },
};
