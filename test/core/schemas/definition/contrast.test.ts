import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  backgrounds,
  computeLeastContrast,
} from '../../../../src/core/schemas/definition/accent.ts';
import { checkout } from '../../../harness/checkout.ts';

test.each([
  // WCAG 2.2 gives 21:1 for black on white.
  ['#000000', 'light', 19.7],
  ['#ffe600', 'light', 1.2],
  ['#ffffff', 'dark', 16.4],
  ['#777777', 'light', 4.2],
] as const)('the contrast of %s on a %s page is %f:1', (color, scheme, expected) => {
  expect(computeLeastContrast(color, scheme)).toBeCloseTo(expected, 0);
});

test('the backgrounds are those of the stylesheet', () => {
  const css = readFileSync(join(checkout, 'site/styles/colours.css'), 'utf8');
  const long = (color: string) => color.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  const stated = ['page', 'panel'].map((name) => {
    const [, light, dark] = new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(css)!;
    return [long(light!), long(dark!)];
  });

  expect(stated).toEqual([0, 1].map((at) => [backgrounds.light[at], backgrounds.dark[at]]));
});
