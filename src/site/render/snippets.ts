import type { SiteContext } from './site-context.ts';
import type { Snippet } from './snippet.ts';
import { choiceSnippets, configurationSnippets } from './configuration-snippets.ts';
import { commentOn, places, type Place } from './places.ts';
import { curl, isClosed } from './reader-commands.ts';
import { datasourceOf, type PresetComponent } from './preset.ts';

type SnippetComponent = PresetComponent;

/** All snippets for one component. */
export function componentSnippets(site: SiteContext, component: SnippetComponent): Snippet[] {
  const { name } = component;
  const url = `${site.baseUrl}/${name}.json`;
  return [
    ...configurationSnippets(site, [component]),
    ...choiceSnippets(site, component),
    ...places.map((place) => placeSnippet(site, component, place)),
    {
      id: 'shell',
      step: 'other',
      title: 'The latest version in a shell',
      note: 'With curl and jq. The second line lists every version that is not deprecated, oldest first.',
      text: `${curl(site)} -fsS ${url} | jq -er '.tags.latest'
${curl(site)} -fsS ${url} | jq -r '.releases[] | select(.isDeprecated | not) | .version'
`,
    },
    // None of them could give a credential.
    ...(isClosed(site) ? [] : otherTools(site, name)),
  ];
}

function otherTools(site: SiteContext, name: string): Snippet[] {
  const variable = variableOf(name);
  const url = `${site.baseUrl}/${name}.json`;
  const badge = `${site.baseUrl}/badges/${name}`;
  return [
    {
      id: 'badge',
      step: 'other',
      title: 'A badge in Markdown',
      note: `Drawn by shields.io; ${badge}.svg is a picture that needs no other service.`,
      file: 'README.md',
      text: `[![${name}](https://img.shields.io/endpoint?url=${encodeURIComponent(`${badge}.json`)})](${site.baseUrl}/${name}.html)
`,
    },
    {
      // https://www.updatecli.io/docs/plugins/resource/json/
      id: 'updatecli',
      step: 'other',
      title: 'updatecli',
      note: 'A manifest that writes the latest version into a Dockerfile.',
      file: `updatecli.d/${name}.yaml`,
      text: `name: Update ${name}
sources:
  ${name}:
    name: Latest version of ${name}
    kind: json
    spec:
      file: ${url}
      key: $.tags.latest
targets:
  dockerfile:
    name: Set ${variable} in the Dockerfile
    sourceid: ${name}
    kind: dockerfile
    spec:
      file: Dockerfile
      instruction:
        keyword: ARG
        matcher: ${variable}
`,
    },
    {
      // https://mise.jdx.dev/dev-tools/backends/http.html
      id: 'mise',
      step: 'other',
      title: 'mise',
      note: 'For what can be downloaded: replace the address of the download. Deprecated versions are left out.',
      file: 'mise.toml',
      text: `[tools."http:${name}"]
version = "latest"
url = "https://downloads.example.com/${name}-{{version}}.tar.gz"
version_list_url = "${url}"
version_expr = 'map(filter(fromJSON(body).releases, { not #.isDeprecated }), { #.version })'
`,
    },
  ];
}

/** The snippets for all components; comments name the `example`. */
export function siteSnippets(
  site: SiteContext,
  components: readonly SnippetComponent[],
  example: SnippetComponent,
): Snippet[] {
  return [
    ...configurationSnippets(site, components),
    ...places.filter(({ isCommon }) => isCommon).map((place) => placeSnippet(site, example, place)),
    {
      id: 'shell',
      step: 'other',
      title: 'The latest versions in a shell',
      note: 'With curl and jq: one line for each component that has one.',
      text: `${curl(site)} -fsS ${site.baseUrl}/all.json |
  jq -r '.components | to_entries[] | select(.value.tags) | "\\(.key) \\(.value.tags.latest)"'
`,
    },
  ];
}

function placeSnippet(site: SiteContext, component: SnippetComponent, place: Place): Snippet {
  const { id, title, file, note, isCommon, sample } = place;
  const filled = filler(site, component);
  return {
    id,
    step: 'each',
    title,
    file,
    ...(note !== undefined && { note: filled(note) }),
    ...(!isCommon && { isLong: true }),
    text: filled(sample),
  };
}

/** Fills in what depends on the component. */
function filler(site: SiteContext, component: SnippetComponent): (text: string) => string {
  const { name } = component;
  const identifier = identifierOf(name);
  const variable = variableOf(name);
  const values: Readonly<Record<string, string>> = {
    comment: `# ${commentOn(datasourceOf(site), name)}`,
    what: commentOn(datasourceOf(site), name),
    name,
    version: versionOf(component),
    identifier,
    VARIABLE: variable,
    variable: variable.toLowerCase(),
    variableInCamelCase: `${identifier}-version`.replaceAll(/-(\w)/g, (_, letter: string) =>
      letter.toUpperCase(),
    ),
  };
  return (text) => text.replaceAll(/\{(\w+)\}/g, (_, key: string) => values[key]!);
}

/** A name that shells, make and XML take too: no digit in front. */
function identifierOf(name: string): string {
  return name.replace(/^(?=\d)/, '_');
}

function variableOf(name: string): string {
  return `${identifierOf(name).replaceAll('-', '_').toUpperCase()}_VERSION`;
}

/** People paste this into shells and files, so that only a harmless version is put into it. */
function versionOf({ latest }: SnippetComponent): string {
  return latest !== undefined && /^[\w.+-]+$/.test(latest.version) ? latest.version : '1.0.0';
}
