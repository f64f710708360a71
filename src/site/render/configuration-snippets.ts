import { escapeForExpression } from '../../core/expression.ts';
import { packageRule } from './package-rules.ts';
import { datasourceOf, renovateConfig, renovateSchema, type PresetComponent } from './preset.ts';
import type { SiteContext } from './site-context.ts';
import type { Snippet } from './snippet.ts';

/** What Renovate needs to know of this index, once in a repository. */
export function configurationSnippets(site: SiteContext, components: readonly PresetComponent[]): Snippet[] {
  return [
    {
      id: 'renovate-preset',
      step: 'once',
      title: 'Renovate, by preset',
      note: 'The line with "extends" is all that Renovate needs to know of this index. Every newer version that is not deprecated is a candidate, so that your own minimumReleaseAge, allowedVersions and separateMinorPatch work.',
      file: 'renovate.json',
      text: configuration(site),
    },
    {
      id: 'renovate-inline',
      step: 'once',
      title: 'Renovate, inline',
      note: 'The same without the preset, for configurations that may not extend an address. It is a whole renovate.json; merge it into yours. A Renovate that does not know maxMajorIncrement has no such limit: leave the option out.',
      file: 'renovate.json',
      isLong: true,
      text: `${JSON.stringify({ $schema: renovateSchema, ...renovateConfig(site, components) }, undefined, 2)}\n`,
    },
  ];
}

/** Rules to add for one component, each shown in a whole configuration. */
export function choiceSnippets(site: SiteContext, component: PresetComponent): Snippet[] {
  const { name, latest, soleSource } = component;
  const datasource = datasourceOf(site);
  const ofComponent = { matchDatasources: [datasource], matchPackageNames: [name] };
  const native = packageRule(datasource, component);
  const line = latest && lineRange(latest.line, latest.version);
  const snippets: (Snippet | undefined)[] = [
    native && {
      id: 'renovate-package',
      step: 'once',
      title: `Without comments: the ${soleSource!.datasource} package`,
      note: `Lets Renovate's own managers take the releases of ${native.matchPackageNames[0]} from this index, wherever they find it. Versions keep the form and the ranges of that ecosystem.`,
      file: 'renovate.json',
      text: configuration(site, native),
    },
    line === undefined
      ? undefined
      : {
          id: 'renovate-line',
          step: 'once',
          title: `Stay on release line ${latest!.line}`,
          file: 'renovate.json',
          isLong: true,
          text: configuration(site, { ...ofComponent, allowedVersions: line }),
        },
    {
      id: 'renovate-age',
      step: 'once',
      title: 'Wait until a release has a certain age',
      note: 'It counts from the day of the release, or else from the day on which it was first seen. A release without either is never offered.',
      file: 'renovate.json',
      isLong: true,
      text: configuration(site, { ...ofComponent, minimumReleaseAge: '14 days' }),
    },
  ];
  return snippets.filter((snippet) => snippet !== undefined);
}

/** As `allowedVersions`; undefined where the versions of a line do not begin with its name. */
function lineRange(line: string, latest: string): string | undefined {
  const range = `^v?${escapeForExpression(line)}(\\D|$)`;
  return new RegExp(range).test(latest) ? `/${range}/` : undefined;
}

/** A `renovate.json` with one line for each option. */
function configuration(site: SiteContext, rule?: object): string {
  const options = Object.entries(rule ?? {}).map(
    ([option, value]) =>
      `      ${JSON.stringify(option)}: ${JSON.stringify(value).replaceAll('","', '", "')}`,
  );
  const rules = `,
  "packageRules": [
    {
${options.join(',\n')}
    }
  ]`;
  return `{
  "$schema": ${JSON.stringify(renovateSchema)},
  "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]${rule ? rules : ''}
}
`;
}
