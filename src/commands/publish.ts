import { publishSite, type Publication } from '../publish/publish.ts';
import type { Plan } from '../publish/plan.ts';
import { readSiteConfig } from '../store/read.ts';
import { InputError, refuseErrors, type Invocation } from './command.ts';

export async function publish(invocation: Invocation): Promise<number> {
  const publication = await runPublish(invocation, {
    isDryRun: invocation.options['dry-run'] === true,
    accept: invocation.options['accept'] === true,
  });
  const { report, out } = invocation;
  for (const finding of publication.findings) report.finding(finding);
  for (const line of describe(publication)) report.line(line);
  report.result({ verb: 'publish', out, outcome: publication.kind, ...documentOf(publication) });
  return isDone(publication) ? 0 : 1;
}

export function runPublish(
  invocation: Invocation,
  { isDryRun, accept }: { isDryRun: boolean; accept: boolean },
): Promise<Publication> {
  const { root, checkout, out, day, env, signal, report } = invocation;
  const config = readSiteConfig(root);
  refuseErrors(config.findings);
  if (!config.value) throw new InputError(config.findings);
  const baseUrl = invocation.baseUrl ?? config.value.releasesUrl;
  const onProgress = (text: string) => report.progress(text);
  return publishSite({
    root,
    checkout,
    out,
    day,
    baseUrl,
    config: config.value,
    env,
    signal,
    isDryRun,
    accept,
    onProgress,
  });
}

export function isDone(publication: Publication): boolean {
  return publication.kind === 'published' || publication.kind === 'planned';
}

/** What a person reads of it, besides the findings. */
export function describe(publication: Publication): string[] {
  switch (publication.kind) {
    case 'refused':
      return ['Nothing was sent.'];
    case 'planned':
      return [describePlan(publication.plan), 'Nothing was sent: this was a dry run.'];
    case 'published': {
      const { plan, versionId, sentFiles, verifiedFiles, rollBack } = publication;
      return [
        describePlan(plan),
        `Published version ${versionId}: ${sentFiles} files sent, ${verifiedFiles} read back and verified at ${plan.baseUrl}`,
        `To roll back: ${rollBack}`,
      ];
    }
    case 'failed':
      return [];
  }
}

/** The same for machines. */
function documentOf(publication: Publication): object {
  const { kind: _, ...rest } = publication;
  return rest;
}

function describePlan({ baseUrl, files, bytes, changed, changedBytes, gone, liveAsOf }: Plan): string {
  const whole = `${baseUrl}: ${files} files, ${kib(bytes)} KiB`;
  if (liveAsOf === undefined) return `${whole}; all of them new.`;
  return `${whole}; against what is live, of ${liveAsOf}: ${changed.length} changed (${kib(changedBytes)} KiB), ${gone.length} gone.`;
}

function kib(bytes: number): string {
  return Math.ceil(bytes / 1024).toLocaleString('en-US');
}
