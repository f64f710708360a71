import type { PresetFile } from '../../core/schemas/published/small-files.ts';
import { counted, escapeMarkup } from '../../core/text.ts';
import type { PublishedIndex } from '../published-index.ts';

/** A file about all components, reduced to visible components. */
export interface NarrowedFile {
  readonly type: string;
  readonly body: string;
}

/** `index`: without the components that the client may not see. `read`: a published file as text. */
export async function narrowFile(
  path: string,
  index: Pick<PublishedIndex, 'status'>,
  read: (path: string) => Promise<string | undefined>,
): Promise<NarrowedFile | undefined> {
  const { components } = await index.status();
  const names = Object.keys(components);
  if (path === 'index.json') {
    return { type: 'application/json', body: `${JSON.stringify(names)}\n` };
  }
  if (path === 'index.html') {
    return {
      type: 'text/html; charset=utf-8',
      body: frontPage(names.map((name) => ({ name, ...components[name] }))),
    };
  }
  const preset = await read('renovate.json');
  if (preset === undefined) {
    return undefined;
  }
  const body = `${JSON.stringify(narrowPreset(JSON.parse(preset) as PresetFile, names), undefined, 2)}\n`;
  return { type: 'application/json', body };
}

/** The rules of visible components, and general rules. Leaves out rules that replace a component by a hidden one. */
function narrowPreset(preset: PresetFile, names: readonly string[]): PresetFile {
  const visible = new Set(names);
  const isVisible = (name: unknown) => typeof name !== 'string' || visible.has(name);
  const replaced = new Set(
    preset.packageRules.flatMap((rule) =>
      isVisible(rule['replacementName']) ? [] : componentOf(rule),
    ),
  );
  const isShown = (rule: Rule) => {
    const name = componentOf(rule);
    const isOfReplacement = 'replacementName' in rule || isAboutReplacements(rule);
    return isVisible(name) && !(isOfReplacement && replaced.has(name));
  };
  const customManagers = preset.customManagers
    .map((manager) => ({ ...manager, matchStrings: manager.matchStrings.filter(isOfVisible) }))
    .filter(({ matchStrings }) => matchStrings.length > 0);
  return { ...preset, customManagers, packageRules: preset.packageRules.filter(isShown) };

  /** The pattern of an image names its component. */
  function isOfVisible(pattern: string): boolean {
    return isVisible(/<depName>([a-z0-9-]+)[|)]/.exec(pattern)?.[1]);
  }
}

type Rule = PresetFile['packageRules'][number];

/** The component of a rule, by its present name; undefined for a general rule. */
function componentOf(rule: Rule): unknown {
  const { matchPackageNames, overridePackageName, matchDatasources } = rule;
  if (overridePackageName !== undefined) {
    return overridePackageName;
  }
  return matchDatasources !== undefined && Array.isArray(matchPackageNames)
    ? matchPackageNames[0]
    : undefined;
}

function isAboutReplacements({ matchUpdateTypes }: Rule): boolean {
  return Array.isArray(matchUpdateTypes) && matchUpdateTypes.includes('replacement');
}

interface Listed {
  readonly name: string;
  readonly title?: string | undefined;
  readonly latest?: string | undefined;
}

function frontPage(components: readonly Listed[]): string {
  const rows = components.map(
    ({ name, title = name, latest }) =>
      `<tr><th scope="row"><a href="${name}.html">${escapeMarkup(title)}</a></th><td>${escapeMarkup(latest ?? 'none')}</td></tr>`,
  );
  return [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<title>Components</title>',
    '<meta name="robots" content="noindex">',
    '<link rel="stylesheet" href="assets/site.css">',
    '<link rel="alternate" type="application/json" href="index.json">',
    '</head>',
    '<body>',
    '<main class="wrap" id="main">',
    '<h1>Components</h1>',
    `<p>Your credential is for ${counted(components.length, 'component')}.</p>`,
    '<table>',
    '<caption>Components and their latest releases</caption>',
    '<thead><tr><th scope="col">Component</th><th scope="col">Latest</th></tr></thead>',
    '<tbody>',
    ...rows,
    '</tbody>',
    '</table>',
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
}
