import Handlebars from 'handlebars';
import type { SiteTheme } from '../../model/component.ts';
import { renderLineRows } from './line-rows.ts';
import { renderReleaseRows } from './release-rows.ts';
import { renderDots } from './timeline.ts';

type Template = Handlebars.TemplateDelegate<object>;

/**
 * A misspelt field throws (`strict`), everything is escaped, and the lines inside `pre` keep their beginnings
 * (`preventIndent`). Without helpers of our own a template can show and repeat, not decide.
 */
const options = { strict: true, knownHelpersOnly: true, preventIndent: true } as const;

/** Partials for what a large index repeats without end: the general machinery would take most of a build for them. */
const programmed = {
  'release-rows': renderReleaseRows,
  'line-rows': renderLineRows,
  'timeline-dots': renderDots,
};

// One environment for each theme, so that a build compiles each template once, however many pages it makes.
const environments = new WeakMap<SiteTheme, ReadonlyMap<string, Template>>();

/** Renders `site/templates/<name>.hbs`; every template may use every other one as a partial. */
export function renderTemplate(theme: SiteTheme, name: string, view: object): string {
  const template = templatesOf(theme).get(name);
  if (!template) throw new Error(`site/templates/${name}.hbs: no such template`);
  return template(view);
}

function templatesOf(theme: SiteTheme): ReadonlyMap<string, Template> {
  const known = environments.get(theme);
  if (known) return known;
  const handlebars = Handlebars.create();
  for (const [name, render] of Object.entries(programmed)) handlebars.registerPartial(name, render);
  const templates = new Map<string, Template>();
  for (const [name, text] of theme.templates) {
    // Handlebars compiles at the first use, so that an unused template costs nothing.
    const template = handlebars.compile<object>(text, options);
    handlebars.registerPartial(name, template);
    templates.set(name, template);
  }
  environments.set(theme, templates);
  return templates;
}
