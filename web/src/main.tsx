import '@mantine/core/styles.css';
import '@mantine/notifications/styles.css';
import './app/app.css';
import './app/fonts.css';
import { DirectionProvider, MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './app/query-client.ts';
import { styleNonce } from './app/style-nonce.ts';
import { colors, theme } from './app/theme.ts';
import { router } from './router.tsx';
import { direction } from './words/language.ts';

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <DirectionProvider initialDirection={direction}>
      <MantineProvider
        theme={theme}
        cssVariablesResolver={colors}
        defaultColorScheme="auto"
        getStyleNonce={() => styleNonce}
      >
        <QueryClientProvider client={queryClient}>
          <RouterProvider router={router} />
        </QueryClientProvider>
      </MantineProvider>
    </DirectionProvider>
  </StrictMode>,
);
