import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { deploySite, rollBackCommand, type Deployment } from '../host/deploy.ts';
import type { Credentials } from '../host/run-wrangler.ts';
import { NoWranglerError, openWorkspace } from '../host/wrangler.ts';
import type { Day } from '../../core/dates.ts';
import type { Env } from '../../core/env.ts';
import { problem, type Finding } from '../../core/schemas/finding.ts';
import type { AccessConfig } from '../../core/schemas/access-config.ts';
import type { SiteConfig } from '../../core/schemas/site-config.ts';
import { chooseSigningKey, signingKeyVariable, signSite } from '../sign/sign-site.ts';
import { digestsFile } from '../../site/digests.ts';
import { signedPaths } from '../../site/own-files.ts';
import { readAccessConfig } from '../../io/files/read.ts';
import type { Root } from '../../io/files/root.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { defined, listed } from '../../core/text.ts';
import { readCredentials } from './credentials.ts';
import { readLive, type Live } from './live.ts';
import { makePlan, type Plan } from './plan.ts';
import { prepareSite, type PreparedSite } from './prepare.ts';
import { examineProtection, readProtection, weighProtection } from './protection.ts';
import { readBack, type ReadBackOptions } from './read-back.ts';
import { readSentKeys, whyNotReadBack, type SentKeys } from './sent-keys.ts';
import { openSiteHttp } from './site-http.ts';
import { weighLive } from './weigh-live.ts';

export interface PublishInput {
  root: Root;
  /** The built site. */
  out: string;
  day: Day;
  baseUrl: string;
  config: SiteConfig;
  env: Env;
  signal: AbortSignal;
  isDryRun: boolean;
  /** A person has looked at what readers would lose, and accepts it. */
  accept: boolean;
  /** It is meant that strangers may read what they may not read now. */
  unprotect: boolean;
  onProgress(text: string): void;
  sleep?: ReadBackOptions['sleep'];
}

export type Publication =
  /** Nothing was sent. */
  | { kind: 'refused'; findings: Finding[] }
  | { kind: 'planned'; plan: Plan; findings: Finding[] }
  | {
      kind: 'published';
      plan: Plan;
      findings: Finding[];
      versionId: string;
      sentFiles: number;
      verifiedFiles: number;
      rollBack: string;
    }
  /** It was begun and went wrong; the findings say what is live. */
  | { kind: 'failed'; plan: Plan; findings: Finding[]; versionId?: string };

/** Sends nothing before everything that can be checked beforehand has been checked. */
export async function publishSite(given: PublishInput): Promise<Publication> {
  const input = { ...given, ownUrl: given.baseUrl };
  const { root, out, baseUrl, config, env, day, isDryRun } = input;
  const signing = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  const { site, findings } = await prepareSite({ ...input, isSigned: signing.key !== undefined });
  const { credentials, findings: missing } = readCredentials(env);
  const { value: access, findings: ofAccess } = readAccessConfig(root);
  const sent: SentKeys = access ? readSentKeys(root, env, access, day) : { findings: [] };
  const unread = access ? whyNotReadBack(sent, access, env, baseUrl) : [];
  const lacking = [...signing.findings, ...(isDryRun ? [] : missing), ...unread];
  findings.push(...(isDryRun ? lacking.map(asNotice) : lacking), ...ofAccess, ...sent.findings);
  if (site) findings.push(...checkDay(site, input));
  if (!site || findings.some(isError)) return { kind: 'refused', findings };

  input.onProgress(`publish: reading what is live at ${baseUrl}`);
  const live = await readLive(input);
  const { accept } = input;
  findings.push(...weighLive(live, { ...site, address: baseUrl, accept, remedy: 'publish --accept' }));
  const protection = await readProtection(baseUrl, input);
  findings.push(...weighProtection(protection, access?.protect, input.unprotect));
  if (findings.some(isError)) return { kind: 'refused', findings };

  if (!isDryRun && signing.key) signSite({ ...input, key: signing.key, asOf: site.asOf });
  const digests = servedDigests(out, site);
  const plan = makePlan({
    baseUrl,
    worker: site.hosting.worker,
    asOf: site.asOf,
    out,
    digests,
    live,
    protect: access?.protect,
    keys: sent.keys?.length,
  });
  if (isDryRun) return { kind: 'planned', plan, findings };
  return upload({
    ...input,
    site,
    access,
    secrets: sent.secrets,
    digests,
    live,
    plan,
    findings,
    credentials: credentials!,
  });
}

interface UploadInput extends PublishInput {
  ownUrl: string;
  site: PreparedSite;
  access: AccessConfig | undefined;
  secrets: SentKeys['secrets'];
  digests: ReadonlyMap<string, string>;
  /** As it was when the site was weighed against it. */
  live: Live;
  plan: Plan;
  findings: Finding[];
  credentials: Credentials;
}

async function upload(input: UploadInput): Promise<Publication> {
  const { baseUrl, site, plan, findings } = input;
  const fail = (message: string, versionId?: string): Publication => {
    findings.push(problem('publish', message));
    return { kind: 'failed', plan, findings, ...defined({ versionId }) };
  };
  input.onProgress(`publish: sending ${plan.files} files to ${site.hosting.worker}`);
  const deployment = await deploy(input);
  if (deployment.kind === 'failed') {
    return fail(
      `the host did not take the site: ${deployment.reason} What was live stays live; it is safe to publish again.`,
    );
  }

  if (deployment.kind === 'withheld') {
    return fail(
      `the site did not go live: ${deployment.reason}. What was live stays live. Build again and publish again; where it is to be replaced all the same: publish --accept`,
    );
  }

  const { versionId, sentFiles } = deployment;
  input.onProgress(`publish: reading back from ${baseUrl}`);
  const { files, answers, problems } = await verify(input, deployment);
  const rollBack = rollBackCommand(site.hosting.worker);
  if (problems.length === 0)
    return { kind: 'published', plan, findings, versionId, sentFiles, verifiedFiles: files, rollBack };
  if (deployment.kind === 'uncertain') {
    return fail(
      `the host did not switch to version ${versionId}: ${deployment.reason} What was live stays live; publish again.`,
    );
  }
  return fail(
    `version ${versionId} is deployed, and ${problems.length} of ${answers} answers are not as they should be: ${listed(problems, 3)}. Roll back: ${rollBack}`,
    versionId,
  );
}

async function deploy(input: UploadInput): Promise<Deployment> {
  const workspace = openWorkspace(input.root, { ...input, hosting: input.site.hosting }, input.secrets);
  try {
    return await deploySite(
      { ...input, workspace },
      {
        message: `Release index as of ${input.site.asOf}`,
        isFirst: input.live.kind === 'nothing' && !input.accept,
        objection: () => findMove(input),
      },
    );
  } catch (error) {
    if (!(error instanceof NoWranglerError)) throw error;
    return { kind: 'failed', reason: `${error.message}.` };
  } finally {
    workspace.remove();
  }
}

/** Of two publications at once, the one that looked before the other went live must not replace it. */
async function findMove(input: UploadInput): Promise<string | undefined> {
  const before = input.live;
  if (before.kind === 'unreadable') return undefined;
  const now = await readLive(input);
  if (now.kind === 'unreadable') return `what is live could not be read a second time (${now.reason})`;
  if (listOf(now) === listOf(before)) return undefined;
  return `${input.baseUrl} was published by somebody else meanwhile, and nobody has compared with that`;
}

function listOf(live: Live): string | undefined {
  return live.kind === 'site' ? live.site.digests.get(digestsFile) : undefined;
}

/** Where the switch itself broke off, one look at the address shows whether it happened. */
function verify(input: UploadInput, { kind }: Deployment): ReturnType<typeof readBack> {
  const { baseUrl, digests, plan, signal, access } = input;
  const sleep = kind === 'uncertain' ? () => Promise.reject(new Error('looked at only once')) : input.sleep;
  const open = () => openSiteHttp(input);
  return readBack({
    baseUrl,
    digests,
    first: plan.changed,
    openHttp: open,
    signal,
    ...(access && {
      protect: access.protect,
      examineProtection: () => examineProtection(baseUrl, access.protect, input),
    }),
    ...defined({ sleep }),
  });
}

/** A site of a future day would make every site until then look older than what is live. */
function checkDay({ asOf }: PreparedSite, { out, day, accept }: PublishInput): Finding[] {
  if (asOf === day) return [];
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day || accept) return [{ level: 'notice', subject: out, message }];
  return [problem(out, `${message}. Build it again, or if it is meant: publish --accept`)];
}

function servedDigests(out: string, site: PreparedSite): Map<string, string> {
  const digests = new Map(site.digests);
  for (const file of [digestsFile, ...signedPaths(site.digests.keys())]) {
    const path = join(out, file);
    if (existsSync(path)) digests.set(file, sha256(readFileSync(path)));
  }
  return digests;
}

function isError(finding: Finding): boolean {
  return finding.level === 'error';
}

function asNotice(finding: Finding): Finding {
  return { ...finding, level: 'notice' };
}
