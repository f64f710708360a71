// Imported before a program: it lives on the day that DAY names, at the present time of day.
const { DAY } = process.env;

if (DAY !== undefined) {
  const Real = Date;
  const shift = Real.parse(DAY) - Real.parse(new Real().toISOString().slice(0, 10));

  globalThis.Date = class extends Real {
    constructor(...values) {
      super(...(values.length === 0 ? [Real.now() + shift] : values));
    }

    static now() {
      return Real.now() + shift;
    }
  };
}
