// Loaded before the server: its clock is wrong by CLOCK_SKEW_MS, from the start or, with CLOCK_SKEW_LATER, from the
// first SIGUSR2 on; each further one changes it again. Durations stay right, as with a wrong clock.
const wrongByMs = Number(process.env.CLOCK_SKEW_MS);
let skewMs = process.env.CLOCK_SKEW_LATER === undefined ? wrongByMs : 0;
const RealDate = Date;

process.on('SIGUSR2', () => {
  skewMs = skewMs === 0 ? wrongByMs : 0;
});

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + skewMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + skewMs;
  }
};
