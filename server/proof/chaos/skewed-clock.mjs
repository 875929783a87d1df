// Loaded before the server: its clock is wrong by CLOCK_SKEW_MS. Durations stay right, as where a clock is off.
const skewMs = Number(process.env.CLOCK_SKEW_MS);
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...values) {
    if (values.length === 0) super(RealDate.now() + skewMs);
    else super(...values);
  }

  static now() {
    return RealDate.now() + skewMs;
  }
};
