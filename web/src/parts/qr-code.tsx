import encodeQR from 'qr';
import styles from './qr-code.module.css';

export const qrSvg = (text: string) => encodeQR(text, 'svg', { ecc: 'medium', border: 2 });

/** Code on white in the dark as well, so that a phone reads it. */
export function QrCode({ svg, alt, isLarge }: { svg: string; alt: string; isLarge?: boolean }) {
  return (
    <img
      src={`data:image/svg+xml,${encodeURIComponent(svg)}`}
      alt={alt}
      className={`${styles.code} ${isLarge ? styles.large : ''}`}
    />
  );
}
