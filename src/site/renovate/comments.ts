/**
 * Writes the comment that names a component. Creates Renovate's managers, which find the version or the checksum below it:
 *
 *     # renovate: datasource=custom.releases depName=svc
 *     SVC_VERSION=2025.1
 */

/** Writes the comment, without the characters that begin it (`#`, `//`). */
export function writeComment(datasource: string, component: string): string {
  return `renovate: datasource=custom.${datasource} depName=${component}`;
}

/** Matches only versions below a comment. A package that another manager finds keeps the versioning of its ecosystem. */
export const belowComment = { matchManagers: ['custom.regex', 'custom.jsonata'] };

/* Lists the files in which Renovate looks for comments. */

/** Renovate's own presets that read such comments. */
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

/** The files that Renovate's own managers read. */
const ownFiles = [
  '**/{,*.}{[Dd]ocker,[Cc]ontainer}file*',
  '**/{.azuredevops,workflow-templates,.{github,gitea,forgejo}/{workflows,actions}}/**/*.{yml,yaml}',
  '**/{action,*-pipelines,*.gitlab-ci}.{yml,yaml}',
  'azure*pipeline!(s).{yml,yaml}',
  '**/{[Mm]akefile,GNUmakefile,*.mk,*.tfvars,pom.xml}',
];

/**
 * Matches folders of YAML files, such as `deploy/` and `.github/`. It does not match `.github/workflows/` or `.azuredevops/`, where
 * Renovate's own managers read every YAML file. Otherwise Renovate would find each comment in these folders twice.
 */
const otherFolders =
  '{,!(.github|.gitea|.forgejo|.azuredevops|workflow-templates)/**/,.{github,gitea,forgejo}/{,!(workflows|actions|workflow-templates)/**/}}';

/** Further files that may contain versions. */
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

/* Defines the parts of the regular expressions. */

const blanks = '[ \\t]*';
/** The character before a version or a checksum: `=1.2`, `: 1.2`, `"1.2`, `>1.2<`, `${A:-1.2}`. */
const before = '(?:[ \\t=:"\'>]|:-)';
/** The character after a version or a checksum. */
const next = '["\' \\t\\r,;}#<]';
const after = `(?:${next}|\\n|$)`;
/** A version has at most 40 characters, so that longer digests are not taken for versions. */
const number = '\\d[\\w.+~!-]{0,38}';
const version = `(?<currentValue>v?${number})`;
/**
 * Matches a version beside a checksum, without its `v`. Renovate looks up the digest of exactly the matched text. The preset removes the
 * `v` from the listed versions, so the matched text must not have it.
 */
const bareVersion = `v?(?<currentValue>${number})`;
const sha256 = '(?<currentDigest>[0-9a-f]{64})';

/** Matches any text before the digest of an image, up to the first `@sha`. */
const text = `(?:${excludeWord('@sha')})*?`;

/**
 * Writes a regular expression for text without `word`. The expression matches one piece of the text, so it must be repeated to match the
 * whole text. For `@sha`, it is `[^\n@]|@(?:[^\ns]|s(?:[^\nh]|h[^\na]))`. A piece is one of these:
 * - a character that does not begin the word
 * - the beginning of the word, and a character that does not continue it
 *
 * Renovate's engine (RE2) does not support the lookahead `(?!@sha)`.
 */
function excludeWord(word: string): string {
  const [first = '', ...rest] = word;
  const others = `[^\\n${first}]`;
  if (rest.length === 0) {
    return others;
  }

  const further = excludeWord(rest.join(''));
  return `${others}|${first}${rest.length > 1 ? `(?:${further})` : further}`;
}

/**
 * Maps the first character of a comment to the characters that may come second: a comment that begins with `/` begins with `//` or `/*`.
 * After `#`, any character may come second. `"//"` begins a comment in JSON.
 */
const commentStarts = { '#': '', '/': '/*', '<': '!', '"': '/' };

/** Matches the beginning of a line that is not a comment, up to the version: `image: a/svc:` in `image: a/svc:1.2`. */
const code = `${blanks}(?:(?:${excludeComments()})${text})?`;

/** Writes a pattern for the first characters of a line that is not a comment: `[^\s#/<"]|/[^/*\n]|<[^!\n]|"[^/\n]`. */
function excludeComments(): string {
  const starts = Object.entries(commentStarts);
  const others = `[^\\s${starts.map(([first]) => first).join('')}]`;
  const pairs = starts.filter(([, followers]) => followers !== '');
  return [others, ...pairs.map(([first, followers]) => `${first}[^${followers}\\n]`)].join('|');
}

/**
 * Returns the custom managers for versions and checksums that Renovate's own managers do not find. Below `# renovate: … depName=svc` they
 * find:
 *
 * | below the comment                | for example                           | found                                  |
 * | -------------------------------- | ------------------------------------- | -------------------------------------- |
 * | a version                        | `SVC_VERSION=1.2`                     | the version                            |
 * | a SHA-256, then a version        | `SVC_SHA256=0f0f…`, `SVC_VERSION=1.2` | both, and an update changes both       |
 * | an image with version and digest | `image: a/svc:1.2@sha256:0f0f…`       | both, and an update changes both       |
 * | a SHA-256                        | `SVC_SHA256=0f0f…`                    | the checksum of `1.2`, if the comment has `digestVersion=1.2` |
 */
export function createCommentManagers(datasource: string): object[] {
  const options = ['packageName', 'versioning', 'extractVersion'].map(
    (name) => `(?: ${name}=(?<${name}>[^\\s"]+))?`,
  );
  const start = `renovate: datasource=(?<datasource>custom\\.${datasource}) depName=(?<depName>[^\\s"]+)${options.join('')}`;
  // Words may follow in the line. Another option (`key=value`) must not follow, because it could change the comment's meaning.
  const comment = `${start}(?:[ "\\t\\r][^\\n=]*)?\\n`;
  const commentOfDigest = `${start} digestVersion=${bareVersion}[^\\w\\n]*\\n`;

  const versionLine = `${code}${before}${version}${after}`;
  const bareVersionLine = `${code}${before}${bareVersion}${after}`;
  const checksum = `${code}${before}(?:sha256:)?${sha256}`;
  const checksumLine = `${checksum}(?:${next}[^\\n]*)?\\n`;
  const imageLine = `${code}${before}${bareVersion}@sha256:${sha256}`;
  // Matches the short name `VERSION`. Renovate's own managers find only longer names, such as `AGENT_VERSION`.
  const shortName = `${blanks}(?:- )?(?:(?:ENV|ARG|export) +)?VERSION[ \\t:?=]+["']?${version}${after}`;

  const inAllFiles = [`${comment}${imageLine}`, `${commentOfDigest}${checksum}${after}`];
  const read = (managerFilePatterns: string[], ...lines: string[]) => ({
    customType: 'regex',
    managerFilePatterns,
    matchStrings: [...lines.map((line) => `${comment}${line}`), ...inAllFiles],
  });
  return [
    read(otherFiles, versionLine, `${checksumLine}${bareVersionLine}`),
    read(ownFiles, `${checksumLine}${bareVersionLine}`, shortName),
  ];
}
