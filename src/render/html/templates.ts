import type { SiteTheme } from '../site-context.ts';
import { TemplateError } from '../../model/template-error.ts';
import { compiledTemplates } from './compiled-templates.ts';
import { runtime } from './handlebars.ts';
import { renderChangeRows } from './change-rows.ts';
import { renderLineRows } from './line-rows.ts';
import { rowsPlace } from './release-rows.ts';
import { renderSnippetSections } from './snippet-sections.ts';
import { renderTimelineRows, renderTimelineTicks } from './timeline.ts';

type Template = (view: object) => string;

/** Partials for what a large index repeats without end: the general machinery would take most of a build for them. */
const programmed = {
  'release-rows': rowsPlace,
  'line-rows': renderLineRows,
  'change-rows': renderChangeRows,
  'snippet-sections': renderSnippetSections,
  'timeline-ticks': renderTimelineTicks,
  'timeline-rows': renderTimelineRows,
};

// One environment for each theme, so that a build sets it up once, however many pages it makes.
const environments = new WeakMap<SiteTheme, ReadonlyMap<string, Template>>();

/** Renders `site/templates/<name>.hbs`; every template may use every other one as a partial. Throws a TemplateError. */
export function renderTemplate(theme: SiteTheme, name: string, view: object): string {
  const file = `site/templates/${name}.hbs`;
  const template = templatesOf(theme).get(name);
  if (!template)
    throw new TemplateError(`${file}: no such template; the checkout of this program has one to copy`);
  try {
    return template(view);
  } catch (error) {
    throw refusalOf(file, error) ?? error;
  }
}

/** What Handlebars finds wrong with a template, in one line; undefined for every other error. */
function refusalOf(file: string, error: unknown): TemplateError | undefined {
  if (!(error instanceof runtime.Exception)) return undefined;
  const what = error.message
    .replace(/ in \[object Object\]/, '')
    .split('\n')[0]!
    .replace(/[:.]$/, '');
  return new TemplateError(
    `${file}, or a template it uses: ${what}. Compare it with the one that this version of the program came with.`,
    { cause: error },
  );
}

function templatesOf(theme: SiteTheme): ReadonlyMap<string, Template> {
  const known = environments.get(theme);
  if (known) return known;
  const handlebars = runtime.create();
  for (const [name, render] of Object.entries(programmed)) handlebars.registerPartial(name, render);
  const templates = new Map<string, Template>();
  for (const [name, compiled] of compiledTemplates(theme)) {
    const template = typeof compiled === 'string' ? refusing(compiled) : handlebars.template(compiled);
    handlebars.registerPartial(name, template);
    templates.set(name, template);
  }
  environments.set(theme, templates);
  return templates;
}

/** In the place of a template that could not be compiled. */
function refusing(why: string): () => never {
  return () => {
    throw new runtime.Exception(why);
  };
}
