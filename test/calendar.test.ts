import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMonths, isDay } from '../src/core/dates.ts';

const number = (max: number, width: number) => fc.nat(max).map((value) => String(value).padStart(width, '0'));

describe('the calendar', () => {
  it('has a day exactly where the clock of the language has it', () => {
    fc.assert(
      fc.property(number(9999, 4), number(15, 2), number(35, 2), (year, month, day) => {
        const date = new Date(0);
        date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));

        expect(isDay(`${year}-${month}-${day}`)).toBe(
          date.toISOString().slice(0, 10) === `${year}-${month}-${day}`,
        );
      }),
      { numRuns: 5000 },
    );
  });

  it('ends a term that began on a long month on the last day of a short one', () => {
    expect(addMonths('2026-08-31', 18)).toBe('2028-02-29');
    expect(addMonths('2025-08-31', 18)).toBe('2027-02-28');
    expect(addMonths('2025-03-31', 1)).toBe('2025-04-30');
  });

  it('knows no day in another form', () => {
    for (const text of [
      '0001-14-14',
      '2026-1-01',
      '2026-01-1',
      '02026-01-01',
      '2026-01-01\n',
      ' 2026-01-01',
      '2026-01-01T00:00:00Z',
    ]) {
      expect(isDay(text)).toBe(false);
    }
  });
});
