import type { SiteContext } from './site-context.ts';
import { datasourceOf, renovateConfig, renovateSchema, type PresetComponent } from './preset.ts';

/** A text to copy, and the file it belongs into. */
export interface Snippet {
  /** Unique on a page. */
  readonly id: string;
  readonly title: string;
  /** What it does and needs, in a sentence or two. */
  readonly note: string;
  /** Path of the file in a user's repository; absent for what is run, not kept. */
  readonly file?: string;
  /** Shown closed: few need it, and it would push aside what most do need. */
  readonly isLong?: true;
  readonly text: string;
}

export type SnippetComponent = PresetComponent;

/** All there is for one component. */
export function componentSnippets(site: SiteContext, component: SnippetComponent): Snippet[] {
  return [
    renovatePreset(site),
    renovateInline(site, [component]),
    dockerfileComment(site, component),
    workflowComment(site, component),
    makefileComment(site, component),
    badgeMarkdown(site, component),
    shellQuery(site, component),
    updatecliManifest(site, component),
    miseTool(site, component),
  ];
}

/** What holds for every component; `example` is the one that the comments name. */
export function siteSnippets(
  site: SiteContext,
  components: readonly SnippetComponent[],
  example: SnippetComponent,
): Snippet[] {
  return [
    renovatePreset(site),
    renovateInline(site, components),
    dockerfileComment(site, example),
    workflowComment(site, example),
    makefileComment(site, example),
    allQuery(site),
  ];
}

function renovatePreset(site: SiteContext): Snippet {
  return {
    id: 'renovate-preset',
    title: 'Renovate, by preset',
    note: 'The line with "extends" is all that Renovate needs to know of this index. The comments below then name the versions to keep up to date. Every newer version that is not deprecated is a candidate, so that your own minimumReleaseAge, allowedVersions and separateMinorPatch work; for the newest supported version alone, set followTag to latest in a package rule of your own.',
    file: 'renovate.json',
    text: `{
  "$schema": ${JSON.stringify(renovateSchema)},
  "extends": [${JSON.stringify(`${site.baseUrl}/renovate.json`)}]
}
`,
  };
}

function renovateInline(site: SiteContext, components: readonly SnippetComponent[]): Snippet {
  return {
    id: 'renovate-inline',
    title: 'Renovate, inline',
    note: 'The same without the preset, for configurations that may not extend an address. It is a whole renovate.json; merge it into yours. A Renovate that does not know maxMajorIncrement has no such limit: leave the option out.',
    file: 'renovate.json',
    isLong: true,
    text: `${JSON.stringify({ $schema: renovateSchema, ...renovateConfig(site, components) }, undefined, 2)}\n`,
  };
}

function dockerfileComment(site: SiteContext, component: SnippetComponent): Snippet {
  return {
    id: 'dockerfile',
    title: 'A version in a Dockerfile',
    note: 'The comment stands on the line above an ARG or ENV whose name ends in _VERSION.',
    file: 'Dockerfile',
    text: `${renovateComment(site, component)}\nARG ${variableOf(component)}=${versionOf(component)}\n`,
  };
}

function workflowComment(site: SiteContext, component: SnippetComponent): Snippet {
  return {
    id: 'workflow',
    title: 'A version in a GitHub Actions workflow',
    note: 'The same comment works in pipelines of GitLab, Azure and Bitbucket. The quotes keep 2026.10 from being read as 2026.1.',
    file: '.github/workflows/build.yml',
    text: `env:\n  ${renovateComment(site, component)}\n  ${variableOf(component)}: "${versionOf(component)}"\n`,
  };
}

function makefileComment(site: SiteContext, component: SnippetComponent): Snippet {
  return {
    id: 'makefile',
    title: 'A version in a Makefile',
    note: 'Any assignment will do: =, := or ?=.',
    file: 'Makefile',
    text: `${renovateComment(site, component)}\n${variableOf(component)} := ${versionOf(component)}\n`,
  };
}

function badgeMarkdown(site: SiteContext, { name }: SnippetComponent): Snippet {
  const endpoint = encodeURIComponent(`${site.baseUrl}/badges/${name}.json`);
  const picture = `https://img.shields.io/endpoint?url=${endpoint}`;
  return {
    id: 'badge',
    title: 'A badge in Markdown',
    note: `Drawn by shields.io; ${site.baseUrl}/badges/${name}.svg is a picture that needs no other service.`,
    file: 'README.md',
    text: `[![${name}](${picture})](${site.baseUrl}/${name}.html)\n`,
  };
}

function shellQuery(site: SiteContext, { name }: SnippetComponent): Snippet {
  const url = `${site.baseUrl}/${name}.json`;
  return {
    id: 'shell',
    title: 'The latest supported version in a shell',
    note: `With curl and jq. The second line lists every supported version, oldest first.`,
    text: `curl -fsS ${url} | jq -er '.tags.latest'
curl -fsS ${url} | jq -r '.releases[] | select(.isDeprecated | not) | .version'
`,
  };
}

function allQuery(site: SiteContext): Snippet {
  return {
    id: 'shell',
    title: 'The latest supported versions in a shell',
    note: 'With curl and jq: one line for each component that has one.',
    text: `curl -fsS ${site.baseUrl}/all.json |
  jq -r '.components | to_entries[] | select(.value.tags) | "\\(.key) \\(.value.tags.latest)"'
`,
  };
}

/** https://www.updatecli.io/docs/plugins/resource/json/ */
function updatecliManifest(site: SiteContext, component: SnippetComponent): Snippet {
  const { name } = component;
  return {
    id: 'updatecli',
    title: 'updatecli',
    note: 'A manifest that writes the latest supported version into a Dockerfile.',
    file: `updatecli.d/${name}.yaml`,
    text: `name: Update ${name}
sources:
  ${name}:
    name: Latest supported version of ${name}
    kind: json
    spec:
      file: ${site.baseUrl}/${name}.json
      key: $.tags.latest
targets:
  dockerfile:
    name: Set ${variableOf(component)} in the Dockerfile
    sourceid: ${name}
    kind: dockerfile
    spec:
      file: Dockerfile
      instruction:
        keyword: ARG
        matcher: ${variableOf(component)}
`,
  };
}

/** https://mise.jdx.dev/dev-tools/backends/http.html */
function miseTool(site: SiteContext, { name }: SnippetComponent): Snippet {
  return {
    id: 'mise',
    title: 'mise',
    note: 'For what can be downloaded: replace the address of the download. Deprecated versions are left out.',
    file: 'mise.toml',
    text: `[tools."http:${name}"]
version = "latest"
url = "https://downloads.example.com/${name}-{{version}}.tar.gz"
version_list_url = "${site.baseUrl}/${name}.json"
version_expr = 'map(filter(fromJSON(body).releases, { not #.isDeprecated }), { #.version })'
`,
  };
}

/** What Renovate's own managers look for above a version (lib/config/presets/internal/custom-managers.preset.ts). */
function renovateComment(site: SiteContext, { name }: SnippetComponent): string {
  return `# renovate: datasource=${datasourceOf(site)} depName=${name}`;
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
