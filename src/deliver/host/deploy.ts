import { runWrangler, type WranglerContext, type WranglerRun } from './wrangler.ts';

export type Deployment =
  | { kind: 'live'; versionId: string; sentFiles: number }
  /** The old site is still live. */
  | { kind: 'failed'; reason: string }
  /** The last call broke off: only the address shows whether the new site is live. */
  | { kind: 'uncertain'; versionId: string; sentFiles: number; reason: string };

const doesNotExist = /does not yet exist/;

/**
 * Uploads the site as a new version and then switches to it. The switch is the last call, so that a fault at any other
 * leaves the old version live. Where there is no Worker yet, upload and switch are one call, as nothing is live then.
 * `isFirst`: nothing of ours is live, so a Worker of this name would be somebody else's.
 */
export async function deploySite(
  context: WranglerContext,
  { message, isFirst }: { message: string; isFirst: boolean },
): Promise<Deployment> {
  const annotate = ['--message', message];
  const { secretsPath } = context.workspace;
  const secrets = secretsPath === undefined ? [] : ['--secrets-file', secretsPath];
  const upload = await runWrangler(['versions', 'upload', ...secrets, ...annotate], context);
  if (!upload.isDone && doesNotExist.test(upload.reason)) {
    const first = await runWrangler(['deploy', ...secrets, ...annotate], context);
    return first.isDone ? live(first, 'deploy') : { kind: 'failed', reason: first.reason };
  }
  if (!upload.isDone) return { kind: 'failed', reason: upload.reason };
  if (isFirst) {
    const reason = 'a Worker of this name is there already and serves something else.';
    return { kind: 'failed', reason: `${reason} To replace it: publish --accept.` };
  }
  const uploaded = live(upload, 'version-upload');

  const triggers = await runWrangler(['triggers', 'deploy'], context);
  if (!triggers.isDone) return { kind: 'failed', reason: triggers.reason };

  const switched = await runWrangler(
    ['versions', 'deploy', `${uploaded.versionId}@100%`, '--yes', ...annotate],
    context,
  );
  return switched.isDone ? uploaded : { ...uploaded, kind: 'uncertain', reason: switched.reason };
}

function live({ events, output }: WranglerRun, event: string): Extract<Deployment, { kind: 'live' }> {
  const versionId = String(events.get(event)?.['version_id']);
  const sent = /Found (\d+) new or modified static assets/.exec(output)?.[1] ?? '0';
  return { kind: 'live', versionId, sentFiles: Number(sent) };
}
