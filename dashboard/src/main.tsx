import '@mantine/core/styles.css';
import '@mantine/charts/styles.css';
import '@mantine/notifications/styles.css';
import '@mantine/spotlight/styles.css';
import './theme.css';
import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { setNonce } from 'get-nonce';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { queryClient } from './api/queries.ts';
import { STYLE_NONCE } from './host.ts';
import { LanguageProvider } from './language.tsx';
import { router } from './router.ts';
import { WordedParts } from './shell/worded-parts.tsx';
import { resolveVariables, theme } from './theme.ts';

const root = document.getElementById('root');
if (root === null) throw new Error('the page has no place for the application');

// For the part of the components that keeps the page from scrolling behind a dialog: it asks here.
setNonce(STYLE_NONCE);

createRoot(root).render(
  <StrictMode>
    <MantineProvider
      theme={theme}
      cssVariablesResolver={resolveVariables}
      defaultColorScheme="auto"
      getStyleNonce={() => STYLE_NONCE}
    >
      <LanguageProvider>
        <WordedParts>
          <QueryClientProvider client={queryClient}>
            <Notifications position="bottom-right" />
            <RouterProvider router={router} />
          </QueryClientProvider>
        </WordedParts>
      </LanguageProvider>
    </MantineProvider>
  </StrictMode>,
);
