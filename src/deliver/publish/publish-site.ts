import type { Day } from '../../core/dates.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { counted, defined, listed } from '../../core/text.ts';
import { readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { digestsFile } from '../../site/digests.ts';
import { signedPaths } from '../../site/own-files.ts';
import {
  deploySite,
  openWorkspace,
  readCredentials,
  type Credentials,
  type Deployment,
} from '../host/wrangler.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../sign/sign-site.ts';
import { compareWithLive, readLive, type Live } from './live.ts';
import { checkOwnKey, readHostKeys, type HostKeys } from './host-keys.ts';
import { makePlan, type Plan } from './plan.ts';
import {
  asNotice,
  checkDay,
  isError,
  prepareSite,
  servedDigests,
  tellChanges,
  type PreparedSite,
} from './prepare-site.ts';
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
