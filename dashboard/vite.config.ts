import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a gateway answers while the application is being worked on: `npm run dev -w dashboard`. */
const GATEWAY = 'http://127.0.0.1:8080';

export default defineConfig(({ command }) => {
  // Also where a test builds it: else React is the slow one for development, and the files name folders of the machine.
  if (command === 'build') process.env['NODE_ENV'] = 'production';
  return {
    base: '/dashboard/',
    plugins: [react()],
    build: {
      // Browsers of the last three years or so; no one runs a gateway from a feature phone.
      target: 'es2022',
      sourcemap: false,
      // The server reads everything below this name as immutable.
      assetsDir: 'assets',
      // Images would become data: addresses, which the policy of the page does not allow.
      assetsInlineLimit: 0,
      chunkSizeWarningLimit: 700,
    },
    // The gateway rejects requests of pages that are not its own.
    server: { proxy: { '/console': { target: GATEWAY, changeOrigin: true, headers: { origin: GATEWAY } } } },
  };
});
