import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { checkout } from '../harness/checkout.ts';
import { contrast } from '../harness/contrast.ts';

const stylesheet = readFileSync(join(checkout, 'site/assets/site.css'), 'utf8');
const colors = new Map(
  Array.from(
    stylesheet.matchAll(/--([\w-]+): light-dark\((#\w+), (#\w+)\)/g),
    ([, name, light, dark]) => [name!, { light: light!, dark: dark! }] as const,
  ),
);
const backgrounds = ['page', 'panel'];
const texts = ['text', 'quiet', 'link', 'ok', 'soon'];

it.each(['light', 'dark'] as const)('every text has enough contrast in %s colours', (scheme) => {
  const pairs = [
    ...texts.flatMap((text) => backgrounds.map((background) => [text, background] as const)),
    ...['ok-bar', 'soon-bar', 'over-bar'].map(
      (bar) => [bar === 'over-bar' ? 'quiet' : 'in-bar', bar] as const,
    ),
  ];

  for (const [text, background] of pairs) {
    const ratio = contrast(colors.get(text)![scheme], colors.get(background)![scheme]);
    expect(ratio, `${text} on ${background}`).toBeGreaterThanOrEqual(4.5);
  }
});
