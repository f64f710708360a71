import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  Accent,
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

test('a contrast that is too low is not rounded to one that is enough', () => {
  const { error } = Accent.safeParse({ light: '#008080', dark: '#8ebef8' });

  expect(error?.issues[0]?.message).toMatch(/at least 4\.5:1 .*; it is 4\.4:1$/);
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
