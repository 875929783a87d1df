// Starts the viewer on this page's document. Requests go to the gateway that the page came from, through no proxy.
// The theme is the one chosen on the other pages, under the name VitePress keeps it by.
const chosen = localStorage.getItem('vitepress-theme-appearance') ?? 'auto';
const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches;
const isDark = chosen === 'dark' || (chosen === 'auto' && prefersDark);
document.documentElement.classList.toggle('dark', isDark);

const viewer = document.querySelector('#viewer');
globalThis.Scalar.createApiReference('#viewer', {
  url: viewer.dataset.document,
  servers: [{ url: location.origin, description: 'This gateway' }],
  forceDarkModeState: isDark ? 'dark' : 'light',
  hideDarkModeToggle: true,
  theme: 'none',
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
  documentDownloadType: 'direct',
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
});
