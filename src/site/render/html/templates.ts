import Handlebars from 'handlebars';
import { keepByObject } from '../../../core/model/objects.ts';
import { InputError, problem } from '../../../core/schemas/finding.ts';
import { notFoundPage } from '../paths.ts';
import {
  createCanonicalUrl,
  isClosed,
  isStatic,
  nameDatasource,
  writeCurl,
  type SiteContext,
  type SiteTheme,
} from '../site-context.ts';
import { drawDay, drawMove, markDays, markRelativeDays, type Markup } from './markup.ts';
import {
  drawKey,
  drawLegend,
  drawLines,
  drawNames,
  drawScale,
  drawTrack,
} from './picture-markup.ts';

type Template = (view: object) => string;

/**
 * The helpers of the templates, besides those of Handlebars. Their markup is inserted without escaping it again. A helper gets the
 * value that a template passes, of which nothing checks the type.
 */
const helpers: Readonly<Record<string, (value: never) => Markup>> = {
  withDays: markDays,
  withRelativeDays: markRelativeDays,
  // Quotes need no escape outside an attribute: a configuration has hundreds.
  asCode: (text: string) => ({ markup: text.replaceAll('&', '&amp;').replaceAll('<', '&lt;') }),
  html: (value: Markup) => value,
  drawDay,
  drawMove,
  drawScale,
  drawNames,
  drawLines,
  drawTrack,
  drawLegend,
  drawKey,
};

/**
 * A misspelt helper throws, and so does a misspelt field, except in a condition or as a list. The lines inside `pre` keep their
 * indentation (`preventIndent`).
 */
const options = {
  strict: true,
  knownHelpersOnly: true,
  preventIndent: true,
  knownHelpers: Object.fromEntries(Object.keys(helpers).map((name) => [name, true])),
};

interface PageOptions {
  /** Path of the page, by default the name of its template. */
  path?: string;
  /** The component that the page is about: the script reads its `details/`. */
  component?: string;
}

/** Renders a page by its template. `layout.hbs` needs `page`. Throws an `InputError`. */
export function renderPage(
  site: SiteContext,
  template: string,
  view: object,
  { path = `${template}.html`, component = '' }: PageOptions = {},
): string {
  const page = {
    ...createSiteView(site),
    canonical: createCanonicalUrl(site, path),
    // The host serves the 404 page at any address, where relative links would be broken.
    root: path === notFoundPage ? `${new URL(site.baseUrl).pathname.replace(/\/$/, '')}/` : '',
    current: { [template]: true },
    component,
    hasOwnStyles: site.theme.assets.has('own.css'),
    isIndexable: path !== notFoundPage,
  };
  return renderTemplate(site.theme, template, { page, ...view });
}

/** The configuration of the site, and values derived from it, for all pages and texts. */
export function createSiteView(site: SiteContext) {
  return {
    ...site.config,
    baseUrl: site.baseUrl,
    datasource: nameDatasource(site),
    curl: writeCurl(site),
    isStatic: isStatic(site),
    isClosed: isClosed(site),
    asksForCredential: site.access !== undefined,
  };
}

/** Renders `site/templates/<name>.hbs`. Templates may use each other as partials. Throws an `InputError`. */
export function renderTemplate(theme: SiteTheme, name: string, view: object): string {
  return render(theme, `site/templates/${name}.hbs`, view);
}

/** Renders `site/snippets/<name>.hbs` without escaping: a snippet is plain text. Throws an `InputError`. */
export function renderText(theme: SiteTheme, name: string, view: object): string {
  return render(theme, `site/snippets/${name}.hbs`, view);
}

function render(theme: SiteTheme, file: string, view: object): string {
  const template = openTemplates(theme).get(file);
  if (!template) {
    throw new InputError([problem(file, 'no such template; this program has one to copy')]);
  }

  try {
    return template(view);
  } catch (error) {
    throw createTemplateError(file, error as Error);
  }
}

/** Views are plain data, so an error comes from the template, or from a helper that cannot draw the value. */
function createTemplateError(file: string, error: Error): InputError {
  const [firstLine = ''] = error.message.split('\n');
  const reason = firstLine.replace(' in [object Object]', '').replace(/[:.]$/, '');
  const message = `this or a template it uses: ${reason}. Compare it with the one that this version of the program came with: if they are the same, the program has a bug`;
  return new InputError([problem(file, message)], { cause: error });
}

const openTemplates = keepByObject(compileTheme);

/** Handlebars compiles a template at its first use, so a broken one that nothing uses is no problem. */
function compileTheme(theme: SiteTheme): ReadonlyMap<string, Template> {
  const handlebars = Handlebars.create();
  for (const [name, help] of Object.entries(helpers)) {
    handlebars.registerHelper(name, (value: unknown) => {
      if (value === undefined) {
        throw new Error(`${name} expected the field of a view, got one that does not exist`);
      }

      return new Handlebars.SafeString(help(value as never).markup);
    });
  }

  const templates = new Map<string, Template>();
  for (const [name, text] of theme.templates) {
    const template = handlebars.compile(text, options);
    handlebars.registerPartial(name, template);
    templates.set(`site/templates/${name}.hbs`, template);
  }
  for (const [name, text] of theme.snippets) {
    const template = handlebars.compile(text, { ...options, noEscape: true });
    templates.set(`site/snippets/${name}.hbs`, template);
  }

  return templates;
}
