import { z } from 'zod';
import { documented } from './documented.ts';

/** What the pages put links on, in the light and in the dark: `--page` and `--panel` of the stylesheet. */
export const pageBackgrounds = {
  light: ['#ffffff', '#f5f7f9'],
  dark: ['#14181d', '#1c2229'],
} as const;

const minContrast = 4.5;

/** The colour of links and of the site's name. One that people could not read is refused (WCAG 2.2, 1.4.3). */
export const Accent = z.strictObject({
  light: documented(colorOn('light'), 'In the light, as # and six hexadecimal digits.', '#0b57a4'),
  dark: documented(colorOn('dark'), 'In the dark, as # and six hexadecimal digits.', '#8ebef8'),
});
export type Accent = z.infer<typeof Accent>;

function colorOn(scheme: keyof typeof pageBackgrounds) {
  return z
    .string()
    .regex(/^#[0-9a-fA-F]{6}$/, { error: 'expected a colour as # and six hexadecimal digits' })
    .superRefine((color, context) => {
      const measured = pageBackgrounds[scheme].map((background) => ({
        background,
        ratio: contrast(color, background),
      }));
      const worst = measured.reduce((a, b) => (b.ratio < a.ratio ? b : a));
      if (worst.ratio >= minContrast) return;
      // Rounded down: 4.499 is not 4.5.
      const ratio = (Math.floor(worst.ratio * 100) / 100).toFixed(2);
      context.addIssue({
        code: 'custom',
        message: `expected a contrast of at least ${minContrast}:1 to the ${scheme} background ${worst.background}; got ${ratio}:1 with "${color}"`,
      });
    });
}

/** The contrast of two colours, from 1 to 21 (WCAG 2.2, "contrast ratio"). */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red, green, blue] = [1, 3, 5].map((at) => {
    const channel = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
