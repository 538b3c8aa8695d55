import type { PlanMessages } from './messages.ts';

export const es: PlanMessages = {
  language: 'es',
  emails: {
    plan_changed: ({ sender, plan }) => ({
      subject: 'Su plan ha cambiado',
      paragraphs: [`Su suscripción en ${sender} ahora es ${plan}.`],
    }),
    plan_change_planned: ({ sender, plan, at }) => ({
      subject: 'Su plan va a cambiar',
      paragraphs: [`Su suscripción en ${sender} cambia a ${plan} el ${at}. Hasta entonces no cambia nada.`],
    }),
    plan_change_to_pay: ({ sender, plan, at, due }) => ({
      subject: 'Confirme su nuevo plan',
      paragraphs: [
        `Su suscripción en ${sender} cambia a ${plan} en cuanto pague ${due}. La oferta termina el ${at}.`,
        'Si no paga, conserva su plan actual.',
      ],
      action: 'Pagar y cambiar',
    }),
    plan_change_withdrawn: ({ sender, plan }) => ({
      subject: 'Su plan sigue igual',
      paragraphs: [`Se ha retirado el cambio de su suscripción en ${sender}. Conserva ${plan}.`],
    }),
    cancellation_set: ({ sender, plan, at }) => ({
      subject: 'Su suscripción está cancelada',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} termina el ${at}. Hasta entonces conserva el acceso.`,
        'No le pediremos ningún otro pago.',
      ],
    }),
    subscription_ended: ({ sender, plan, at }) => ({
      subject: 'Su suscripción ha terminado',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} terminó el ${at}.`,
        'No le pediremos ningún otro pago.',
      ],
    }),
    cancellation_undone: ({ sender, plan, at }) => ({
      subject: 'Su suscripción continúa',
      paragraphs: [
        `Su suscripción a ${plan} en ${sender} ya no está cancelada. Se renueva el ${at}.`,
        'Nunca cobramos automáticamente de su billetera: usted confirma cada pago.',
      ],
    }),
  },
};
