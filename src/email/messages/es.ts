import type { FormattedFacts, Messages } from './messages.ts';

export const es: Messages = {
  language: 'es',
  greeting: (name) => (name ? `Hola, ${name}:` : 'Hola:'),
  emails: {
    renewal: ({ sender, number, due, dueAt }) => ({
      subject: `Ya puede pagar su renovación (${number})`,
      paragraphs: [
        `Su suscripción en ${sender} se renueva pronto. Pague ${due} antes del ${dueAt}.`,
        'Nunca cobramos de su billetera automáticamente: usted confirma cada pago.',
      ],
      action: 'Pagar ahora',
    }),
    reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Recordatorio: su renovación vence pronto (${number})`,
      paragraphs: [`La renovación de su suscripción en ${sender}, de ${due}, vence el ${dueAt}.`],
      action: 'Pagar ahora',
    }),
    past_due: ({ sender, number, due, endsAt }) => ({
      subject: `Su pago está vencido (${number})`,
      paragraphs: [
        `Su suscripción en ${sender} no se ha pagado. Quedan ${due} pendientes.`,
        `Conserva su acceso hasta el ${endsAt}. Si no ha pagado para entonces, la suscripción termina.`,
      ],
      action: 'Pagar ahora',
    }),
    canceled: ({ sender, number }) => ({
      subject: `Su suscripción ha terminado (${number})`,
      paragraphs: [
        `Su suscripción en ${sender} ha terminado porque no se pagó.`,
        'Pague en un plazo de 30 días para reanudarla.',
      ],
      action: 'Reanudar la suscripción',
    }),
    receipt: ({ sender, number }) => ({
      subject: `Su recibo de ${number}`,
      paragraphs: [`Gracias por su pago a ${sender}.`],
    }),
    trial_started: ({ sender, endsAt }) => ({
      subject: `Su prueba gratuita ha empezado`,
      paragraphs: [
        `Su prueba gratuita en ${sender} ha empezado. No paga nada hasta el ${endsAt}.`,
        'Le enviaremos la primera factura antes de que termine la prueba. Nunca cobramos de su billetera automáticamente: si no paga, la suscripción termina.',
      ],
    }),
    trial_ending: ({ sender, number, due, dueAt }) => ({
      subject: `Su prueba gratuita termina pronto (${number})`,
      paragraphs: [
        `Su prueba gratuita en ${sender} termina el ${dueAt}. Para conservar su suscripción, pague ${due} antes.`,
        'Nunca cobramos de su billetera automáticamente: usted confirma cada pago.',
      ],
      action: 'Pagar ahora',
    }),
    trial_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Recordatorio: su prueba gratuita termina pronto (${number})`,
      paragraphs: [
        `Su prueba gratuita en ${sender} termina el ${dueAt}. Pague ${due} para conservar su suscripción.`,
      ],
      action: 'Pagar ahora',
    }),
    invoice: ({ sender, number, due, dueAt }) => ({
      subject: `Su factura (${number})`,
      paragraphs: [`${sender} le ha enviado una factura. Pague ${due} antes del ${dueAt}.`],
      action: 'Ver y pagar',
    }),
    invoice_reminder: ({ sender, number, due, dueAt }) => ({
      subject: `Recordatorio: su factura vence pronto (${number})`,
      paragraphs: [`Su factura de ${sender}, de ${due}, vence el ${dueAt}.`],
      action: 'Ver y pagar',
    }),
    invoice_overdue: ({ sender, number, due, dueAt }) => ({
      subject: `Su factura está vencida (${number})`,
      paragraphs: [
        `Su factura de ${sender} venció el ${dueAt} y quedan ${due} pendientes. Páguela ahora.`,
        'Si acaba de pagar, puede ignorar este correo.',
      ],
      action: 'Ver y pagar',
    }),
    rest_reminder: (facts) => {
      const { sender, number, due } = facts;
      return {
        subject: `Quedan ${due} por pagar (${number})`,
        paragraphs: [
          `${sender} ha recibido una parte de su pago. Quedan ${due} por pagar.`,
          restOf(facts),
          'Si acaba de pagar, puede ignorar este correo.',
        ],
        action: 'Pagar el resto',
      };
    },
  },
  labels: {
    invoice: 'Factura',
    credit: 'Saldo aplicado',
    discount: 'Descuento',
    reverseCharge: 'Inversión del sujeto pasivo',
    included: 'incluye',
    total: 'Total (USDC)',
    waived: 'Importe condonado',
    stillDue: 'Importe pendiente',
    dueAt: 'Vence el',
    paidAt: 'Pagado el',
    transaction: 'Transacción de Solana',
  },
  account: 'Sus suscripciones y facturas',
  closing: (sender) => `¿Preguntas? Diríjase a ${sender}.`,
};

function restOf({ dueAt, endsAt, isOverdue }: FormattedFacts): string {
  if (endsAt !== null) return `Puede pagar el resto hasta el ${endsAt}.`;
  return isOverdue ? `El resto venció el ${dueAt}. Páguelo ahora.` : `El resto vence el ${dueAt}.`;
}
