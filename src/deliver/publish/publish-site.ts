import type { AccessConfig, Protection } from '../../core/schemas/access/access-config.ts';
import { problem } from '../../core/schemas/finding.ts';
import { formatCount, formatList } from '../../core/text/wording.ts';
import { readAccessConfig } from '../../io/files/settings-files.ts';
import { digestsFile, type Digests } from '../../site/digests.ts';
import { describeHosting } from '../host/worker-config.ts';
import { checkSecrets, cloudflare, type SiteHost, type SiteToDeploy } from '../host/cloudflare.ts';
import { checkReadingKey, readHostKeys } from './host-keys.ts';
import { readLive, type Live } from './live.ts';
import { checkSite, prepareSite, type PreparedSite } from './prepare-site.ts';
import type { Publication, PublishInput } from './publication.ts';
import { checkProtection, compareProtection, readProtection } from './protection.ts';
import { readBack } from './read-back.ts';
import { openSiteHttp } from './site-http.ts';

/** Runs all possible checks before sending anything. */
export async function publishSite(
  input: PublishInput,
  host: SiteHost = cloudflare,
): Promise<Publication> {
  const { root, baseUrl, day, env, isDryRun, unprotect } = input;
  const { value: access, findings: accessFindings } = readAccessConfig(root);
  const hostKeys = readHostKeys(root, env, access, day);
  const { keys, secrets, findings: keyFindings } = hostKeys;
  const hosting = describeHosting(baseUrl);

  const checked = await checkSite(input, {
    missing: [
      ...(isDryRun ? [] : checkSecrets(env)),
      ...checkReadingKey(hostKeys, access, env, baseUrl),
    ],
    findings: [...accessFindings, ...keyFindings],
  });
  if (checked.kind !== 'checked') {
    return checked;
  }

  const protect = access?.protect;
  const liveReading = await readLiveSite(input, protect, checked.site.digests);
  const planParts = { baseUrl, worker: hosting.worker, protect, keys: keys?.length };
  const prepared = prepareSite(input, checked, liveReading, planParts);
  if (prepared.kind !== 'prepared') {
    return prepared;
  }

  const { plan, findings } = prepared;
  // Access keys may have changed, or protection of the tools may end, without a change in any file.
  const hasChanges = plan.changed.length + plan.gone.length > 0;
  return hasChanges || access || unprotect
    ? send(input, prepared, { access, hosting, secrets }, host)
    : { kind: 'unchanged', plan, findings };
}

async function readLiveSite(
  input: PublishInput,
  planned: Protection | undefined,
  ownDigests: Digests,
) {
  const { baseUrl } = input;
  input.onProgress(`publish: reading the live site at ${baseUrl}`);

  const live = await readLive(input, ownDigests);
  const protection = await readProtection(baseUrl, input);
  // A run that was stopped has not seen the protection.
  input.signal.throwIfAborted();
  // A new host name does not answer yet, and an unreadable site stops the publication by itself.
  if (protection === 'unknown' && live.kind !== 'site') {
    return { live, findings: [] };
  }

  return { live, findings: compareProtection(protection, planned ?? 'nothing', input) };
}

/** `settings`: the part of a version at the host that is not in the files of the site. */
async function send(
  input: PublishInput,
  prepared: PreparedSite,
  settings: Pick<SiteToDeploy, 'access' | 'hosting' | 'secrets'>,
  host: SiteHost,
): Promise<Publication> {
  const { root, out, env, signal } = input;
  const { plan, findings, live, publishedAt } = prepared;
  const isFirst = live.kind === 'nothing';
  const retry = isFirst ? 'Publish again.' : 'The live site stays as it is; publish again.';
  input.onProgress(`publish: sending ${plan.files} files to ${plan.worker}`);

  const deployment = await host.deploy({
    ...settings,
    root,
    out,
    env,
    signal,
    publishedAt,
    message: `Release index as of ${plan.asOf}`,
    isFirst,
    findObjection: () => findOtherPublication(input, prepared),
  });
  if (deployment.kind === 'failed') {
    return fail(prepared, `the host did not accept the site: ${deployment.reason} ${retry}`);
  }

  // If the connection broke during the switch, some seconds show whether the new version is live.
  const waitsMs = deployment.kind === 'uncertain' ? host.waitsMs.slice(0, 3) : host.waitsMs;
  const { files, problems } = await readSentSite(input, prepared, settings.access, waitsMs);
  const { versionId } = deployment;
  if (problems.length === 0) {
    return { kind: 'published', plan, findings, versionId, verifiedFiles: files };
  }

  const version = versionId === undefined ? 'the new version' : `version ${versionId}`;
  const failures = `${formatCount(problems.length, 'wrong answer')}: ${formatList(problems, 3)}`;
  if (deployment.kind === 'uncertain') {
    const doubt = `the host did not confirm the switch to ${version}: ${deployment.reason}`;
    return fail(prepared, `${doubt} The site has ${failures}. Publish again.`);
  }

  const rollback = `Go back to the version before: npx wrangler rollback --name ${plan.worker}`;
  const remedy = isFirst ? retry : rollback;
  return fail(prepared, `${version} is live with ${failures}. ${remedy}`, versionId);
}

function fail({ plan, findings }: PreparedSite, message: string, versionId?: string): Publication {
  return { kind: 'failed', plan, findings: [...findings, problem('publish', message)], versionId };
}

function readSentSite(
  input: PublishInput,
  { plan, digests }: PreparedSite,
  access: AccessConfig | undefined,
  waitsMs: readonly number[],
) {
  const { baseUrl, signal } = input;
  input.onProgress(`publish: reading back from ${baseUrl}`);

  return readBack({
    baseUrl,
    digests,
    first: plan.changed,
    openHttp: () => openSiteHttp({ ...input, ownUrl: baseUrl }),
    waitsMs,
    signal,
    protect: access?.protect,
    checkProtection: access && (() => checkProtection(baseUrl, access.protect, input)),
  });
}

/** The second of two simultaneous publications must not replace the first without reading its events. */
async function findOtherPublication(
  input: PublishInput,
  { digests, live: earlierLive }: PreparedSite,
): Promise<string | undefined> {
  const live = await readLive(input, digests);
  if (live.kind === 'unreadable') {
    return `the live site could not be read again (${live.reason}).`;
  }

  return findListDigest(live) === findListDigest(earlierLive)
    ? undefined
    : `another publication to ${input.baseUrl} was faster, and this site may lack its events.`;
}

function findListDigest(live: Live): string | undefined {
  return live.kind === 'site' ? live.site.digests.get(digestsFile) : undefined;
}
