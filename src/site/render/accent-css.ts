import type { Accent } from '../../core/schemas/accent.ts';

/** `assets/accent.css`: the colours of an index of its own, over those of the stylesheet. Paper stays black and white. */
export function renderAccentStylesheet({ light, dark }: Accent): string {
  return `@media screen{:root{--brand:${light};--link:${light}}}
@media screen and (prefers-color-scheme:dark){:root{--brand:${dark};--link:${dark}}}
`;
}
