import { z } from 'zod';
import { documented } from './documented.ts';
import { HttpsUrl } from './links.ts';
import { Line, lineOf } from './scalars.ts';

const FooterLink = z.strictObject({
  text: documented(lineOf(60), 'What the link says.', 'Imprint'),
  url: documented(HttpsUrl, 'Where it leads: an https: address.', 'https://example.com/imprint'),
});

const Footer = z.strictObject({
  text: documented(
    Line.optional(),
    'A sentence at the foot of each page.',
    'Kept by the build team; ask in #builds.',
  ),
  links: documented(
    z.array(FooterLink).min(1).max(10).optional(),
    'Links at the foot of each page, at most ten.',
    [{ text: 'Imprint', url: 'https://example.com/imprint' }],
  ),
});

const Color = z
  .string()
  .regex(/^#[0-9a-fA-F]{6}$/, { error: 'expected a colour as # and six hexadecimal digits' });

const Accent = z.strictObject({
  light: documented(Color, 'On a light background, as # and six hexadecimal digits.', '#0b57a4'),
  dark: documented(Color, 'On a dark background, as # and six hexadecimal digits.', '#8ebef8'),
});
export type Accent = z.infer<typeof Accent>;

/** Keys of `site/site.json` by which an index looks like its own. */
export const siteLook = {
  logo: documented(
    z
      .string()
      .regex(/^[A-Za-z0-9][\w.-]*\.(?:svg|png)$/, {
        error: 'expected the name of an .svg or .png file in site/assets',
      })
      .optional(),
    'A file in site/assets, shown beside the name of the site, 24 pixels high.',
    'logo.svg',
  ),
  accent: documented(
    Accent.optional(),
    'Colour of links and of the name of the site. Choose one with a contrast of at least 4.5:1.',
    { light: '#0b57a4', dark: '#8ebef8' },
  ),
  footer: documented(Footer.optional(), 'What the index adds to the foot of each page.', {
    text: 'Kept by the build team; ask in #builds.',
  }),
};
