import { problem, warning, type Finding } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { readAccessConfig, accessFile } from '../../io/files/settings-files.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { describeHosting } from '../host/wrangler.ts';
import {
  cloudflare,
  readCredentials,
  type Deployment,
  type SiteHost,
  type SiteToDeploy,
} from '../host/cloudflare.ts';
import { checkReadingKey, readHostKeys, type HostKeys } from './host-keys.ts';
import { readLive, type Live } from './live.ts';
import {
  preparePublication,
  type PreparedSite,
  type Publication,
  type PublishInput,
} from './prepare-site.ts';
import { readBack, type ReadBack } from './read-back.ts';
import { openSiteHttp, openAnonymousHttp, type SiteHttpInput } from './site-http.ts';
import { metadataPath } from '../../ask/server/access/deny.ts';
import type { Protection } from '../../core/schemas/access/access-config.ts';
import type { Fetcher } from '../../io/http/client.ts';
import { HttpError } from '../../io/http/error.ts';

/** Runs all possible checks before sending anything. */
export async function publishSite(
  request: PublishInput,
  host: SiteHost = cloudflare,
): Promise<Publication> {
  const { root, baseUrl, day, env, isDryRun } = request;
  const { value: access, findings: accessFindings } = readAccessConfig(root);
  const { credentials, findings: credentialFindings } = readCredentials(env);
  const hostKeys: HostKeys = access ? readHostKeys(root, env, access, day) : { findings: [] };
  const { keys, secrets, findings: keyFindings } = hostKeys;
  const hosting = describeHosting(baseUrl);
  const input: HostInput = {
    ...request,
    ownUrl: baseUrl,
    access,
    hosting,
    credentials,
    secrets,
    host,
  };

  const prepared = await preparePublication(input, {
    gaps: [
      ...(isDryRun ? [] : credentialFindings),
      ...(access ? checkReadingKey(hostKeys, access, env, baseUrl) : []),
    ],
    findings: [...accessFindings, ...keyFindings],
    planParts: { baseUrl, worker: hosting.worker, protect: access?.protect, keys: keys?.length },
    readLive: (digests) => readLiveSite(input, digests),
  });
  if (prepared.kind !== 'prepared') {
    return prepared;
  }

  const { plan, findings } = prepared;
  if (isDryRun) {
    return { kind: 'planned', plan, findings };
  }

  // No file shows whether access keys changed, so a protected site is always sent. Nor does one show that tools were protected.
  const hasChanges = plan.changed.length + plan.gone.length > 0;
  return hasChanges || access || request.unprotect
    ? send({ ...input, ...prepared })
    : { kind: 'unchanged', plan, findings };
}

interface HostInput
  extends PublishInput, Pick<SiteToDeploy, 'hosting' | 'access' | 'secrets' | 'credentials'> {
  ownUrl: string;
  host: SiteHost;
}

/** The live site, with findings about its protection. */
async function readLiveSite(input: HostInput, ownDigests: Digests) {
  const { baseUrl, access } = input;
  input.onProgress(`publish: reading the live site at ${baseUrl}`);

  const live = await readLive(input, ownDigests);
  const protection = await readProtection(baseUrl, input);
  // A new host name does not answer yet, and an unreadable site stops the publication by itself.
  const isAbsent = protection === 'unknown' && live.kind !== 'site';
  const planned = access?.protect ?? 'nothing';
  return { live, findings: isAbsent ? [] : compareProtection(protection, planned, input) };
}

interface SendInput extends HostInput, PreparedSite {}

async function send(input: SendInput): Promise<Publication> {
  const { baseUrl, plan, findings } = input;
  const isFirst = input.live.kind === 'nothing';
  const retry = isFirst ? 'Publish again.' : 'The live site stays as it is; publish again.';
  input.onProgress(`publish: sending ${plan.files} files to ${plan.worker}`);

  const deployment = await input.host.deploy({
    ...input,
    message: `Release index as of ${plan.asOf}`,
    isFirst,
    objection: () => findOtherPublication(input),
  });
  if (deployment.kind === 'failed') {
    return fail(input, `the host did not accept the site: ${deployment.reason} ${retry}`);
  }

  const { versionId, sentFiles } = deployment;
  const version = versionId === undefined ? 'the new version' : `version ${versionId}`;
  input.onProgress(`publish: reading back from ${baseUrl}`);

  const { files, problems } = await readBackSite(input, deployment);
  if (problems.length === 0) {
    return { kind: 'published', plan, findings, versionId, sentFiles, verifiedFiles: files };
  }

  if (deployment.kind === 'uncertain') {
    return fail(input, `the host did not switch to ${version}: ${deployment.reason} ${retry}`);
  }

  const failures = `${formatCount(problems.length, 'wrong answer')}: ${formatList(problems, 3)}`;
  const rollback = `Go back to the version before: npx wrangler rollback --name ${plan.worker}`;
  const message = `${version} is live with ${failures}. ${isFirst ? retry : rollback}`;
  return fail(input, message, versionId);
}

function fail({ plan, findings }: SendInput, message: string, versionId?: string): Publication {
  const allFindings = [...findings, problem('publish', message)];
  return { kind: 'failed', plan, findings: allFindings, versionId };
}

/** The second of two simultaneous publications must not replace the first without reading its events. */
async function findOtherPublication(input: SendInput): Promise<string | undefined> {
  const live = await readLive(input, input.digests);
  if (live.kind === 'unreadable') {
    return `the live site could not be read again (${live.reason}).`;
  }

  return findListDigest(live) === findListDigest(input.live)
    ? undefined
    : `another publication to ${input.baseUrl} was faster, and this site may lack its events.`;
}

function findListDigest(live: Live): string | undefined {
  return live.kind === 'site' ? live.site.digests.get(digestsFile) : undefined;
}

/** If the connection broke during the switch, a single read shows whether the new version is live. */
function readBackSite(input: SendInput, { kind }: Deployment): Promise<ReadBack> {
  const { baseUrl, digests, plan, signal, access, host } = input;
  return readBack({
    baseUrl,
    digests,
    first: plan.changed,
    openHttp: () => openSiteHttp(input),
    waitsMs: kind === 'uncertain' ? [] : host.waitsMs,
    signal,
    protect: access?.protect,
    checkProtection: access && (() => checkProtection(baseUrl, access.protect, input)),
  });
}

/** The parts of a site that need a credential; `unknown` if its address does not show it. */
type Degree = Protection | 'nothing' | 'unknown';

/** From least to most protected. */
const degrees: readonly Degree[] = ['nothing', 'mcp', 'everything'];

/** Finds out without a credential how an address is protected. Does not throw on any answer. */
export async function readProtection(baseUrl: string, input: SiteHttpInput): Promise<Degree> {
  const http = openAnonymousHttp(input);
  try {
    const file = await probe(http, `${baseUrl}/status.json`);
    if (file === 'denied') {
      return 'everything';
    }
    if (file === 'unknown') {
      return 'unknown';
    }

    const metadata = await probe(http, `${baseUrl}${metadataPath}`);
    if (metadata === 'served') {
      return 'mcp';
    }

    return metadata === 'absent' ? 'nothing' : 'unknown';
  } finally {
    await http.close();
  }
}

async function probe(
  http: Fetcher,
  url: string,
): Promise<'served' | 'denied' | 'absent' | 'unknown'> {
  try {
    await http.fetch({ url, accept: ['application/json'] });
    return 'served';
  } catch (error) {
    if (!(error instanceof HttpError)) {
      throw error;
    }
    if (error.status === 401) {
      return 'denied';
    }

    // Many hosts answer with a page for a missing document.
    return error.kind === 'absent' || error.kind === 'content' ? 'absent' : 'unknown';
  }
}

/**
 * Only a person opens a protected site, by `--unprotect`: a missing file or a typing error must not. A site whose protection is
 * unknown may have all of it.
 */
export function compareProtection(
  live: Degree,
  planned: Protection | 'nothing',
  { unprotect }: { unprotect: boolean },
): Finding[] {
  const most = live === 'unknown' ? 'everything' : live;
  if (degrees.indexOf(planned) >= degrees.indexOf(most)) {
    return [];
  }

  const protects = live === 'unknown' ? 'may protect everything' : `protects ${live}`;
  const change = `the live site ${protects}, and this one ${planned}`;
  if (unprotect) {
    return [warning(accessFile, `${change}. Accepted.`)];
  }

  const message = `${change}. The live site stays as it is. To open it to everybody: publish --unprotect`;
  return [problem(accessFile, message)];
}

/** The problem with the protection of an address; undefined if it is as wanted. */
export async function checkProtection(
  baseUrl: string,
  protection: Protection,
  input: SiteHttpInput,
): Promise<string | undefined> {
  const live = await readProtection(baseUrl, input);
  if (live === protection) {
    return undefined;
  }

  return live === 'unknown'
    ? `${baseUrl}: its protection could not be read`
    : `${baseUrl}: protects ${live}, not ${protection}`;
}
