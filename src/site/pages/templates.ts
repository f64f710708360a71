/** The one way of making HTML: templates, which decide nothing, and views, which are ready to be shown. */
import Handlebars from 'handlebars';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, inputError } from '../../core/errors.ts';
import { toLine } from '../../core/text.ts';
import { formatDay } from '../../core/words.ts';
import type { Index } from '../load-index.ts';

export type RenderPage = (template: string, view: object, path?: string) => string;

// A misspelt field throws, except in a condition. `preventIndent` keeps the lines of a `pre`.
const options = {
  strict: true,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { days: true },
};

/** These change from day to day; others leave their day to `assets/today.css`, and change with what they say. */
const dated = ['index', 'status'];

/** Compiles the templates of the program. Throws an `InputError` for one that Handlebars rejects; so does rendering. */
export function openTemplates(program: string, { settings, asOf }: Index): RenderPage {
  const handlebars = Handlebars.create();
  handlebars.registerHelper('days', markDays);
  const folder = join(program, 'site/templates');
  for (const file of globSync('*.hbs', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const parsed = blameTemplate(file, () => handlebars.parse(text));
    // Frames of data are costly, and few templates read them.
    const template = handlebars.compile(parsed, { ...options, data: text.includes('@') });
    const isAround = text.includes('@partial-block');
    handlebars.registerPartial(
      basename(file, '.hbs'),
      // A mistake in a block is one of the template that has the block.
      isAround ? template : (...args) => blameTemplate(file, () => template(...args)),
    );
  }

  // Calendars of phones follow such an address; of another, they import a copy.
  const webcal = settings.releasesUrl.replace(/^https?:/, 'webcal:');
  return (template, view, path = `${template}.html`) => {
    // All of them were compiled above.
    const render = handlebars.partials[template] as Handlebars.TemplateDelegate;
    // The host shows the 404 page at any address, where relative links would be broken.
    const root = path === '404.html' ? new URL(`${settings.releasesUrl}/`).pathname : '';
    return render({
      page: {
        ...settings,
        path,
        root,
        webcal,
        current: { [template]: true },
        asOf: dated.includes(template) ? asOf : undefined,
      },
      ...view,
    });
  };
}

/** A text with readable days: `15 Jan 2027` in a `time` element. */
function markDays(text: string): Handlebars.SafeString {
  const escaped = Handlebars.escapeExpression(text);
  return new Handlebars.SafeString(
    escaped.replaceAll(
      /\b\d{4}-\d\d-\d\d\b/g,
      (day) => `<time datetime="${day}">${formatDay(day)}</time>`,
    ),
  );
}

/** Rejections of Handlebars become an `InputError` about this file. */
function blameTemplate<T>(file: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof InputError) {
      throw error;
    }

    const reason = toLine((error as Error).message).replace(/ - (\d+):\d+$/, ' on line $1');
    throw inputError(
      `site/templates/${file}`,
      `Handlebars rejects it: ${reason}. The previous build stays`,
    );
  }
}
