import type { CommonMessages } from './messages.ts';

export const es: CommonMessages = {
  skip: 'Ir al contenido',
  language: 'Idioma',
  poweredBy: 'Funciona con',
  newTab: 'Pagar en una pestaña nueva',
  sandbox: 'Entorno de pruebas: este dinero es ficticio. Nada de esto tiene valor.',
  errors: {
    notFound: {
      title: 'Aquí no hay nada',
      text: 'Puede que la dirección esté incompleta. Vuelva a abrirla desde donde la encontró.',
    },
    gone: { title: 'Esto ya no está disponible', text: 'Pida un enlace nuevo al vendedor.' },
    tooMany: {
      title: 'Un momento, por favor',
      text: 'Hubo muchas solicitudes desde su red. Inténtelo de nuevo en breve.',
    },
    unavailable: {
      title: 'Ahora mismo no podemos responder',
      text: 'No se ha perdido nada. Los pagos enviados se encontrarán en cuanto volvamos.',
    },
    broken: {
      title: 'Algo ha fallado por nuestra parte',
      text: 'Ha quedado registrado. Inténtelo de nuevo.',
    },
    refused: { title: 'No ha funcionado', text: 'Vuelva atrás e inténtelo de nuevo.' },
  },
  contact: 'Contactar con el vendedor',
  terms: 'Condiciones',
  tryAgain: 'Intentar de nuevo',
  trace: 'Si pide ayuda, mencione este número:',
};
