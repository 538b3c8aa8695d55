import type { Language } from '../../../platform/lib/language.ts';

/** Words that every page needs. */
export interface CommonMessages {
  skip: string;
  language: string;
  poweredBy: string;
  /** Link on a page that is embedded in another site. */
  newTab: string;
  sandbox: string;
  errors: {
    notFound: { title: string; text: string };
    gone: { title: string; text: string };
    tooMany: { title: string; text: string };
    unavailable: { title: string; text: string };
    broken: { title: string; text: string };
    refused: { title: string; text: string };
  };
  tryAgain: string;
  /** Links to the seller's e-mail address and their terms. */
  contact: string;
  terms: string;
  trace: string;
}

const en: CommonMessages = {
  skip: 'Skip to content',
  language: 'Language',
  poweredBy: 'Powered by',
  newTab: 'Pay in a new tab',
  sandbox: 'Sandbox: this is test money. It has no real value.',
  errors: {
    notFound: {
      title: 'Page not found',
      text: 'The link may be incomplete. Go back to where you found it and open it again.',
    },
    gone: { title: 'This is no longer available', text: 'Please ask the seller for a new link.' },
    tooMany: {
      title: 'One moment, please',
      text: 'There have been too many requests from your network. Please try again shortly.',
    },
    unavailable: {
      title: 'We’re temporarily unavailable',
      text: 'Nothing is lost. Any payment you sent will be found as soon as we’re back.',
    },
    broken: { title: 'Something went wrong on our side', text: 'We’ve been notified. Please try again.' },
    refused: { title: 'That didn’t work', text: 'Please go back and try again.' },
  },
  contact: 'Contact the seller',
  terms: 'Terms',
  tryAgain: 'Try again',
  trace: 'If you contact support, mention this reference:',
};

const de: CommonMessages = {
  skip: 'Zum Inhalt springen',
  language: 'Sprache',
  poweredBy: 'Läuft mit',
  newTab: 'In einem neuen Tab bezahlen',
  sandbox: 'Testumgebung: Das ist Testgeld. Nichts hier hat einen Wert.',
  errors: {
    notFound: {
      title: 'Hier ist nichts',
      text: 'Die Adresse ist vielleicht unvollständig. Öffnen Sie sie bitte noch einmal von dort, wo Sie sie gefunden haben.',
    },
    gone: { title: 'Das gibt es nicht mehr', text: 'Bitten Sie den Verkäufer um einen neuen Link.' },
    tooMany: {
      title: 'Einen Moment, bitte',
      text: 'Aus Ihrem Netz kamen viele Anfragen. Versuchen Sie es gleich noch einmal.',
    },
    unavailable: {
      title: 'Wir können gerade nicht antworten',
      text: 'Nichts ist verloren. Gesendete Zahlungen werden gefunden, sobald wir wieder da sind.',
    },
    broken: {
      title: 'Bei uns ist etwas schiefgegangen',
      text: 'Es ist vermerkt. Bitte versuchen Sie es noch einmal.',
    },
    refused: {
      title: 'Das hat nicht geklappt',
      text: 'Gehen Sie bitte zurück und versuchen Sie es noch einmal.',
    },
  },
  contact: 'Verkäufer kontaktieren',
  terms: 'AGB',
  tryAgain: 'Noch einmal versuchen',
  trace: 'Wenn Sie um Hilfe bitten, nennen Sie diese Nummer:',
};

const es: CommonMessages = {
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

const fr: CommonMessages = {
  skip: 'Aller au contenu',
  language: 'Langue',
  poweredBy: 'Propulsé par',
  newTab: 'Régler dans un nouvel onglet',
  sandbox: 'Bac à sable : cet argent est fictif. Rien ici n’a de valeur.',
  errors: {
    notFound: {
      title: 'Il n’y a rien ici',
      text: 'L’adresse est peut-être incomplète. Rouvrez-la depuis l’endroit où vous l’avez trouvée.',
    },
    gone: { title: 'Ceci n’est plus disponible', text: 'Demandez un nouveau lien au vendeur.' },
    tooMany: {
      title: 'Un instant, s’il vous plaît',
      text: 'Il y a eu beaucoup de demandes depuis votre réseau. Réessayez dans un moment.',
    },
    unavailable: {
      title: 'Nous ne pouvons pas répondre pour l’instant',
      text: 'Rien n’est perdu. Les paiements envoyés seront retrouvés dès notre retour.',
    },
    broken: { title: 'Une erreur est survenue de notre côté', text: 'Elle a été notée. Veuillez réessayer.' },
    refused: { title: 'Cela n’a pas fonctionné', text: 'Revenez en arrière et réessayez.' },
  },
  contact: 'Contacter le vendeur',
  terms: 'Conditions',
  tryAgain: 'Réessayer',
  trace: 'Si vous demandez de l’aide, indiquez ce numéro :',
};

const ar: CommonMessages = {
  skip: 'انتقل إلى المحتوى',
  language: 'اللغة',
  poweredBy: 'يعمل بواسطة',
  newTab: 'الدفع في علامة تبويب جديدة',
  sandbox: 'بيئة تجريبية: هذه أموال اختبار ولا قيمة لأي شيء هنا.',
  errors: {
    notFound: { title: 'لا يوجد شيء هنا', text: 'قد يكون العنوان غير مكتمل. افتحه مرة أخرى من حيث وجدته.' },
    gone: { title: 'لم يعد هذا متاحًا', text: 'اطلب رابطًا جديدًا من البائع.' },
    tooMany: { title: 'لحظة من فضلك', text: 'وردت طلبات كثيرة من شبكتك. حاول مجددًا بعد قليل.' },
    unavailable: {
      title: 'لا يمكننا الرد الآن',
      text: 'لم يضع شيء. سيُعثر على المدفوعات المرسلة حالما نعود.',
    },
    broken: { title: 'حدث خطأ من جانبنا', text: 'تم تسجيله. يُرجى المحاولة مرة أخرى.' },
    refused: { title: 'لم ينجح ذلك', text: 'ارجع وحاول مرة أخرى.' },
  },
  contact: 'تواصل مع البائع',
  terms: 'الشروط',
  tryAgain: 'حاول مرة أخرى',
  trace: 'إذا طلبت المساعدة فاذكر هذا الرقم:',
};

export const commonMessages: Record<Language, CommonMessages> = { en, de, es, fr, ar };
