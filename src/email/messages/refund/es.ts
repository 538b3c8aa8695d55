import type { RefundMessages } from './messages.ts';

export const es: RefundMessages = {
  language: 'es',
  emails: {
    refund_claim: ({ sender, number, amount, expiresAt }) => ({
      subject: `¿Adónde enviamos su reembolso? (${number})`,
      paragraphs: [
        `${sender} quiere reembolsarle ${amount}. Indique a qué dirección de Solana debe enviarse.`,
        `El enlace es solo para usted y sirve hasta el ${expiresAt}. Nadie le pedirá nunca una contraseña ni una clave secreta.`,
      ],
      action: 'Indicar la dirección',
    }),
    refund_sent: ({ sender, number, amount }) => ({
      subject: `Se ha enviado su reembolso (${number})`,
      paragraphs: [`${sender} le ha enviado ${amount}, que ya han llegado a su dirección.`],
    }),
  },
  labels: {
    refund: 'Reembolso',
    amount: 'Importe',
    address: 'Dirección',
    sentAt: 'Enviado el',
    creditNote: 'Factura rectificativa',
    transaction: 'Transacción de Solana',
  },
};
