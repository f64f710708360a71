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
import { readAccessConfig, requireAccessConfig, requireSiteConfig } from '../../io/files/read.ts';
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

export const command: Command = {
  options: shared('root', 'out', 'as-of'),
  details: [
    'One line for each requirement of a publication: ok, missing with its remedy, or unknown where only the forge knows.',
    'Exits with 1 if anything is missing. Changes nothing, and works without a network.',
  ],
  examples: [['doctor', 'before the first publication, and on a bad day']],
  rejectsHiddenFiles: true,
  async run(invocation) {
    const { root, env, day, report } = invocation;
    const config = requireSiteConfig(root);
    const forge = findForge(readIndex(root, env));

    const lines = [
      pass('Node', process.version),
      ...checkGit(invocation),
      checkProgram(invocation),
      checkForge(invocation, forge),
      checkAddresses(config),
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
  },
};

interface Line {
  subject: string;
  state: 'ok' | 'missing' | 'unknown';
  message: string;
  /** A command, or a place in settings. */
  remedy?: string;
}

function pass(subject: string, message: string): Line {
  return { subject, state: 'ok', message };
}

function fail(subject: string, message: string, remedy: string): Line {
  return { subject, state: 'missing', message, remedy };
}

function checkGit({ root, env }: Invocation): Line[] {
  const git = openGit(root.dir, env);
  const version = askGit(git, '--version');
  if (version === undefined) {
    return [fail('git', 'is not installed', 'https://git-scm.com/downloads')];
  }
  if (askGit(git, 'rev-parse', '--verify', 'HEAD') === undefined) {
    return [fail('commit', 'there is none', firstCommit)];
  }

  const files = git(['status', '--porcelain', '--', '.']).split('\n').filter(Boolean);
  const remote = askGit(git, 'remote', 'get-url', 'origin')?.replace(/\/\/[^/@]+@/, '//');

  return [
    pass('git', version.replace('git version ', '')),
    files.length > 0
      ? fail(
          'commit',
          `${formatCount(files.length, 'file')} not committed`,
          'git add --all && git commit',
        )
      : pass('commit', 'everything is committed'),
    remote === undefined
      ? fail('remote', 'there is no origin', 'git remote add origin <address of the repository>')
      : pass('remote', remote),
    checkBranch(git),
  ];
}

function checkBranch(git: Git): Line {
  const branch = askGit(git, 'symbolic-ref', '--short', 'HEAD') ?? '';
  const published = askGit(git, 'symbolic-ref', '--short', 'refs/remotes/origin/HEAD');
  const mainBranch = published?.replace('origin/', '') ?? branch;
  const difference = `${branch || 'none'} is checked out, ${mainBranch} is published`;
  if (branch !== mainBranch) {
    return fail('branch', difference, `git switch ${mainBranch}`);
  }
  if (askGit(git, 'rev-list', '--count', '@{upstream}..HEAD') === '0') {
    return pass('branch', branch);
  }

  return fail(
    'branch',
    `${branch} has commits that are not pushed`,
    `git push --set-upstream origin ${branch || 'HEAD'}`,
  );
}

function checkProgram({ root }: Invocation): Line {
  return isAbsent(join(root.dir, 'package-lock.json'))
    ? fail('program', 'there is no package-lock.json', 'npm install')
    : pass('program', readProgramVersion());
}

function checkAddresses(config: SiteConfig): Line {
  const placeholders = listPlaceholders(config);
  return placeholders.length > 0
    ? fail('addresses', formatList(placeholders, 2), 'edit site/site.json')
    : pass('addresses', `${config.releasesUrl}, ${config.repositoryUrl}`);
}

function checkForge({ root, env, checkout }: Invocation, forge: Forge | undefined): Line {
  if (root.dir === checkout) {
    return pass('daily run', 'that of the program');
  }

  const remedy = 'npx release-index init --update';
  if (forge === undefined) {
    return fail(
      'daily run',
      'no workflow, pipeline or Dockerfile runs it',
      `${remedy} (--ci gitlab, --ci none)`,
    );
  }

  const versions = findTwoVersions(root.dir);
  if (versions) {
    return fail('daily run', versions.message, versions.remedy);
  }

  const files = createCurrentFiles({ ...readIndex(root, env), forge });
  const isOlder = (file: StarterFile) =>
    mergeUpdate(file, root.dir).content !== readIfThere(file.path)?.toString();
  const names = files.filter(isOlder).map(({ path }) => basename(path));
  if (names.length === 0) {
    return pass('daily run', forge);
  }

  return fail('daily run', `this version writes ${names.join(', ')} otherwise`, remedy);
}

async function checkDefinitions(invocation: Invocation): Promise<Line> {
  const { counts } = await checkIndex(invocation);
  const summary = describeCounts(counts);
  if (counts.components === 0) {
    return fail('definitions', 'there is no component', 'npx release-index add npm <package>');
  }
  if (counts.errors > 0) {
    return fail('definitions', summary, 'npx release-index check');
  }

  return pass('definitions', summary);
}

interface OpenComponent {
  name: string;
  sources: FullDefinition['sources'];
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

function describeOpen(subject: string, components: readonly OpenComponent[], edit: string): Line[] {
  if (components.length === 0) {
    return [];
  }

  const names = components.map(({ name }) => name);
  const remedies = components.slice(0, 5).map((component) => describeRemedy(component, edit));
  const message = `no source is asked for ${formatList(names, 5)}`;
  return [{ subject, state: 'unknown', message, remedy: remedies.join(' && ') }];
}

/** Asks the registry again. A definition with several sources is edited: `add` keeps only the first. */
function describeRemedy({ name, sources }: OpenComponent, edit: string): string {
  const [source] = sources;
  if (!source || sources.length > 1) {
    return `${edit} in components/${name}.json`;
  }

  const { datasource, packageName = '', registryUrl } = source;
  return `${describeAdding({ datasource, packageName, registryUrl }, name)} --replace`;
}

async function checkSiteFiles({ root, out }: Invocation, config: SiteConfig): Promise<Line> {
  if (isAbsent(join(out, 'SHA256SUMS'))) {
    return fail('site', 'is not built', 'npx release-index start');
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
    return fail('site', formatFinding(first), 'npx release-index build');
  }

  const files = formatCount(
    readFileSync(join(out, 'SHA256SUMS'), 'utf8').split('\n').length,
    'file',
  );
  const isLimited = findHost(config) === 'cloudflare';
  return pass(
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
  const isAtCloudflare = findHost(config) === 'cloudflare';
  const needs: readonly (readonly [isNeeded: boolean | undefined, name: string])[] = [
    [isAtCloudflare, 'CLOUDFLARE_API_TOKEN'],
    [isAtCloudflare, 'CLOUDFLARE_ACCOUNT_ID'],
    [config.signingPublicKey !== undefined, signingKeyVariable],
    [access?.accessKeys.enabled, accessKeysVariable],
    [access?.protect === 'everything', readingKeyVariable],
    [readsNpmToken(root.dir), 'NPM_TOKEN'],
    [forge === 'gitlab', 'PUSH_TOKEN'],
  ];
  const secrets = needs
    .filter(([isNeeded, name]) => isNeeded && !env[name])
    .map(([, name]) => name);
  if (secrets.length === 0) {
    return pass('secrets', 'none, or in the environment');
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
      ? fail('folder', 'daily publishes nowhere', remedy)
      : pass('folder', folder),
  ];
}

function checkKeys({ root, env, day }: Invocation): Line[] {
  const access = requireAccessConfig(root);
  if (!access?.accessKeys.enabled) {
    return [];
  }

  const { keys = [], findings } = readHostKeys(root, env, access, day);
  const first = keys.map(({ expires }) => expires).sort()[0];
  const trouble = findings.find(({ level }) => level !== 'notice');
  return trouble
    ? [fail('access keys', formatFinding(trouble), 'npx release-index key new')]
    : [pass('access keys', `${keys.length} valid, the first until ${first}`)];
}

function checkLastDay({ root }: Invocation): Line[] {
  const report = readReport(root);
  if (!report) {
    return [];
  }

  const { asOf, attention } = report;
  if (attention.length === 0) {
    return [pass('last run', asOf)];
  }

  const message = `${asOf}: ${formatCount(attention.length, 'alert')}`;
  return [fail('last run', message, 'npx release-index attention --print')];
}
