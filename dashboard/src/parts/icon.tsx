// Line drawings of 24 by 24. They stand beside words; alone only on a button whose label says what it does.

const SHAPES = {
  overview: 'M4 19V9M10 19V5M16 19v-7M22 19H2',
  payments: 'M4 7h16M4 12h16M4 17h10',
  payouts: 'M12 19V5M6 11l6-6 6 6',
  batch: 'M4 6h16v5H4zM4 15h16v4H4z',
  wallet: 'M3 7h15a2 2 0 0 1 2 2v9H5a2 2 0 0 1-2-2zM3 7l12-3v3M16 13h1',
  statement: 'M6 3h9l4 4v14H6zM9 11h7M9 15h7',
  callbacks: 'M4 12a8 8 0 0 1 14-5l2 2M20 4v5h-5M20 12a8 8 0 0 1-14 5l-2-2M4 20v-5h5',
  key: 'M14 10a4 4 0 1 0-3.5 4L13 16.5h2.5v2.5H18v2h3v-3l-7-7',
  shield: 'M12 3l7 3v6c0 4-3 7-7 9-4-2-7-5-7-9V6z',
  team:
    'M9 11a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7zM2.5 20a6.5 6.5 0 0 1 13 0' +
    'M16 4.5a3.5 3.5 0 0 1 0 6.5M18 14a6.5 6.5 0 0 1 3.5 6',
  person: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 20.5a7.5 7.5 0 0 1 15 0',
  audit: 'M5 4h14v16H5zM9 9h6M9 13h6M9 17h3',
  merchants: 'M4 10l1.5-5h13L20 10M4 10v10h16V10M4 10h16M9.5 20v-5h5v5',
  providers: 'M5 20v-6M10 20v-9M15 20V8M20 20V4',
  trouble: 'M12 4l9 16H3zM12 10v4M12 17v.01',
  ledger: 'M5 4h11a3 3 0 0 1 3 3v13H8a3 3 0 0 1-3-3zM9 4v16M12.5 9h3',
  fees: 'M18 6L6 18M8 9.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3zM16 17.5a1.5 1.5 0 1 0 0-3 1.5 1.5 0 0 0 0 3z',
  move: 'M4 8h14M14 4l4 4-4 4M20 16H6M10 12l-4 4 4 4',
  approve: 'M4 12.5l5 5L20 6.5',
  erase: 'M4 16l9-9 6 6-6 6H7zM13 19h7',
  health: 'M3 12h4l3-7 4 14 3-7h4',
  settings:
    'M4 7h9M17 7h3M4 17h3M11 17h9M15 9.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z' +
    'M9 19.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5z',
  search: 'M11 18a7 7 0 1 0 0-14 7 7 0 0 0 0 14zM16 16l5 5',
  eye: 'M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12zM12 15a3 3 0 1 0 0-6 3 3 0 0 0 0 6z',
  copy: 'M9 9h11v11H9zM5 15H4V4h11v1',
  check: 'M5 12.5l4.5 4.5L19 7.5',
  close: 'M6 6l12 12M18 6L6 18',
  plus: 'M12 5v14M5 12h14',
  refresh: 'M20 11a8 8 0 1 0-2 6M20 5v6h-6',
  download: 'M12 4v11M7 10.5l5 5 5-5M4 20h16',
  upload: 'M12 16V5M7 9.5l5-5 5 5M4 20h16',
  filter: 'M4 6h16M7 12h10M10 18h4',
  left: 'M15 5l-7 7 7 7',
  right: 'M9 5l7 7-7 7',
  down: 'M5 9l7 7 7-7',
  more: 'M5 12h.01M12 12h.01M19 12h.01',
  external: 'M9 5H5v14h14v-4M13 5h6v6M19 5l-9 9',
  calendar: 'M4 6h16v14H4zM4 10h16M8 3v4M16 3v4',
  clock: 'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18zM12 7v5l3 2',
  leave: 'M10 4H5v16h5M14 8l4 4-4 4M18 12H9',
} as const;

export type IconName = keyof typeof SHAPES;

export function Icon({ name, sizePx = 18 }: { readonly name: IconName; readonly sizePx?: number }) {
  return (
    <svg
      viewBox="0 0 24 24"
      width={sizePx}
      height={sizePx}
      fill="none"
      stroke="currentColor"
      strokeWidth={1.75}
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
      style={{ flexShrink: 0 }}
    >
      <path d={SHAPES[name]} />
    </svg>
  );
}

/** A coin that drops into an open purse, which is also an M: the mark of the hosted pages. */
export function Mark({ sizePx = 22 }: { readonly sizePx?: number }) {
  return (
    <svg viewBox="0 0 24 24" width={sizePx} height={sizePx} aria-hidden="true" focusable="false">
      <circle cx="12" cy="4.4" r="3" fill="currentColor" />
      <path
        d="M4 20.3V9.4l8 7 8-7v10.9"
        fill="none"
        stroke="currentColor"
        strokeWidth="3.4"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
