import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

/** Where a gateway answers while the application is being worked on: `npm run dev -w dashboard`. */
const GATEWAY = 'http://127.0.0.1:8080';

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: {
    // Browsers of the last three years or so; nobody keeps a gateway's books on a feature phone.
    target: 'es2022',
    sourcemap: false,
    // The server reads everything below this name as immutable.
    assetsDir: 'assets',
    // Images would become data: addresses, which the policy of the page does not allow.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 700,
  },
  server: { proxy: { '/console': GATEWAY } },
});
