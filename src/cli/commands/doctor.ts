import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import {
  findFolder,
  findHost,
  listPlaceholders,
  findHostPlan,
  type SiteConfig,
} from '../../core/schemas/definition/site-config.ts';
import { formatFinding } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { accessKeysVariable, readHostKeys } from '../../deliver/publish/host-keys.ts';
import { checkSiteToPublish } from '../../deliver/publish/prepare-site.ts';
import { readingKeyVariable } from '../../deliver/publish/site-http.ts';
import { signingKeyVariable } from '../../deliver/sign/sign-site.ts';
import { isAbsent, readIfThere } from '../../io/files/file-system.ts';
import { askGit, openGit, type Git } from '../../io/files/git.ts';
import { firstCommit } from '../../io/files/hidden-files.ts';
import { requireValue } from '../../io/files/read-documents.ts';
import { readAccessConfig, readSiteConfig } from '../../io/files/read.ts';
import { listComponents } from '../../io/files/root.ts';
import { readNpmConfig } from '../../io/http/npm-config.ts';
import { readProgramVersion } from '../../io/program.ts';
import { isPublic, readOpenSupport } from '../../record/add/add-component.ts';
import { readDefinitions, type FullDefinition } from '../../record/read-definition.ts';
import { readReport } from '../../run/daily/daily-report.ts';
import { createRegistryFinder } from '../../run/run-context.ts';
import { describeAdding } from '../add-request.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import {
  createCurrentFiles,
  findForge,
  readIndex,
  readsNpmToken,
  type Forge,
  type StarterFile,
} from '../starter.ts';
import { findTwoVersions, mergeUpdate } from '../update-index.ts';
import { checkIndex, describeCounts } from './check.ts';

const optionTable = shared('root', 'out', 'as-of');
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'One line for each requirement of a publication: ok, missing with its remedy, or unknown where only the forge knows.',
    'Exits with 1 if anything is missing. Changes nothing, and works without a network.',
  ],
  examples: [['doctor', 'before the first publication, and on a bad day']],
  run,
};

interface Line {
  readonly subject: string;
  readonly state: 'ok' | 'missing' | 'unknown';
  readonly message: string;
  /** A command, or a place in settings. */
  readonly remedy?: string;
}

function ok(subject: string, message: string): Line {
  return { subject, state: 'ok', message };
}

function missing(subject: string, message: string, remedy: string): Line {
  return { subject, state: 'missing', message, remedy };
}

async function run(invocation: Invocation<Options>): Promise<number> {
  const { root, env, day, report } = invocation;
  const config = requireValue(readSiteConfig(root));
  const forge = findForge(readIndex(root, env));

  const lines = [
    ok('Node', process.version),
    ...checkGit(invocation),
    isAbsent(join(root.dir, 'package-lock.json'))
      ? missing('program', 'there is no package-lock.json', 'npm install')
      : ok('program', readProgramVersion()),
    checkForge(invocation, forge),
    listPlaceholders(config).length > 0
      ? missing('addresses', formatList(listPlaceholders(config), 2), 'edit site/site.json')
      : ok('addresses', `${config.releasesUrl}, ${config.repositoryUrl}`),
    await checkDefinitions(invocation),
    ...checkOpenQuestions(invocation),
    await checkSiteFiles(invocation, config),
    ...checkFolder(config),
    checkSecrets(invocation, config, forge),
    ...checkKeys(invocation),
    ...checkLastDay(invocation),
  ];

  const count = lines.filter(({ state }) => state === 'missing').length;

  for (const { state, subject, message, remedy } of lines) {
    report.print(`${state.padEnd(9)}${subject.padEnd(13)}${message}`);

    if (remedy !== undefined) {
      report.print(`${' '.repeat(22)}${remedy}`);
    }
  }

  report.print(
    count === 0
      ? 'Nothing is missing.'
      : `${formatCount(count, 'thing')} ${count === 1 ? 'is' : 'are'} missing.`,
  );

  report.document({ verb: 'doctor', asOf: day, lines });
  return count > 0 ? 1 : 0;
}

function checkGit({ root, env }: Invocation): Line[] {
  const git = openGit(root.dir, env);
  const version = askGit(git, '--version');
  if (version === undefined) {
    return [missing('git', 'is not installed', 'https://git-scm.com/downloads')];
  }
  if (askGit(git, 'rev-parse', '--verify', 'HEAD') === undefined) {
    return [missing('commit', 'there is none', firstCommit)];
  }

  const files = git(['status', '--porcelain', '--', '.']).split('\n').filter(Boolean);
  const remote = askGit(git, 'remote', 'get-url', 'origin')?.replace(/\/\/[^/@]+@/, '//');

  return [
    ok('git', version.replace('git version ', '')),
    files.length > 0
      ? missing(
          'commit',
          `${formatCount(files.length, 'file')} not committed`,
          'git add --all && git commit',
        )
      : ok('commit', 'everything is committed'),
    remote === undefined
      ? missing('remote', 'there is no origin', 'git remote add origin <address of the repository>')
      : ok('remote', remote),
    checkBranch(git),
  ];
}

function checkBranch(git: Git): Line {
  const branch = askGit(git, 'symbolic-ref', '--short', 'HEAD') ?? '';
  const published = askGit(git, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  const mainBranch = published?.replace('origin/', '') ?? branch;
  const difference = `${branch || 'none'} is checked out, ${mainBranch} is published`;
  if (branch !== mainBranch) {
    return missing('branch', difference, `git switch ${mainBranch}`);
  }
  if (askGit(git, 'rev-list', '--count', '@{upstream}..HEAD') === '0') {
    return ok('branch', branch);
  }

  return missing(
    'branch',
    `${branch} has commits that are not pushed`,
    `git push --set-upstream origin ${branch || 'HEAD'}`,
  );
}

function checkForge({ root, env, checkout }: Invocation, forge: Forge | undefined): Line {
  if (root.dir === checkout) {
    return ok('daily run', 'that of the program');
  }

  const remedy = 'npx release-index init --update';
  if (forge === undefined) {
    return missing(
      'daily run',
      'no workflow, pipeline or Dockerfile runs it',
      `${remedy} (--ci gitlab, --ci none)`,
    );
  }

  const versions = findTwoVersions(root.dir);
  if (versions) {
    return missing('daily run', versions.message, versions.remedy);
  }

  const files = createCurrentFiles({ ...readIndex(root, env), forge });
  const isOlder = (file: StarterFile) =>
    mergeUpdate(file, root.dir).content !== readIfThere(file.path)?.toString();
  const names = files.filter(isOlder).map(({ path }) => basename(path));
  if (names.length === 0) {
    return ok('daily run', forge);
  }

  return missing('daily run', `this version writes ${names.join(', ')} otherwise`, remedy);
}

async function checkDefinitions(invocation: Invocation): Promise<Line> {
  const { counts } = await checkIndex(invocation);
  const summary = describeCounts(counts);
  if (counts.components === 0) {
    return missing('definitions', 'there is no component', 'npx release-index add npm <package>');
  }
  if (counts.errors > 0) {
    return missing('definitions', summary, 'npx release-index check');
  }

  return ok('definitions', summary);
}

interface OpenComponent {
  readonly name: string;
  readonly sources: FullDefinition['sources'];
}

/** Advisories and ends that are still unknown, because a host did not answer while `add` ran. */
function checkOpenQuestions({ root, env }: Invocation): Line[] {
  const npmRegistry = createRegistryFinder(readNpmConfig(env, process.cwd()));
  const openSupport = readOpenSupport(root);
  const unwatched: OpenComponent[] = [];
  const endless: OpenComponent[] = [];

  for (const [name, { value }] of readDefinitions(root, listComponents(root).names)) {
    if (!value) {
      continue;
    }

    const { sources, advisories, support } = value;
    const isWatched =
      advisories !== undefined || sources.some(({ datasource }) => datasource === 'osv');
    if (!isWatched && sources.some((source) => isPublic(source, { npmRegistry }))) {
      unwatched.push({ name, sources });
    }
    if (support === undefined && openSupport.includes(name)) {
      endless.push({ name, sources });
    }
  }

  return [
    ...describeOpen('advisories', unwatched, 'add {"datasource": "osv"} to sources'),
    ...describeOpen('support', endless, 'state "support"'),
  ];
}

/** The line of a question. Its remedy asks again, or edits a definition with several sources: `add` keeps only the first. */
function describeOpen(subject: string, components: readonly OpenComponent[], edit: string): Line[] {
  if (components.length === 0) {
    return [];
  }

  const names = components.map(({ name }) => name);
  const remedies = components.slice(0, 5).map(({ name, sources: [source, ...others] }) => {
    const { datasource, packageName = '', registryUrl } = source!;
    return others.length > 0
      ? `${edit} in components/${name}.json`
      : `${describeAdding({ datasource, packageName, registryUrl }, name)} --replace`;
  });
  const message = `no source is asked for ${formatList(names, 5)}`;
  return [{ subject, state: 'unknown', message, remedy: remedies.join(' && ') }];
}

async function checkSiteFiles({ root, out }: Invocation, config: SiteConfig): Promise<Line> {
  if (isAbsent(join(out, 'SHA256SUMS'))) {
    return missing('site', 'is not built', 'npx release-index start');
  }

  const { findings } = await checkSiteToPublish({
    root,
    out,
    config,
    baseUrl: config.releasesUrl,
    isJustBuilt: true,
    isSigned: config.signingPublicKey !== undefined,
  });
  const [first] = findings;
  if (first) {
    return missing('site', formatFinding(first), 'npx release-index build');
  }

  const files = formatCount(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n').length,
    'file',
  );
  const isLimited = findHost(config) === 'cloudflare';
  return ok(
    'site',
    isLimited ? `${files}, within the ${findHostPlan(config)} plan of Cloudflare` : files,
  );
}

/** Only the forge knows which secrets it has. */
function checkSecrets(
  { root, env }: Invocation,
  config: SiteConfig,
  forge: Forge = 'github',
): Line {
  const access = readAccessConfig(root).value;
  const names: string[] = [];
  if (findHost(config) === 'cloudflare') {
    names.push('CLOUDFLARE_API_TOKEN', 'CLOUDFLARE_ACCOUNT_ID');
  }
  if (config.signingPublicKey !== undefined) {
    names.push(signingKeyVariable);
  }
  if (access?.accessKeys.enabled) {
    names.push(accessKeysVariable);
  }

  if (access?.protect === 'everything') {
    names.push(readingKeyVariable);
  }
  if (readsNpmToken(root.dir)) {
    names.push('NPM_TOKEN');
  }
  if (forge === 'gitlab') {
    names.push('PUSH_TOKEN');
  }

  const secrets = names.filter((name) => !env[name]);
  if (secrets.length === 0) {
    return ok('secrets', 'none, or in the environment');
  }

  const remedies = {
    github: 'gh secret list, then for each that it lacks: gh secret set <name>',
    gitlab: 'Settings / CI/CD / Variables',
    none: 'set them in the environment of the run',
  };
  const message = `it needs ${secrets.join(', ')}`;
  return { subject: 'secrets', state: 'unknown', message, remedy: remedies[forge] };
}

function checkFolder(config: SiteConfig): Line[] {
  if (findHost(config) !== 'files') {
    return [];
  }

  const folder = findFolder(config);
  const remedy = '"hosting": {"folder": "/srv/releases"} in site/site.json, or daily --to';
  return [
    folder === undefined
      ? missing('folder', 'daily publishes nowhere', remedy)
      : ok('folder', folder),
  ];
}

function checkKeys({ root, env, day }: Invocation): Line[] {
  const access = requireValue(readAccessConfig(root));
  if (!access?.accessKeys.enabled) {
    return [];
  }

  const { keys = [], findings } = readHostKeys(root, env, access, day);
  const first = keys.map(({ expires }) => expires).sort()[0];
  const trouble = findings.find(({ level }) => level !== 'notice');
  return trouble
    ? [missing('access keys', formatFinding(trouble), 'npx release-index key new')]
    : [ok('access keys', `${keys.length} valid, the first until ${first}`)];
}

function checkLastDay({ root }: Invocation): Line[] {
  const report = readReport(root);
  if (!report) {
    return [];
  }

  const { asOf, attention } = report;
  if (attention.length === 0) {
    return [ok('last run', asOf)];
  }

  const message = `${asOf}: ${formatCount(attention.length, 'alert')}`;
  return [missing('last run', message, 'npx release-index attention --print')];
}
