import * as z from 'zod';
import { documented } from '../keys.ts';

/** The backgrounds of pages, as in `site/styles/colours.css`: the page and its panels. */
export const backgrounds = {
  light: ['#ffffff', '#f6f8fa'],
  dark: ['#12161b', '#1a2027'],
} as const;

type ColorScheme = keyof typeof backgrounds;

/** The least contrast of a text with its background (WCAG 2.2, 1.4.3). */
const minContrast = 4.5;

/** The contrast of a text, in a colour such as #0b57a4, with the background on which it is least readable. */
export function computeLeastContrast(color: string, scheme: ColorScheme): number {
  return Math.min(...backgrounds[scheme].map((background) => computeContrast(color, background)));
}

function computeContrast(left: string, right: string): number {
  const luminances = [left, right].map(computeLuminance);
  return (Math.max(...luminances) + 0.05) / (Math.min(...luminances) + 0.05);
}

/** The relative luminance of WCAG 2.2. */
function computeLuminance(color: string): number {
  const weights = [0.2126, 0.7152, 0.0722];
  let luminance = 0;
  for (const [index, weight] of weights.entries()) {
    const start = 1 + 2 * index;
    const share = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    luminance += weight * (share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4);
  }
  return luminance;
}

/** A colour that can be read on the pages. */
function createColorSchema(scheme: ColorScheme) {
  return z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, {
      error: 'expected a colour as # and six hexadecimal digits',
      abort: true,
    })
    .check(({ value, issues }) => {
      const contrast = computeLeastContrast(value, scheme);
      if (contrast < minContrast) {
        // Rounded, 4.48 would be the expected 4.5.
        const shown = Math.min(contrast, minContrast - 0.1).toFixed(1);
        const message = `expected a contrast of at least ${minContrast}:1 with the ${scheme} page; it is ${shown}:1`;
        issues.push({ code: 'custom', message, input: value });
      }
    });
}

/** The colours of a site, one for each background. */
export const Accent = z.strictObject(
  {
    light: documented(
      createColorSchema('light'),
      'On a light background, as # and six hexadecimal digits.',
      '#0b57a4',
    ),
    dark: documented(
      createColorSchema('dark'),
      'On a dark background, as # and six hexadecimal digits.',
      '#8ebef8',
    ),
  },
  {
    error: ({ code }) =>
      code === 'invalid_type'
        ? 'expected two colours, such as { "light": "#0b57a4", "dark": "#8ebef8" }'
        : undefined,
  },
);
export type Accent = z.infer<typeof Accent>;
