/** `renovate.json`: a preset that needs nothing else in a user's configuration. */
import type { Index } from '../../core/judged-index.ts';
import type { Component, Line, Release } from '../../core/schema/published.ts';
import { stateTones } from '../../core/words.ts';
import { listPackageConditions } from './conditions.ts';
import { escapePattern as escape } from '../../core/text.ts';
import { describeSecurity, listOwnReasons, viewReplacement, writeComment } from '../words.ts';

/** Renovate's own managers of the comment. */
const commentManagers = [
  'azurePipelinesVersions',
  'bitbucketPipelinesVersions',
  'dockerfileVersions',
  'githubActionsVersions',
  'gitlabPipelineVersions',
  'makefileVersions',
  'mavenPropertyVersions',
  'tfvarsVersions',
].map((name) => `customManagers:${name}`);

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

/** Matches only versions below a comment: what another manager found keeps the versioning of its ecosystem. */
const belowComment = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/** Versions with a suffix that names a variant (`-alpine`), not a prerelease (`-rc.1`): only the same suffix is a candidate. */
const variants = {
  matchCurrentValue: '/^v?\\d[\\d.]*[-+.][a-z]{2}/i',
  matchJsonata: [
    '$not($contains(currentValue, /[^a-z](?:alpha|beta|rc|cr|snapshot|dev|pre|prerelease|preview|eap|ea|canary|nightly|next|milestone|experimental|insiders|insider|unstable)(?:[^a-z]|$)/i))',
  ],
};

export function renderPreset(index: Index): string {
  const { settings, components } = index;
  const { releasesUrl: baseUrl, title } = settings;
  const datasource = `custom.${settings.datasource}`;
  const ofIndex = { matchDatasources: [datasource] };
  const ofComment = { ...ofIndex, ...belowComment };

  const preset = {
    $schema: 'https://docs.renovatebot.com/renovate-schema.json',
    description: [`Keeps the components of ${title} up to date.`],
    extends: commentManagers,
    customManagers: [createCommentManager(settings.datasource)],
    customDatasources: {
      [settings.datasource]: {
        defaultRegistryUrlTemplate: `${baseUrl}/{{packageName}}.json`,
        format: 'json',
        // Renovate's `ignoreDeprecated` does not apply if the version in use is deprecated or not listed.
        transformTemplates: ['$merge([$, {"releases": [releases[isDeprecated = false]]}])'],
      },
    },
    packageRules: [
      // A jump of 500 majors is no mistake: a component may go from 4.5 to 2027.1.
      { ...ofIndex, maxMajorIncrement: 0, rollbackPrs: false },
      { ...ofComment, versioning: 'loose', versionCompatibility: '^[vV]?(?<version>.+)$' },
      {
        ...ofComment,
        ...variants,
        versionCompatibility: String.raw`^[vV]?(?<version>\d+(?:\.\d+)*)(?<compatibility>.*)$`,
      },
      // Renovate ignores the `changelogUrl` of a release.
      { ...ofIndex, changelogUrl: `${baseUrl}/{{{packageName}}}.html#v{{{newVersion}}}` },
      // The release file has no digests.
      { ...ofComment, matchCurrentValue: '/@/', enabled: false },
      { ...ofComment, pinDigests: false },
      ...components.flatMap((component) => createRules(component, index, datasource)),
    ],
  };
  return `${JSON.stringify(preset)}\n`;
}

/** Reads the comment in the further files: the version is on the next line, after a space, `=`, `:` or a quote, and not a digest. */
function createCommentManager(datasource: string) {
  const options = ['packageName', 'versioning', 'extractVersion'].map(
    (name) => `(?: ${name}=(?<${name}>[^\\s"]+))?`,
  );
  const comment = writeComment(`@${datasource}`, '(?<depName>[^\\s"]+)').replace(
    `custom.@${datasource}`,
    () => `(?<datasource>custom\\.${escape(datasource)})`,
  );
  // RE2 has no lookahead.
  const withoutDigest = '(?:[^\\n@]|@(?:[^\\ns]|s(?:[^\\nh]|h[^\\na])))*?';
  const version = `[^\\n]*\\n${withoutDigest}(?:[ \\t=:"']|:-)(?<currentValue>v?\\d[\\w.+~!-]*)(?:["'\\s,;}#]|$)`;
  return {
    customType: 'regex',
    managerFilePatterns: otherFiles,
    matchStrings: [comment + options.join('') + version],
  };
}

/** The rules of a component, for its name in a comment and for each package that Renovate finds by itself. */
function createRules(component: Component, index: Index, datasource: string): object[] {
  const { releasesUrl: baseUrl } = index.settings;
  const ofName = {
    matchDatasources: [datasource],
    matchPackageNames: [component.component, ...(component.renamedFrom ?? [])],
  };
  const ofPackages = listPackageConditions(component.sources);

  const own = [...createVersionRules(component), ...createReplacementRules(component, index)];
  const notes = [...createLineNotes(component, index), ...createReleaseNotes(component)].map(
    ({ labels, words, ...conditions }) => ({
      ...conditions,
      addLabels: labels.length > 0 ? labels : undefined,
      prBodyNotes: [
        `**[${escapeMarkdown(component.title)}](${baseUrl}/${component.component}.html#v{{#if currentVersion}}{{{currentVersion}}}{{else}}{{{currentValue}}}{{/if}})**: ${words}`,
      ],
    }),
  );
  return [
    ...own.map((rule) => ({ ...ofName, ...rule })),
    ...[ofName, ...ofPackages].flatMap((conditions) =>
      notes.map((note) => ({ ...conditions, ...note })),
    ),
  ];
}

/** For versions with a prefix or a suffix in the index, as the latest shows. A suffix with a number is part of the order. */
function createVersionRules({ latest = '' }: Component): object[] {
  const [, prefix, suffix = ''] = /^(v?)[\d.]+(.*)$/i.exec(latest) ?? [];
  const rules: object[] = [];
  if (prefix || /\d/.test(suffix)) {
    rules.push({
      ...belowComment,
      versionCompatibility: prefix ? '^(?<version>.+)$' : '^[vV]?(?<version>.+)$',
    });
  }
  if (prefix && suffix === '') {
    rules.push({
      ...belowComment,
      ...variants,
      versionCompatibility: String.raw`^(?<version>[vV]?\d+(?:\.\d+)*)(?<compatibility>.*)$`,
    });
  }
  if (suffix !== '' && !/\d/.test(suffix)) {
    // Renovate compares without the suffix, so the latest version would be above the tag `latest`.
    rules.push({ ...belowComment, respectLatest: false });
  }
  return rules;
}

function createReplacementRules(component: Component, index: Index): object[] {
  const { latest } = component;
  const { releasesUrl: baseUrl } = index.settings;
  const replacedBy = viewReplacement(component, index);
  if (replacedBy?.version === undefined) {
    return [];
  }

  return [
    {
      ...belowComment,
      // Without a release to look up, Renovate proposes no replacement, unless the versioning admits none.
      versioning: latest === undefined ? 'regex:^(?<major>none)$' : undefined,
      replacementName: replacedBy.name,
      replacementVersion: replacedBy.version.replace(/^v/i, ''),
    },
    { matchUpdateTypes: ['replacement'], changelogUrl: `${baseUrl}/${replacedBy.name}.html` },
  ];
}

interface Note {
  words: string;
  labels: string[];
  matchCurrentVersion?: string;
  matchJsonata?: string[];
}

/** What is known of the line in use: one rule for each line with an end ahead, and one for all that have ended. */
function createLineNotes(component: Component, index: Index): Note[] {
  const { lines, latest } = component;
  const replacedBy = viewReplacement(component, index);
  const open = lines.filter(
    ({ state, phases }) => phases.length > 0 && stateTones[state] !== 'over',
  );
  const ended = lines.filter(({ state }) => state === 'ended');
  const notes = open.map((line): Note => {
    const [reason = ''] = line.because;
    const words = escapeMarkdown(
      `${line.sentence} ${line.moveTo ? `${line.advice} ` : ''}${reason}`,
    );
    return {
      matchCurrentVersion: matchLines([line], component),
      labels: listLabels(line, component),
      words,
    };
  });
  for (const [end, group] of Map.groupBy(open, (line) => line.end)) {
    const pattern = matchLines(group, component);
    const matchJsonata = [`$contains($string(newVersion), ${pattern})`];
    const words = escapeMarkdown(`Support of the proposed version: ${end}.`);
    notes.push({ matchCurrentVersion: `!${pattern}`, matchJsonata, labels: [], words });
  }

  if (ended.length > 0) {
    const target =
      latest ?? (replacedBy && [replacedBy.title, replacedBy.version].filter(Boolean).join(' '));
    const inferred = ended.some(({ isInferred }) => isInferred) ? ' (inferred)' : '';
    const move = target === undefined ? '' : ` Move to ${target}.`;
    const words = escapeMarkdown(`This version is no longer supported${inferred}.${move}`);
    notes.push({
      matchCurrentVersion: matchLines(ended, component),
      labels: ['unsupported'],
      words,
    });
  }
  return notes;
}

function listLabels({ line: name, state }: Line, { releases }: Component): string[] {
  const ofLine = releases.filter(({ line }) => line === name);
  const isDeprecated = ofLine.length > 0 && ofLine.every((release) => release.isDeprecated);
  return [
    ...(stateTones[state] === 'soon' ? ['support-ends'] : []),
    ...(isDeprecated ? ['deprecated'] : []),
  ];
}

/** The versions of some lines, also those that are not listed: `2025.1.9` is of the line 2025.1. */
function matchLines(lines: readonly Line[], { lines: all, releases }: Component): string {
  const names = lines.map(({ line: name }) => {
    const isPrefix = all.some((other) => other.line.startsWith(`${name}.`));
    const versions = releases
      .filter(({ line }) => line === name)
      .map(({ version }) => escape(version.replace(/^v/i, '')));
    return isPrefix ? versions.join('|') : `${escape(name.replace(/^v/i, ''))}(?:\\D.*)?`;
  });
  return `/^v?(?:${names.filter(Boolean).join('|')})$/i`;
}

/** What is known of single releases: those with the same facts share a rule. */
function createReleaseNotes({ releases }: Component): Note[] {
  const ofCurrent = groupByWords(releases, (release) =>
    [
      ...listOwnReasons(release).map(({ text }) => text),
      release.advisories?.length ? describeSecurity(release) : '',
    ]
      .filter(Boolean)
      .join(' '),
  );
  const ofNew = groupByWords(releases, ({ fixes, advisories = [] }) =>
    advisories.length === 0 && fixes.length > 0
      ? `The proposed version fixes ${fixes.join(', ')}.`
      : '',
  );
  return [
    ...Array.from(ofCurrent, ([words, group]): Note => ({
      matchCurrentVersion: `/^v?(?:${group.map(({ version }) => escape(version.replace(/^v/i, ''))).join('|')})(?:\\.0)?$/i`,
      labels: group[0]!.advisories?.length
        ? ['security']
        : group[0]!.isDeprecated
          ? ['deprecated']
          : [],
      words: escapeMarkdown(words),
    })),
    ...Array.from(ofNew, ([words, group]): Note => ({
      matchJsonata: [
        `newVersion in ${JSON.stringify(group.flatMap(({ version }) => [version, version.replace(/^v/i, '')]))}`,
      ],
      labels: ['security'],
      words: escapeMarkdown(words),
    })),
  ];
}

function groupByWords(
  releases: readonly Release[],
  describe: (release: Release) => string,
): Map<string, Release[]> {
  const groups = Map.groupBy(releases, describe);
  groups.delete('');
  return groups;
}

/** Foreign words must neither mention, link nor be a template. A zero-width space breaks names, numbers and addresses. */
function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\p{Cf}/gu, '')
    .replaceAll(/:\/\/|[&"\\`*_{}[\]<>|~]|[@#]|www\./gi, (special) => {
      if (special === '://') {
        return '&#58;//';
      }

      return /^[@#w]/i.test(special) ? `${special}&#8203;` : `&#${special.charCodeAt(0)};`;
    });
}
