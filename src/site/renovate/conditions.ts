/** How Renovate finds a component: by its name in a comment, and by its packages. */
import { datasourceFacts, type PackageOfSource } from '../../core/datasources.ts';
import { normaliseName, parsePurl, splitImage } from '../../core/purl.ts';
import type { Component } from '../../core/schema/published.ts';

/* The comment `renovate: datasource=custom.<name> depName=<component>`, and how Renovate finds the version or checksum below it. */

/** Without the characters that begin a comment. */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}

/** Matches only versions below a comment: what another manager found keeps the versioning of its ecosystem. */
export const belowComment = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** The presets of Renovate's own managers of the comment. */
export const ownPresets = [
  'azurePipelines',
  'bitbucketPipelines',
  'dockerfile',
  'githubActions',
  'gitlabPipeline',
  'makefile',
  'mavenProperty',
  'tfvars',
].map((name) => `customManagers:${name}Versions`);

/** Their files. */
const ownFiles = [
  '**/{,*.}{[Dd]ocker,[Cc]ontainer}file*',
  '**/{.azuredevops,workflow-templates,.{github,gitea,forgejo}/{workflows,actions}}/**/*.{yml,yaml}',
  '**/{action,*-pipelines,*.gitlab-ci}.{yml,yaml}',
  'azure*pipeline!(s).{yml,yaml}',
  '**/{[Mm]akefile,GNUmakefile,*.mk,*.tfvars,pom.xml}',
];

/** The folders of YAML files without those in which one of these managers reads every such file: a comment must not be found twice. */
const otherFolders =
  '{,!(.github|.gitea|.forgejo|.azuredevops|workflow-templates)/**/,.{github,gitea,forgejo}/{,!(workflows|actions|workflow-templates)/**/}}';

/** Further files with versions. */
const otherFiles = [
  '**/*.sh',
  `${otherFolders}{docker-,}compose*.{yml,yaml}`,
  '**/.env*',
  `${otherFolders}values*.{yml,yaml}`,
  `${otherFolders}Chart.{yml,yaml}`,
  '**/*.versions.toml',
  '**/gradle.properties',
  '**/package.json',
  '**/*.{tf,tofu}',
  '**/.tool-versions',
  '**/{.,}mise*.toml',
  '**/*.gradle{,.kts}',
  `${otherFolders}kustomization.{yml,yaml}`,
  `${otherFolders}{k8s,kubernetes,deploy,manifests}/**/!(action|*-pipelines|*.gitlab-ci).{yml,yaml}`,
  '**/Jenkinsfile*',
];

/*
 * The parts of a match. Renovate's expressions (RE2) have no lookahead: what must not follow is spelled out, letter by letter.
 */

const blanks = '[ \\t]*';
/** What stands before a version or a checksum, and after it. */
const before = '(?:[ \\t=:"\'>]|:-)';
const next = '["\' \\t\\r,;}#<]';
const after = `(?:${next}|\\n|$)`;
/** Digests of other algorithms are longer than any version. */
const version = '(?<currentValue>v?\\d[\\w.+~!-]{0,38})';
const sha256 = '(?<currentDigest>[0-9a-f]{64})';

/** Any text before the digest of an image. */
const text = '(?:[^\\n@]|@(?:[^\\ns]|s(?:[^\\nh]|h[^\\na])))*?';
/** The beginning of a line that is no comment itself. */
const code = `${blanks}(?:(?:[^\\s#/<"]|/[^/*\\n]|<[^!\\n]|"[^/\\n])${text})?`;

/**
 * The managers for versions and checksums that Renovate's own ones do not find. A comment is about one of these:
 * - the version on the next line, after a space, `=`, `:` or a quote;
 * - the SHA-256 on the next line, and the version on the line after it, which then move together;
 * - an image on the next line, with its version and digest;
 * - the SHA-256 on the next line alone, with `digestVersion=`, the version that it is of.
 */
export function createCommentManagers(datasource: string): object[] {
  const options = ['packageName', 'versioning', 'extractVersion'].map(
    (name) => `(?: ${name}=(?<${name}>[^\\s"]+))?`,
  );
  const start = `renovate: datasource=(?<datasource>custom\\.${datasource}) depName=(?<depName>[^\\s"]+)${options.join('')}`;
  // Words may follow, but no further option: the comment would be about something else.
  const comment = `${start}(?:[ "\\t\\r][^\\n=]*)?\\n`;
  const commentOfDigest = `${start} digestVersion=${version}[^\\w\\n]*\\n`;

  const versionLine = `${code}${before}${version}${after}`;
  const checksum = `${code}${before}(?:sha256:)?${sha256}`;
  const checksumLine = `${checksum}(?:${next}[^\\n]*)?\\n`;
  const imageLine = `${code}${before}${version}@sha256:${sha256}`;
  // Renovate's own managers want a longer name: `AGENT_VERSION`.
  const shortName = `${blanks}(?:- )?(?:(?:ENV|ARG|export) +)?VERSION[ \\t:?=]+["']?${version}${after}`;

  const inAllFiles = [`${comment}${imageLine}`, `${commentOfDigest}${checksum}${after}`];
  const read = (managerFilePatterns: string[], ...lines: string[]) => ({
    customType: 'regex',
    managerFilePatterns,
    matchStrings: [...lines.map((line) => `${comment}${line}`), ...inAllFiles],
  });
  return [
    read(otherFiles, `(?:${checksumLine})?${versionLine}`),
    read(ownFiles, `${checksumLine}${versionLine}`, shortName),
  ];
}

interface Conditions {
  matchDatasources: string[];
  matchPackageNames: string[];
  matchRegistryUrls?: string[];
}

/** The names of components in a comment, also for each of their files. */
export function matchComments(components: readonly Component[], datasource: string): Conditions {
  const matchPackageNames = components.flatMap(({ component, renamedFrom = [], files = [] }) => {
    const names = [component, ...renamedFrom];
    return names.flatMap((name) => [name, ...files.map((file) => `${name}/${file}`)]);
  });
  return { matchDatasources: [`custom.${datasource}`], matchPackageNames };
}

/** Of sources, and of package URLs among aliases; those that differ only in their names are together. */
export function listPackageConditions(components: readonly Component[]): Conditions[] {
  const conditions = components.flatMap(({ sources, aliases = [] }) =>
    [...sources, ...aliases.flatMap(readAlias)].flatMap((each) => findConditions(each) ?? []),
  );
  const groups = Map.groupBy(conditions, ({ matchDatasources, matchRegistryUrls }) =>
    JSON.stringify([matchDatasources, matchRegistryUrls]),
  );
  return Array.from(groups.values(), (group) => ({
    ...group[0]!,
    matchPackageNames: [...new Set(group.flatMap(({ matchPackageNames }) => matchPackageNames))],
  }));
}

/** The same in JSONata. Renovate compares names without their case, too. */
export function writeCondition({
  matchDatasources,
  matchPackageNames,
  matchRegistryUrls,
}: Conditions): string {
  const names = JSON.stringify(matchPackageNames).toLowerCase();
  const address = matchRegistryUrls
    ? ` and $exists(registryUrls[$ in ${JSON.stringify(matchRegistryUrls)}])`
    : '';
  return `datasource in ${JSON.stringify(matchDatasources)} and $lowercase(packageName) in ${names}${address}`;
}

/** Undefined where Renovate does not find it. */
export function findConditions({
  datasource,
  packageName,
  registryUrl,
  field,
}: PackageOfSource): Conditions | undefined {
  if (packageName === undefined || field === 'appVersion') {
    return undefined;
  }

  const [forge] = /^git(?:hub|lab)(?=-)/.exec(datasource) ?? [];
  const address = forge || datasource === 'helm' ? registryUrl?.replace(/\/+$/, '') : undefined;
  return {
    matchDatasources: forge ? [`${forge}-releases`, `${forge}-tags`] : [datasource],
    ...(address && { matchRegistryUrls: [address, `${address}/`] }),
    matchPackageNames: listSpellings(datasource, packageName, registryUrl),
  };
}

/** All spellings in files. */
function listSpellings(
  datasource: string,
  name: string,
  registryUrl: string | undefined,
): string[] {
  switch (datasource) {
    case 'pypi':
      return [normaliseName('pypi', name)];
    case 'git-tags': {
      const repository = name.replace(/(?:\.git)?\/*$/, '');
      return [repository, `${repository}.git`];
    }
    case 'docker': {
      const { host, repository } = splitImage(registryUrl ? `${registryUrl}/${name}` : name);
      const short = repository.includes('/') ? [repository] : [repository, `library/${repository}`];
      return host
        ? [`${host}/${repository}`]
        : [...short, ...short.map((each) => `docker.io/${each}`)];
    }
    default:
      return [name];
  }
}

/** A package URL in each datasource that it may be of; another alias in none. */
function readAlias(alias: string): PackageOfSource[] {
  const { type, name = '' } = parsePurl(alias) ?? {};
  const packageName = type === 'maven' ? name.replace(/\/(?=[^/]*$)/, ':') : name;
  return Object.entries(datasourceFacts)
    .filter(([, { purl }]) => purl && purl === type)
    .map(([datasource]) => ({ datasource, packageName }));
}
