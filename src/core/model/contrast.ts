/** A colour as # and six hexadecimal digits. */
type Color = string;

/** The backgrounds of pages, as in `site/styles/colours.css`: the page and its panels. */
export const backgrounds = {
  light: ['#ffffff', '#f6f8fa'],
  dark: ['#12161b', '#1a2027'],
} as const;

export type ColorScheme = keyof typeof backgrounds;

/** The least contrast of a text with its background (WCAG 2.2, 1.4.3). */
export const leastContrast = 4.5;

/** The contrast of a text with the background on which it is least readable. */
export function contrastOn(color: Color, scheme: ColorScheme): number {
  return Math.min(...backgrounds[scheme].map((background) => contrast(color, background)));
}

function contrast(one: Color, other: Color): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b) as [
    number,
    number,
  ];
  return (lighter + 0.05) / (darker + 0.05);
}

/** The relative luminance of WCAG 2.2. */
function luminance(color: Color): number {
  const [red, green, blue] = [1, 3, 5].map((from) => {
    const share = Number.parseInt(color.slice(from, from + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
