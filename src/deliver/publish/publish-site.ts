import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import { hostOf, placeholdersIn, planOf, type SiteConfig } from '../../core/schemas/site-config.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { readAccessConfig } from '../../io/files/read.ts';
import { listComponents, type Root } from '../../io/files/root.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { digestsFile } from '../../site/digests.ts';
import { signedPaths } from '../../site/own-files.ts';
import { baseUrlOf } from '../../site/render/preset.ts';
import { loadComponent } from '../../site/load-component.ts';
import { checkSite, compareWithFreshBuild } from '../check/built-site.ts';
import { changesSince } from '../check/index-changes.ts';
import {
  deploySite,
  openWorkspace,
  readCredentials,
  type Credentials,
  type Deployment,
} from '../host/wrangler.ts';
import { checkHostLimits } from '../host/host-limits.ts';
import { hostingFor, type Hosting } from '../host/hosting.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../sign/sign-site.ts';
import { compareWithLive, readCopy, readLive, type Live, type LiveSite } from './live.ts';
import { checkOwnKey, readHostKeys, type HostKeys } from './host-keys.ts';
import { makePlan, type Plan } from './plan.ts';
import {
  checkProtection,
  compareProtection,
  openSiteHttp,
  readProtection,
  withClientToken,
} from './site-http.ts';
import { readBack, type ReadBack, type ReadBackOptions } from './read-back.ts';

export interface PublishInput {
  root: Root;
  /** The built site. */
  out: string;
  day: Day;
  baseUrl: string;
  config: SiteConfig;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
  isDryRun: boolean;
  /** The same run has just built the site. */
  isJustBuilt: boolean;
  /** A person has seen the breaking changes, and accepts them. */
  accept: boolean;
  /** A person wants to remove protection of the live site. */
  unprotect: boolean;
  onProgress(text: string): void;
  sleep?: ReadBackOptions['sleep'];
}

export type Publication =
  /** Nothing was sent. */
  | { kind: 'refused'; findings: Finding[] }
  | { kind: 'planned' | 'unchanged'; plan: Plan; findings: Finding[] }
  | {
      kind: 'published';
      plan: Plan;
      findings: Finding[];
      versionId: string;
      sentFiles: number;
      verifiedFiles: number;
      rollBack: string;
    }
  /** It failed after it was begun; the findings say which site is live. */
  | { kind: 'failed'; plan: Plan; findings: Finding[]; versionId?: string };

/** Sends nothing before everything that can be checked beforehand has been checked. */
export async function publishSite(given: PublishInput): Promise<Publication> {
  const { root, out, baseUrl, config, day, isDryRun, accept } = given;
  const { value: access, findings: ofAccess } = readAccessConfig(root);
  const { env, findings: ofToken } = await withClientToken(given, access);
  const input = { ...given, env, ownUrl: baseUrl };
  const signing = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  const { site, findings } = await prepareSite(input, signing.key !== undefined);
  const { credentials, findings: missing } = readCredentials(env);
  const hostKeys: HostKeys = access ? readHostKeys(root, env, access, day) : { findings: [] };
  const ofOwnKey = access ? checkOwnKey(hostKeys, access, env, baseUrl) : [];
  const needed = [...signing.findings, ...(isDryRun ? [] : missing), ...ofToken, ...ofOwnKey];
  findings.push(...(isDryRun ? needed.map(asNotice) : needed), ...ofAccess, ...hostKeys.findings);
  if (site) findings.push(...checkDay(site, input));
  if (!site || findings.some(isError)) return { kind: 'refused', findings };

  input.onProgress(`publish: reading the live site at ${baseUrl}`);
  const live = await readLive(input);
  findings.push(...compareWithLive(live, site, { address: baseUrl, accept, remedy: 'publish --accept' }));
  findings.push(...tellChanges(live, site, input));
  const protection = await readProtection(baseUrl, input);
  findings.push(...compareProtection(protection, access?.protect ?? 'nothing', input.unprotect));
  if (findings.some(isError)) return { kind: 'refused', findings };

  if (!isDryRun && signing.key) signSite({ ...input, key: signing.key, asOf: site.asOf });
  const digests = servedDigests(out, site);
  const [{ asOf, hosting }, protect, keys] = [site, access?.protect, hostKeys.keys?.length];
  const plan = makePlan({ baseUrl, worker: hosting.worker, asOf, digests, live, protect, keys });
  if (isDryRun) return { kind: 'planned', plan, findings };
  if (isUnchanged(plan) && !access && !accept) return { kind: 'unchanged', plan, findings };
  const { secrets } = hostKeys;
  return send({ ...input, site, access, secrets, digests, live, plan, findings, credentials: credentials! });
}

/** Access keys are sent with a site, whose files do not tell whether they changed. */
function isUnchanged({ liveAsOf, changed, gone }: Plan): boolean {
  return liveAsOf !== undefined && changed.length + gone.length === 0;
}

/** What moves every day: how fresh the index is, its runs, and where today is on a timeline. */
const movesDaily = /^(?:status\.(?:json|html)|builds\/.*|assets\/today\.css|SHA256SUMS)$/;

/**
 * Whether nothing but the days of checks moved. It is published once a day all the same: every door tells by `status.json`
 * whether the index is kept up, and the host receives these few files alone.
 */
function isHeartbeat({ changed, gone }: Plan, signed: ReadonlySet<string>): boolean {
  return gone.length === 0 && changed.every((path) => movesDaily.test(path) || signed.has(path));
}

/** More is in `changes.json`. */
const maxTold = 20;

/** The changes that readers are told of. Only components are judged whose details differ from the live ones. */
export function tellChanges(
  live: Live,
  { asOf: day, digests }: PreparedSite,
  { root }: PublishInput,
): Finding[] {
  if (live.kind === 'nothing') return [];
  const { asOf = day, index, digests: known } = live.kind === 'site' ? live.site : {};
  const differs = (name: string) => {
    const path = `details/${name}.json`;
    return digests.get(path) !== known?.get(path);
  };
  const told = listComponents(root)
    .names.filter(differs)
    .flatMap((name) => {
      const { component } = loadComponent(root, name, day);
      if (!component) return [];
      const was = [name, ...(component.definition.renamedFrom ?? [])].find((each) => index?.has(each));
      return changesSince(component, index?.get(was ?? name), asOf, day).map((text) => ({ name, text }));
    });
  const more = told.length - maxTold;
  return [
    ...told.slice(0, maxTold).map(({ name, text }): Finding => asNotice(problem(name, text))),
    ...(more > 0 ? [asNotice(problem('publish', `${counted(more, 'more change')}`))] : []),
  ];
}

/** A built site that may be published, as far as is known without the network. */
interface PreparedSite extends LiveSite {
  hosting: Hosting;
}

/** Returns every reason against publication of one kind at once; the site only where there is none. */
export async function prepareSite(
  {
    root,
    out,
    config,
    baseUrl,
    isJustBuilt,
  }: Pick<PublishInput, 'root' | 'out' | 'config' | 'baseUrl' | 'isJustBuilt'>,
  isSigned: boolean,
): Promise<{ site?: PreparedSite; findings: Finding[] }> {
  const unknown = placeholdersIn(config).map((message) => problem('site/site.json', message));
  if (unknown.length > 0) return { findings: unknown };
  const damage = await checkSite(out);
  if (damage.length > 0) return { findings: damage };
  const builtFor = baseUrlOf(out);
  if (builtFor !== baseUrl) {
    const message = `was built for the address ${builtFor}, not for ${baseUrl}. Run: npx release-index build`;
    return { findings: [problem(out, message)] };
  }
  const isOurs = hostOf(config) === 'cloudflare';
  if (isOurs && new URL(baseUrl).pathname !== '/') {
    const message = `releasesUrl: ${baseUrl} has a path; the host serves a site at the root of a name`;
    return { findings: [problem('site/site.json', message)] };
  }
  const site = await readCopy(out);
  const different = isJustBuilt ? [] : compareWithFreshBuild({ root, out, day: site.asOf, baseUrl });
  if (different.length > 0) return { findings: different };
  const paths = [...site.digests.keys(), ...(isSigned ? signedPaths(site.digests.keys()) : [])];
  const limits = isOurs ? checkHostLimits(out, paths, planOf(config)) : [];
  return limits.length > 0
    ? { findings: limits }
    : { site: { ...site, hosting: hostingFor(baseUrl) }, findings: [] };
}

interface SendInput extends PublishInput {
  ownUrl: string;
  site: PreparedSite;
  access: AccessConfig | undefined;
  secrets: HostKeys['secrets'];
  digests: ReadonlyMap<string, string>;
  /** As it was compared with the site. */
  live: Live;
  plan: Plan;
  findings: Finding[];
  credentials: Credentials;
}

async function send(input: SendInput): Promise<Publication> {
  const { baseUrl, site, plan, findings } = input;
  const fail = (message: string, versionId?: string): Publication => {
    findings.push(problem('publish', message));
    return { kind: 'failed', plan, findings, ...defined({ versionId }) };
  };
  input.onProgress(`publish: sending ${plan.files} files to ${site.hosting.worker}`);
  const deployment = await deploy(input);
  if (deployment.kind === 'failed')
    return fail(
      `the host did not accept the site: ${deployment.reason} The live site stays as it is; publish again.`,
    );

  const { versionId, sentFiles } = deployment;
  input.onProgress(`publish: reading back from ${baseUrl}`);
  const { files, problems } = await readBackSite(input, deployment);
  const rollBack = `npx wrangler rollback --name ${site.hosting.worker}`;
  if (problems.length === 0)
    return { kind: 'published', plan, findings, versionId, sentFiles, verifiedFiles: files, rollBack };
  if (deployment.kind === 'uncertain')
    return fail(
      `the host did not switch to version ${versionId}: ${deployment.reason} The live site stays as it is; publish again.`,
    );
  return fail(
    `version ${versionId} is live with ${counted(problems.length, 'wrong answer')}: ${listed(problems, 3)}. Roll back: ${rollBack}`,
    versionId,
  );
}

async function deploy(input: SendInput): Promise<Deployment> {
  const workspace = openWorkspace(input.root, { ...input, hosting: input.site.hosting }, input.secrets);
  try {
    return await deploySite(
      { ...input, workspace },
      {
        message: isHeartbeat(input.plan, new Set(signedPaths(input.digests.keys())))
          ? `Checked on ${input.site.asOf}, nothing new`
          : `Release index as of ${input.site.asOf}`,
        isFirst: input.live.kind === 'nothing' && !input.accept,
        objection: () => findOtherPublication(input),
      },
    );
  } finally {
    workspace.remove();
  }
}

/** Of two publications at once, the second must not replace the first without comparing with it. */
async function findOtherPublication(input: SendInput): Promise<string | undefined> {
  if (input.live.kind === 'unreadable') return undefined;
  const now = await readLive(input);
  if (now.kind === 'unreadable') return `the live site could not be read again (${now.reason}).`;
  const listOf = (live: Live) => (live.kind === 'site' ? live.site.digests.get(digestsFile) : undefined);
  if (listOf(now) === listOf(input.live)) return undefined;
  return `another publication to ${input.baseUrl} was faster, and this site was not compared with it.`;
}

/** Where the switch itself broke off, reading once shows whether it happened. */
function readBackSite(input: SendInput, { kind }: Deployment): Promise<ReadBack> {
  const { baseUrl, digests, plan, signal, access, sleep } = input;
  return readBack({
    baseUrl,
    digests,
    first: plan.changed,
    openHttp: () => openSiteHttp(input),
    isOnce: kind === 'uncertain',
    signal,
    sleep,
    ...(access && {
      protect: access.protect,
      checkProtection: () => checkProtection(baseUrl, access.protect, input),
    }),
  });
}

/** A site of a future day would make every site until then look older than the live one. */
export function checkDay({ asOf }: PreparedSite, { out, day, accept }: PublishInput): Finding[] {
  if (asOf === day) return [];
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day || accept) return [{ level: 'notice', subject: out, message }];
  return [
    problem(out, `${message}. Run: npx release-index build. To publish it all the same: publish --accept`),
  ];
}

export function servedDigests(out: string, { digests }: PreparedSite): Map<string, string> {
  const served = new Map(digests);
  for (const file of signedPaths(digests.keys())) {
    const path = join(out, file);
    if (existsSync(path)) served.set(file, sha256(readFileSync(path)));
  }
  return served;
}

export function isError(finding: Finding): boolean {
  return finding.level === 'error';
}

export function asNotice(finding: Finding): Finding {
  return { ...finding, level: 'notice' };
}
