import Handlebars from 'handlebars';
import { isDay } from '../../../core/dates.ts';
import { TemplateError } from '../../../core/schemas/template-error.ts';
import type { SiteTheme } from '../site-context.ts';

type Template = (view: object) => string;

/**
 * A misspelt field throws (`strict`), everything is escaped, and the lines inside `pre` keep their indentation
 * (`preventIndent`). Without helpers of our own a template can show and repeat, not decide.
 */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true };

/** One environment for each theme, so that a build compiles each template once, however many pages it makes. */
const compiled = new WeakMap<SiteTheme, ReadonlyMap<string, Template>>();

/** Renders `site/templates/<name>.hbs`; every template may use every other one as a partial. Throws a TemplateError. */
export function renderTemplate(theme: SiteTheme, name: string, view: object): string {
  const file = `site/templates/${name}.hbs`;
  const template = templatesOf(theme).get(name);
  if (!template) throw new TemplateError(`${file}: no such template; this program has one to copy`);
  try {
    return template(view);
  } catch (error) {
    throw refusalOf(file, error as Error);
  }
}

/** Views are plain data, so that any error while one is rendered comes from the template. */
function refusalOf(file: string, error: Error): TemplateError {
  const what = error.message
    .replace(/ in \[object Object\]/, '')
    .split('\n')[0]!
    .replace(/[:.]$/, '');
  return new TemplateError(
    `${file}, or a template it uses: ${what}. Compare it with the one that this version of the program came with.`,
    { cause: error },
  );
}

/** Handlebars compiles a template when it is first used, so that a broken one matters only then. */
function templatesOf(theme: SiteTheme): ReadonlyMap<string, Template> {
  const known = compiled.get(theme);
  if (known) return known;
  const handlebars = Handlebars.create();
  const templates = new Map(
    Array.from(theme.templates, ([name, text]) => [name, handlebars.compile(text, options)]),
  );
  handlebars.registerPartial(Object.fromEntries(templates));
  compiled.set(theme, templates);
  return templates;
}

/** A part of a text: words, or a day. The other is empty. */
export interface TextPart {
  words: string;
  day: string;
}

/** For `days.hbs`: a text in parts, so that its days are marked as such, and none breaks at the end of a line. */
export function daysIn(text: string): TextPart[] {
  return text
    .split(/\b(\d{4}-\d{2}-\d{2})\b/)
    .filter((part) => part !== '')
    .map((part) => (isDay(part) ? { words: '', day: part } : { words: part, day: '' }));
}
