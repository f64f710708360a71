import type { Plan } from '../../deliver/publish/plan.ts';
import { publishSite, type Publication } from '../../deliver/publish/publish-site.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { counted } from '../../core/text.ts';
import { refuseErrors, type Invocation } from './command.ts';

export async function publish(invocation: Invocation): Promise<number> {
  const { report, out, options } = invocation;
  const publication = await runPublish(invocation, options['dry-run'] === true);
  for (const finding of publication.findings) report.finding(finding);
  for (const line of describe(publication)) report.line(line);
  const { kind: outcome, ...rest } = publication;
  report.result({ verb: 'publish', out, outcome, ...rest });
  return outcome === 'published' || outcome === 'planned' ? 0 : 1;
}

export function runPublish(invocation: Invocation, isDryRun: boolean): Promise<Publication> {
  const { root, options, report } = invocation;
  const { value: config, findings } = readSiteConfig(root);
  refuseErrors(findings);
  return publishSite({
    ...invocation,
    baseUrl: invocation.baseUrl ?? config!.releasesUrl,
    config: config!,
    isDryRun,
    accept: options['accept'] === true,
    unprotect: options['unprotect'] === true,
    onProgress: (text) => report.progress(text),
  });
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
        `Published version ${versionId}: ${counted(sentFiles, 'file')} sent, ${verifiedFiles} read back and verified at ${plan.baseUrl}`,
        `To roll back: ${rollBack}`,
      ];
    }
    case 'failed':
      return [];
  }
}

function describePlan(plan: Plan): string {
  const { baseUrl, files, bytes, changed, changedBytes, gone, liveAsOf } = plan;
  const whole = `${baseUrl}: ${counted(files, 'file')}, ${kib(bytes)} KiB${describeAccess(plan)}`;
  if (liveAsOf === undefined) return `${whole}; all of them new.`;
  return `${whole}; compared with what is live (as of ${liveAsOf}): ${changed.length} changed (${kib(changedBytes)} KiB), ${gone.length} gone.`;
}

function describeAccess({ protect, keys }: Plan): string {
  if (!protect) return '';
  const what = protect === 'mcp' ? '/mcp asks' : 'everything asks';
  return `; ${what} for a credential${keys === undefined ? '' : ` (${counted(keys, 'access key')})`}`;
}

function kib(bytes: number): string {
  return Math.ceil(bytes / 1024).toLocaleString('en-US');
}
