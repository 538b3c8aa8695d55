import { type CSSVariablesResolver, createTheme, type MantineColorsTuple } from '@mantine/core';
import { t } from '../words/t.ts';

/** The green of Florin's own pages. */
const green: MantineColorsTuple = [
  '#e3f2ee',
  '#c8e6de',
  '#9bd3c4',
  '#62ccb0',
  '#3fae94',
  '#2f9c82',
  '#17806a',
  '#0b6b57',
  '#085546',
  '#054236',
];

/** Dark enough for white words on it. */
const red: MantineColorsTuple = [
  '#fdebe9',
  '#fad4d0',
  '#f5a19a',
  '#ee7a70',
  '#e0564b',
  '#d13d32',
  '#bd2c23',
  '#a9241c',
  '#8c1c15',
  '#701510',
];

/** Greys with a touch of blue, as on Florin's own pages in the dark. */
const dark: MantineColorsTuple = [
  '#e8ecf0',
  '#b4bec9',
  '#98a3af',
  '#6b7683',
  '#3a4550',
  '#2b343e',
  '#1a2027',
  '#12171c',
  '#0d1115',
  '#080b0e',
];

export const theme = createTheme({
  components: {
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': t('Close') } } },
    Modal: {
      defaultProps: { closeButtonProps: { 'aria-label': t('Close') } },
      styles: { title: { fontSize: '16px', fontWeight: 650 } },
    },
    // Nearly every field is required; the few optional ones say so.
    InputWrapper: { defaultProps: { withAsterisk: false } },
  },
  colors: { green, red, dark },
  primaryColor: 'green',
  primaryShade: { light: 7, dark: 7 },
  defaultRadius: 'md',
  cursorType: 'pointer',
  respectReducedMotion: true,
  fontFamily:
    'Inter, system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, "Noto Sans", sans-serif',
  fontFamilyMonospace: 'ui-monospace, "SF Mono", SFMono-Regular, Menlo, Consolas, monospace',
  fontSizes: { xs: '12px', sm: '14px', md: '14px', lg: '17px', xl: '20px' },
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '22px' }, h2: { fontSize: '16px' } } },
});

/** Texts that Mantine makes too pale for WCAG AA, and the colours of states. */
export const colors: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': '#545f6b',
    '--mantine-color-placeholder': '#66717d',
    '--mantine-color-anchor': '#0b6b57',
    '--mantine-color-error': '#a9241c',
    '--mantine-color-body': '#ffffff',
    '--sunken': '#f5f7f8',
    '--line': '#e3e8ec',
    '--good': '#0b6b57',
    '--good-soft': '#e3f2ee',
    '--warn': '#7a4b00',
    '--warn-soft': '#fdf2dc',
    '--bad': '#a9241c',
    '--bad-soft': '#fdebe9',
    '--calm': '#454f5a',
    '--calm-soft': '#eef1f3',
    '--busy': '#1b4f9c',
    '--busy-soft': '#e6eefb',
  },
  dark: {
    '--mantine-color-dimmed': '#a3aeba',
    '--mantine-color-placeholder': '#98a3af',
    '--mantine-color-anchor': '#62ccb0',
    '--mantine-color-error': '#f5a19a',
    '--mantine-color-body': '#12171c',
    '--mantine-color-text': '#e8ecf0',
    '--sunken': '#0d1115',
    '--line': '#2b343e',
    '--good': '#62ccb0',
    '--good-soft': '#12302a',
    '--warn': '#f0c071',
    '--warn-soft': '#362a12',
    '--bad': '#f5a19a',
    '--bad-soft': '#3b1a18',
    '--calm': '#b4bec9',
    '--calm-soft': '#222a33',
    '--busy': '#9dc1ff',
    '--busy-soft': '#162641',
  },
});
