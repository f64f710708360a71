import type { SiteContext } from './site-context.ts';
import { datasourceOf, renovateConfig, renovateSchema, type PresetComponent } from './preset.ts';

/** A text to copy, and the file it belongs into. */
export interface Snippet {
  /** Unique on a page. */
  readonly id: string;
  readonly title: string;
  /** What it does and needs, in a sentence or two. */
  readonly note: string;
  /** Done once in a repository, done at each version in it, or none of the two. */
  readonly step: 'once' | 'each' | 'other';
  /** Path of the file in a user's repository; absent for a command to run. */
  readonly file?: string;
  /** Shown closed: few need it, and it would push aside what most people need. */
  readonly isLong?: true;
  readonly text: string;
}

export type SnippetComponent = PresetComponent;

/** All snippets for one component. */
export function componentSnippets(site: SiteContext, component: SnippetComponent): Snippet[] {
  const { name } = component;
  const variable = variableOf(component);
  const url = `${site.baseUrl}/${name}.json`;
  const badge = `${site.baseUrl}/badges/${name}`;
  return [
    ...commonSnippets(site, [component], component),
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
      id: 'shell',
      step: 'other',
      title: 'The latest version in a shell',
      note: 'With curl and jq. The second line lists every version that is not deprecated, oldest first.',
      text: `curl -fsS ${url} | jq -er '.tags.latest'
curl -fsS ${url} | jq -r '.releases[] | select(.isDeprecated | not) | .version'
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
    ...commonSnippets(site, components, example),
    {
      id: 'shell',
      step: 'other',
      title: 'The latest versions in a shell',
      note: 'With curl and jq: one line for each component that has one.',
      text: `curl -fsS ${site.baseUrl}/all.json |
  jq -r '.components | to_entries[] | select(.value.tags) | "\\(.key) \\(.value.tags.latest)"'
`,
    },
  ];
}

function commonSnippets(
  site: SiteContext,
  components: readonly SnippetComponent[],
  example: SnippetComponent,
): Snippet[] {
  // What Renovate's own managers look for above a version (lib/config/presets/internal/custom-managers.preset.ts).
  const comment = `# renovate: datasource=${datasourceOf(site)} depName=${example.name}`;
  const variable = variableOf(example);
  const version = versionOf(example);
  return [
    {
      id: 'renovate-preset',
      step: 'once',
      title: 'Renovate, by preset',
      note: 'The line with "extends" is all that Renovate needs to know of this index. The comments below then name the versions to keep up to date. Every newer version that is not deprecated is a candidate, so that your own minimumReleaseAge, allowedVersions and separateMinorPatch work; for the newest supported version alone, set followTag to latest in a package rule of your own.',
      file: 'renovate.json',
      text: `{
  "$schema": ${JSON.stringify(renovateSchema)},
  "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]
}
`,
    },
    {
      id: 'renovate-inline',
      step: 'once',
      title: 'Renovate, inline',
      note: 'The same without the preset, for configurations that may not extend an address. It is a whole renovate.json; merge it into yours. A Renovate that does not know maxMajorIncrement has no such limit: leave the option out.',
      file: 'renovate.json',
      isLong: true,
      text: `${JSON.stringify({ $schema: renovateSchema, ...renovateConfig(site, components) }, undefined, 2)}
`,
    },
    {
      id: 'dockerfile',
      step: 'each',
      title: 'A version in a Dockerfile',
      note: 'The comment stands on the line above an ARG or ENV whose name ends in _VERSION.',
      file: 'Dockerfile',
      text: `${comment}
ARG ${variable}=${version}
`,
    },
    {
      id: 'workflow',
      step: 'each',
      title: 'A version in a GitHub Actions workflow',
      note: 'The same comment works in pipelines of GitLab, Azure and Bitbucket. The quotes keep 2026.10 from being read as 2026.1.',
      file: '.github/workflows/build.yml',
      text: `env:
  ${comment}
  ${variable}: "${version}"
`,
    },
    {
      id: 'makefile',
      step: 'each',
      title: 'A version in a Makefile',
      note: 'Any assignment will do: =, := or ?=.',
      file: 'Makefile',
      text: `${comment}
${variable} := ${version}
`,
    },
  ];
}

/** A name that shells and make take too: no digit in front. */
function variableOf({ name }: SnippetComponent): string {
  return `${name
    .replaceAll('-', '_')
    .toUpperCase()
    .replace(/^(?=\d)/, '_')}_VERSION`;
}

/** People paste this into shells and files, so that only a harmless version is put into it. */
function versionOf({ latest }: SnippetComponent): string {
  return latest !== undefined && /^[\w.+-]+$/.test(latest.version) ? latest.version : '1.0.0';
}
