/** Renders HTML from templates. Templates decide nothing: views contain every text as the page shows it. */
import Handlebars from 'handlebars';
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, inputError } from '../../core/errors.ts';
import { memoize } from '../../core/memoize.ts';
import { formatDay } from '../../core/phrases.ts';
import { toLine } from '../../core/text.ts';
import type { Index } from '../load-index.ts';

export type RenderPage = (template: string, view: object, path?: string) => string;

// With `strict`, a misspelt field throws an error, except in a condition. `preventIndent` prevents Handlebars from indenting the lines of a
// `pre`.
const options = {
  strict: true,
  preventIndent: true,
  knownHelpersOnly: true,
  knownHelpers: { days: true },
};

/** The pages that contain the build's date. Other pages read it from `assets/today.css`, so their HTML doesn't change daily. */
export const datedPages = ['index', 'status'];

/** Compiles the templates of this program. Compiling and rendering throw an `InputError` for a template that Handlebars rejects. */
export function openTemplates(program: string, { settings, asOf }: Index): RenderPage {
  const { partials } = compileTemplates(program);
  // Phones subscribe to a `webcal:` URL, but from any other URL they only import a copy.
  const webcal = settings.releasesUrl.replace(/^https?:/, 'webcal:');
  return (template, view, path = `${template}.html`) => {
    // The type allows texts, but `compileTemplates` has compiled all templates to functions.
    const render = partials[template] as Handlebars.TemplateDelegate;
    // The host shows the 404 page at any URL, so its links must not be relative.
    const root = path === '404.html' ? new URL(`${settings.releasesUrl}/`).pathname : '';
    return render({
      page: {
        ...settings,
        path,
        root,
        webcal,
        current: { [template]: true },
        asOf: datedPages.includes(template) ? asOf : undefined,
      },
      ...view,
    });
  };
}

const compileTemplates = memoize((program: string) => {
  const handlebars = Handlebars.create();
  handlebars.registerHelper('days', markDays);
  const folder = join(program, 'site/templates');
  for (const file of globSync('*.hbs', { cwd: folder })) {
    const text = readFileSync(join(folder, file), 'utf8');
    const parsed = blameTemplate(file, () => handlebars.parse(text));
    // Handlebars is slower with data variables such as `@partial-block`, so they are enabled only in templates that use them.
    const template = handlebars.compile(parsed, { ...options, data: text.includes('@') });
    const isAround = text.includes('@partial-block');
    handlebars.registerPartial(
      basename(file, '.hbs'),
      // A template with `@partial-block`, such as `layout.hbs`, renders a block of another template, such as `status.hbs`. An error in the
      // block must name `status.hbs`. So the error is not attributed to `layout.hbs` here.
      isAround ? template : (...args) => blameTemplate(file, () => template(...args)),
    );
  }
  return handlebars;
});

/** Makes dates in a text readable: `15 Jan 2027` in a `time` element. */
function markDays(text: string): Handlebars.SafeString {
  const escaped = Handlebars.escapeExpression(text);
  return new Handlebars.SafeString(
    escaped.replaceAll(
      /\b\d{4}-\d\d-\d\d\b/g,
      (day) => `<time datetime="${day}">${formatDay(day)}</time>`,
    ),
  );
}

/** Runs `work`. If Handlebars throws an error, throws an `InputError` that names the template `file`. */
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
