import { escapeMarkup } from '../../../core/text/foreign-text.ts';

/** A part of a page or a picture, as HTML that is also XML. */
export interface Markup {
  readonly markup: string;
}

type Part = Markup | string | readonly Part[];

/** The tag of a template: each text that it inserts is escaped, and other markup is not. */
export function markup(strings: TemplateStringsArray, ...parts: readonly Part[]): Markup {
  let text = strings[0]!;
  for (const [index, part] of parts.entries()) {
    text += write(part) + strings[index + 1]!;
  }
  return { markup: text };
}

function write(part: Part): string {
  if (typeof part === 'string') {
    return escapeMarkup(part);
  }

  return 'markup' in part ? part.markup : part.map(write).join('');
}
