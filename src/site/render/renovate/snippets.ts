import { inputError } from '../../../core/schemas/finding.ts';
import { escapeForExpression } from '../../../core/text/expression.ts';
import { renderText, createSiteView } from '../html/templates.ts';
import { renovateSchema } from '../paths.ts';
import { isClosed, nameDatasource, type SiteContext } from '../site-context.ts';
import { writeComment } from './comment-manager.ts';
import { listUndatedImages, type ImageComponent } from './days-preset.ts';
import type { PresetComponent } from './preset.ts';

/** The names of the snippets with a comment for Renovate above a version, one for each kind of file, the most common first. */
export const fileSnippetNames: readonly string[] = ['dockerfile', 'workflow', 'gitlab', 'script'];

/** The page about all components shows only the most common kinds of file. */
const maxCommonFiles = 2;

/** A text to copy, from `site/snippets/<name>.hbs`. */
export type Snippet = ReturnType<typeof renderSnippet>;

/**
 * A file in `site/snippets` begins with lines such as `title: Docker`. Behind a line of three hyphens is the text to copy. Throws an
 * `InputError`.
 */
export function renderSnippet(site: SiteContext, name: string, view = {}, id = name) {
  const allView = { ...createSiteView(site), schema: renovateSchema, ...view };
  const rendered = renderText(site.theme, name, allView);
  const separator = /^---\r?\n/m.exec(rendered);
  if (!separator) {
    const message =
      'expected lines such as "title: Docker", then the line "---", then the text to copy; got no line "---"';
    throw inputError(`site/snippets/${name}.hbs`, message);
  }

  const head = rendered.slice(0, separator.index);
  const readField = (key: string) => new RegExp(`^${key}: (.+)$`, 'm').exec(head)?.[1];
  return {
    /** Unique on a page. */
    id,
    title: readField('title') ?? name,
    /** Path of the file in a user's repository; absent for a command. */
    file: readField('file'),
    note: readField('note'),
    text: rendered.slice(separator.index + separator[0].length),
  };
}

/** The snippets on the page of a component. Without a version to use, only the preset: people would copy an invented version. */
export function renderComponentSnippets(site: SiteContext, { name, latest }: PresetComponent) {
  const preset = renderSnippet(site, 'renovate-preset');
  if (!latest) {
    return { preset, places: [], others: [] };
  }

  const view = createSnippetView(site, name, latest.version);
  return {
    preset,
    /** The comment above a version, for each kind of file. */
    places: fileSnippetNames.map((file) => renderSnippet(site, file, view)),
    /** Credentials and rules for Renovate, and commands. */
    others: [
      ...(isClosed(site) ? [renderSnippet(site, 'renovate-host')] : []),
      ...renderRuleSnippets(site, latest, view),
      renderSnippet(site, 'shell', view),
    ],
  };
}

/** The snippets for all components; comments name the first component that has a version to use. */
export function renderSiteSnippets(
  site: SiteContext,
  components: readonly (PresetComponent & ImageComponent)[],
): Snippet[] {
  const snippets = [renderSnippet(site, 'renovate-preset')];
  const example = components.find(({ latest }) => latest);
  if (example?.latest) {
    const view = createSnippetView(site, example.name, example.latest.version);
    const commonFiles = fileSnippetNames.slice(0, maxCommonFiles);
    snippets.push(...commonFiles.map((file) => renderSnippet(site, file, view)));
  }
  if (components.some((component) => listUndatedImages(component).length > 0)) {
    snippets.push(renderSnippet(site, 'renovate-days'));
  }

  return [...snippets, ...renderExemptionSnippets(site, components)];
}

/** Settings that exempt releases of the index from the waiting times of package managers. */
function renderExemptionSnippets(
  site: SiteContext,
  components: readonly PresetComponent[],
): Snippet[] {
  const sources = components.flatMap(({ definition }) => definition.sources);
  const packages = sources
    .filter(({ datasource }) => datasource === 'npm')
    .map(({ packageName }) => packageName);
  const tools = packages.length === 0 ? [] : ['own-npm', 'own-pnpm', 'own-yarn', 'own-dependabot'];
  const view = { packages: [...new Set(packages)].sort() };
  return ['renovate-own', ...tools].map((name) => renderSnippet(site, name, view));
}

/** Rules that wait for a release to age, or stay on the line of the latest version, each in a whole configuration. */
function renderRuleSnippets(
  site: SiteContext,
  { line, version }: NonNullable<PresetComponent['latest']>,
  view: object,
): Snippet[] {
  const range = `^v?${escapeForExpression(line)}(\\D|$)`;
  const allowedVersions = JSON.stringify(`/${range}/`);
  const snippets = [renderSnippet(site, 'renovate-age', view)];
  // The versions of a line need not begin with its name.
  if (new RegExp(range).test(version)) {
    snippets.unshift(renderSnippet(site, 'renovate-line', { ...view, line, allowedVersions }));
  }
  return snippets;
}

function createSnippetView(site: SiteContext, name: string, version: string): object {
  // A shell accepts no name that begins with a digit.
  const variable = `${name.replace(/^(?=\d)/, '_').replaceAll('-', '_')}_version`;
  return {
    name,
    version,
    comment: writeComment(nameDatasource(site), name),
    VARIABLE: variable.toUpperCase(),
    url: `${site.baseUrl}/${name}.json`,
  };
}
