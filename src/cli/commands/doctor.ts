import { join } from 'node:path';
import type { AccessConfig } from '../../core/schemas/access/access-config.ts';
import {
  findFolder,
  findHost,
  listPlaceholders,
  findHostPlan,
  type SiteConfig,
} from '../../core/schemas/definition/site-config.ts';
import { formatFinding, type Finding } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { checkSiteToPublish } from '../../deliver/check/built-site.ts';
import { checkSecrets } from '../../deliver/host/cloudflare.ts';
import {
  accessKeysVariable,
  endingKey,
  readHostKeys,
  type HostKeys,
} from '../../deliver/publish/host-keys.ts';
import { readingKeyVariable } from '../../deliver/publish/site-http.ts';
import { signingKeyVariable } from '../../deliver/sign/choose-signing-key.ts';
import { isOsv } from '../../core/schemas/definition/source.ts';
import { isAbsent } from '../../io/files/file-system.ts';
import {
  accessKeysFile,
  readAccessConfig,
  requireSiteConfig,
} from '../../io/files/settings-files.ts';
import { listComponents } from '../../io/files/root.ts';
import { readNpmConfig, readsNpmToken } from '../../io/http/npm-config.ts';
import { mayAskOsv } from '../../record/add/add-component.ts';
import { readDefinitions } from '../../record/read-definition.ts';
import { readDailyReport } from '../../run/daily/daily-report.ts';
import { createRegistryFinder } from '../../run/upstreams.ts';
import { digestsFile } from '../../site/digests.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import {
  checkForge,
  checkGit,
  checkProgram,
  fail,
  leaveOpen,
  pass,
  type Requirement,
} from '../repository-requirements.ts';
import { findForges, readStarterInput, type Forge } from '../starter/starter.ts';
import { checkIndex } from './check.ts';

export const command: Command = {
  options: shared('root', 'out', 'as-of'),
  details: [
    'Each requirement of a publication: ok, missing, or unknown where only you or the forge can tell, with its remedy.',
    'Exits with 1 if anything is missing. Changes nothing, and works without a network.',
  ],
  examples: [['doctor', 'before the first publication, and on a bad day']],
  checksRepository: true,
  async run(invocation) {
    const { root, env, day, report } = invocation;
    const config = requireSiteConfig(root);
    // `checkDefinitions` reports an unusable file.
    const access = readAccessConfig(root).value;
    const forges = findForges(readStarterInput(root, env));

    const checks = [
      pass('Node', process.version),
      ...checkGit(invocation),
      checkProgram(invocation),
      checkForge(invocation, forges),
      checkAddresses(config),
      await checkDefinitions(invocation),
      checkAdvisories(invocation),
      await checkSiteFiles(invocation, config),
      checkFolder(config),
      // Without files of a forge, those of GitHub are expected: `checkForge` reports them as missing.
      checkRunSecrets(invocation, config, access, forges[0] ?? 'github'),
      checkKeys(invocation, access),
      checkLastRun(invocation),
    ];
    const requirements = checks.filter((check) => check !== undefined);

    report.print(...requirements.flatMap(describeRequirement));

    const count = requirements.filter(({ state }) => state === 'missing').length;
    const missing = count === 0 ? 'Nothing' : formatCount(count, 'thing');
    report.print(`${missing} ${count > 1 ? 'are' : 'is'} missing.`);
    report.document({ verb: 'doctor', asOf: day, lines: requirements });
    return count > 0 ? 1 : 0;
  },
};

function describeRequirement({ state, subject, message, remedy }: Requirement): string[] {
  const start = `${state.padEnd(9)}${subject.padEnd(13)}`;
  const line = `${start}${message}`;
  return remedy === undefined ? [line] : [line, `${' '.repeat(start.length)}${remedy}`];
}

function checkAddresses(config: SiteConfig): Requirement {
  const placeholders = listPlaceholders(config);
  return placeholders.length > 0
    ? fail('addresses', formatList(placeholders, 2), 'edit site/site.json')
    : pass('addresses', `${config.releasesUrl}, ${config.repositoryUrl}`);
}

async function checkDefinitions(invocation: Invocation): Promise<Requirement> {
  const { counts, summary } = await checkIndex(invocation);
  if (counts.components === 0) {
    return fail('definitions', 'there is no component', 'npx release-index add npm <package>');
  }

  return counts.errors > 0
    ? fail('definitions', summary, 'npx release-index check')
    : pass('definitions', summary);
}

/** Reports public packages without a source of advisories: `unknown`, as an index may do without. */
function checkAdvisories({ root, env }: Invocation): Requirement | undefined {
  const npmRegistry = createRegistryFinder(readNpmConfig(env, root.dir));
  const names: string[] = [];

  for (const [name, { value }] of readDefinitions(root, listComponents(root).names)) {
    const { sources = [], advisories } = value ?? {};
    const isWatched = advisories !== undefined || sources.some(isOsv);
    if (!isWatched && mayAskOsv(sources, { npmRegistry })) {
      names.push(name);
    }
  }
  if (names.length === 0) {
    return undefined;
  }

  const message = `no source is asked for ${formatList(names, 5)}`;
  const remedy = 'add {"datasource": "osv"} to sources in the definition of each';
  return leaveOpen('advisories', message, remedy);
}

async function checkSiteFiles({ root, out }: Invocation, config: SiteConfig): Promise<Requirement> {
  if (isAbsent(join(out, digestsFile))) {
    return fail('site', 'is not built', 'npx release-index start');
  }

  const { site, findings } = await checkSiteToPublish({
    root,
    out,
    config,
    baseUrl: config.releasesUrl,
    isSigned: config.signingPublicKey !== undefined,
  });
  if (!site) {
    const [message = ''] = findings.map(formatFinding);
    return fail('site', message);
  }

  const files = formatCount(site.digests.size, 'file');
  return findHost(config) === 'cloudflare'
    ? pass('site', `${files}, within the ${findHostPlan(config)} plan of Cloudflare`)
    : pass('site', files);
}

function checkFolder(config: SiteConfig): Requirement | undefined {
  if (findHost(config) !== 'files') {
    return undefined;
  }

  const folder = findFolder(config);
  const remedy = '"hosting": {"folder": "/srv/releases"} in site/site.json, or daily --to';
  return folder === undefined
    ? fail('folder', 'daily publishes nowhere', remedy)
    : pass('folder', folder);
}

/** The secrets that the daily run needs and the environment lacks. Only the forge knows whether it has them. */
function checkRunSecrets(
  { root, env }: Invocation,
  config: SiteConfig,
  access: AccessConfig | undefined,
  forge: Forge,
): Requirement {
  const hostFindings = findHost(config) === 'cloudflare' ? checkSecrets(env) : [];
  const secrets = {
    [signingKeyVariable]: config.signingPublicKey !== undefined,
    [accessKeysVariable]: access?.accessKeys.enabled === true,
    [readingKeyVariable]: access?.protect === 'everything',
    NPM_TOKEN: readsNpmToken(root.dir),
    PUSH_TOKEN: forge === 'gitlab',
  };
  const missing = hostFindings.map(({ subject }) => subject);
  for (const [name, isNeeded] of Object.entries(secrets)) {
    if (isNeeded && !env[name]?.trim()) {
      missing.push(name);
    }
  }
  if (missing.length === 0) {
    return pass('secrets', 'none, or in the environment');
  }

  const remedies = {
    github: 'gh secret list, then for each that it lacks: gh secret set <name>',
    gitlab: 'Settings / CI/CD / Variables',
    none: 'set them in the environment of the run',
  };
  return leaveOpen('secrets', `it needs ${missing.join(', ')}`, remedies[forge]);
}

function checkKeys(
  { root, env, day }: Invocation,
  access: AccessConfig | undefined,
): Requirement | undefined {
  if (!access?.accessKeys.enabled) {
    return undefined;
  }

  const hostKeys = readHostKeys(root, env, access, day);
  const { keys = [] } = hostKeys;
  const finding = hostKeys.findings.find(({ level }) => level !== 'notice');
  if (finding) {
    return fail('access keys', formatFinding(finding), findRemedy(finding, hostKeys));
  }

  // There is a key: without one, there is a warning.
  const [firstEnd] = keys.map(({ expires }) => expires).sort();
  return pass('access keys', `${keys.length} valid, the first until ${firstEnd}`);
}

/** Finds the remedy of a problem or warning about the access keys. */
function findRemedy(finding: Finding, { keys = [] }: HostKeys): string {
  if (finding.level === 'error') {
    return 'correct the list';
  }

  const needsKey = keys.length === 0 || finding.kind === endingKey;
  return needsKey
    ? 'npx release-index key new'
    : `remove the list in ${accessKeysFile}, or unset the variable`;
}

function checkLastRun({ root }: Invocation): Requirement | undefined {
  const report = readDailyReport(root);
  if (!report) {
    return undefined;
  }

  const { asOf, attention } = report;
  if (attention.length === 0) {
    return pass('last run', asOf);
  }

  const message = `${asOf}: ${formatCount(attention.length, 'alert')}`;
  return fail('last run', message, 'npx release-index attention --print');
}
