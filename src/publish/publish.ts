import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../dates.ts';
import { deploySite, rollBackCommand, type Deployment } from '../cloudflare/deploy.ts';
import type { Credentials } from '../cloudflare/run-wrangler.ts';
import type { Env } from '../env.ts';
import { openWorkspace } from '../cloudflare/wrangler.ts';
import { createHttp, type Http } from '../http/client.ts';
import type { Finding } from '../model/finding.ts';
import type { SiteConfig } from '../model/site-config.ts';
import { digestsFile } from '../site/digests.ts';
import { sha256 } from '../store/sha256.ts';
import type { Root } from '../store/root.ts';
import { readCredentials } from './credentials.ts';
import { readLive, type Live } from './live.ts';
import { findLosses } from './losses.ts';
import { makePlan, type Plan } from './plan.ts';
import { prepareSite, type PreparedSite } from './prepare.ts';
import { readBack, type ReadBackOptions } from './read-back.ts';
import { chooseSigningKey, signatureFile, signingKeyVariable, signSite } from '../proof/sign-site.ts';

export interface PublishInput {
  root: Root;
  checkout: string;
  /** The built site. */
  out: string;
  day: Day;
  baseUrl: string;
  config: SiteConfig;
  env: Env;
  signal: AbortSignal;
  isDryRun: boolean;
  /** A person has looked at what readers would lose, and takes it. */
  accept: boolean;
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
  /** It was begun and did not end well; the findings say what is live. */
  | { kind: 'failed'; plan: Plan; findings: Finding[]; versionId?: string };

/** Nothing is sent before everything that can be known beforehand is known to be right. */
export async function publishSite(input: PublishInput): Promise<Publication> {
  const { root, out, config, env, isDryRun } = input;
  const prepared = await prepareSite({ root, out, config, baseUrl: input.baseUrl });
  const signing = chooseSigningKey(env[signingKeyVariable], config.signingPublicKey);
  const { credentials, findings: missing } = readCredentials(env);
  const findings = [...prepared.findings];
  findings.push(...(isDryRun ? signing.findings.map(asNotice) : [...signing.findings, ...missing]));
  if (!prepared.site || findings.some(isError)) return { kind: 'refused', findings };
  const { site } = prepared;
  findings.push(...weighDay(site, input));
  if (findings.some(isError)) return { kind: 'refused', findings };

  input.onProgress(`publish: reading what is live at ${input.baseUrl}`);
  const live = await askLive(input);
  findings.push(...weighLive(live, site, input));
  if (findings.some(isError)) return { kind: 'refused', findings };

  if (!isDryRun && signing.key) signSite(out, signing.key, input.baseUrl, site.asOf);
  const digests = servedDigests(out, site);
  const plan = makePlan({
    baseUrl: input.baseUrl,
    worker: site.hosting.worker,
    asOf: site.asOf,
    out,
    digests,
    live,
  });
  if (isDryRun) return { kind: 'planned', plan, findings };
  return upload({ ...input, site, digests, plan, findings, credentials: credentials! });
}

interface UploadInput extends PublishInput {
  site: PreparedSite;
  digests: ReadonlyMap<string, string>;
  plan: Plan;
  findings: Finding[];
  credentials: Credentials;
}

async function upload(input: UploadInput): Promise<Publication> {
  const { root, checkout, out, env, signal, credentials, site, plan, findings } = input;
  input.onProgress(`publish: sending ${plan.files} files to ${site.hosting.worker}`);
  const workspace = openWorkspace(root, { hosting: site.hosting, checkout, out });
  let deployment: Deployment;
  try {
    const message = `Release index as of ${site.asOf}`;
    deployment = await deploySite({ workspace, env, signal, credentials }, message);
  } finally {
    workspace.remove();
  }
  const fail = (message: string) => findings.push({ level: 'error', subject: 'publish', message });
  if (deployment.kind === 'failed') {
    fail(
      `the host did not take the site: ${deployment.reason} What was live stays live; nothing is lost by publishing again.`,
    );
    return { kind: 'failed', plan, findings };
  }

  const { versionId, sentFiles } = deployment;
  input.onProgress(`publish: reading back from ${input.baseUrl}`);
  const { files, problems } = await verify(input, deployment);
  const rollBack = rollBackCommand(site.hosting.worker);
  if (problems.length === 0) {
    return { kind: 'published', plan, findings, versionId, sentFiles, verifiedFiles: files, rollBack };
  }
  if (deployment.kind === 'uncertain') {
    fail(
      `the host did not switch to version ${versionId}: ${deployment.reason} What was live stays live; publish again.`,
    );
    return { kind: 'failed', plan, findings };
  }
  fail(
    `version ${versionId} is deployed, and ${problems.length} of ${files} files are not served as they should be: ${few(problems)}. Roll back: ${rollBack}`,
  );
  return { kind: 'failed', plan, findings, versionId };
}

/** Where the switch itself broke off, the address is looked at once: it shows whether it happened. */
function verify(input: UploadInput, deployment: Deployment): ReturnType<typeof readBack> {
  const { baseUrl, digests, plan, signal } = input;
  const sleep =
    deployment.kind === 'uncertain' ? () => Promise.reject(new Error('not waited for')) : input.sleep;
  return readBack({
    baseUrl,
    digests,
    first: plan.changed,
    openHttp: () => openHttp(input),
    signal,
    ...(sleep && { sleep }),
  });
}

async function askLive(input: PublishInput): Promise<Live> {
  const http = openHttp(input);
  try {
    return await readLive(http, input.baseUrl);
  } finally {
    await http.close();
  }
}

/** A site of a day to come would make every one until then look older than what is live. */
function weighDay({ asOf }: PreparedSite, { out, day, accept }: PublishInput): Finding[] {
  if (asOf === day) return [];
  const message = `is the index as of ${asOf}; today is ${day}`;
  if (asOf < day || accept) return [{ level: 'notice', subject: out, message }];
  const remedy = 'Build it anew, or if it is meant: publish --accept';
  return [{ level: 'error', subject: out, message: `${message}. ${remedy}` }];
}

function weighLive(live: Live, site: PreparedSite, { accept, baseUrl }: PublishInput): Finding[] {
  if (live.kind === 'silent') {
    return [
      {
        level: 'notice',
        subject: 'live site',
        message: `${live.reason.replace(/\.?$/, '.')} Nothing to compare with.`,
      },
    ];
  }
  const losses = findLosses(live.site, site.asOf, site.index);
  if (losses.length === 0) return [];
  if (accept)
    return losses.map((loss) => ({ ...loss, level: 'warning', message: `${loss.message}. Accepted.` }));
  const message = `readers of ${baseUrl} would lose this. If it is right all the same: publish --accept`;
  return [...losses, { level: 'error', subject: 'publish', message }];
}

function servedDigests(out: string, site: PreparedSite): Map<string, string> {
  const digests = new Map(site.digests);
  for (const file of [digestsFile, signatureFile]) {
    const bytes = readIfThere(join(out, file));
    if (bytes) digests.set(file, sha256(bytes));
  }
  return digests;
}

function openHttp({ env, signal, config }: PublishInput): Http {
  const userAgent = `release-index (+${config.repositoryUrl})`;
  return createHttp({ userAgent, signal, env, limits: { maxRetries: 1, totalMs: 60_000 } });
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function few(problems: readonly string[]): string {
  const shown = problems.slice(0, 3).join('; ');
  return problems.length > 3 ? `${shown}; and ${problems.length - 3} more` : shown;
}

function isError(finding: Finding): boolean {
  return finding.level === 'error';
}

function asNotice(finding: Finding): Finding {
  return { ...finding, level: 'notice' };
}
