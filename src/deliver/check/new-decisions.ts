/** The decisions that a pull request needs, and those that it adds to `data/decisions.ndjson`. */
import type { Day } from '../../core/model/dates.ts';
import type { SiteConfig } from '../../core/schemas/definition/site-config.ts';
import { fileProblem, InputError, isError, problem, warning } from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/waits.ts';
import {
  readDecisions,
  readEventsByFirstName,
  readLastWaits,
} from '../../io/files/recorded-files.ts';
import { isAbsent, sha256 } from '../../io/files/file-system.ts';
import { decisionsFile, recordedFolder, type Root } from '../../io/files/root.ts';
import { readSiteConfig } from '../../io/files/settings-files.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import { describeAcceptable } from '../../record/gate/rules/waiting-change.ts';

/**
 * Finds the changes that would wait because of an edit. `waiting`: those that did not wait before it. `acceptable`: the changes that
 * a decision can let through, by the id of the decision; some may have waited before. `findings`: why it is unknown which changes
 * would wait.
 */
export function findExpectedWaits(
  before: Root,
  after: Root,
  { env, day }: { env: NodeJS.ProcessEnv; day: Day },
) {
  const lastWaits = readLastWaits(before);
  const lastIds = new Set(lastWaits.map(({ id }) => id));

  try {
    const edits = judgeEdits({ root: after, env, day });
    const waiting = edits.waiting.filter(({ id }) => !lastIds.has(id));
    const acceptable = describeAcceptable([...lastWaits, ...waiting]);
    for (const id of edits.used) {
      // A decision beside the edit lets it through already.
      acceptable.set(id, acceptable.get(id) ?? 'a loss by this change');
    }
    return { waiting, acceptable, findings: [] };
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }

    const findings = error.findings.map(({ subject, message }) => warning(subject, message));
    return { waiting: [], acceptable: describeAcceptable(lastWaits), findings };
  }
}

/**
 * The effects of new decisions, and an error for each that lets nothing through, and for a moved address without one. Only lines
 * behind the former ones are read: `findForeignChanges` reports other changes of the file.
 */
export function describeNewDecisions(
  before: Root,
  after: Root,
  env: NodeJS.ProcessEnv,
  waits: Pick<ReturnType<typeof findExpectedWaits>, 'acceptable' | 'findings'>,
) {
  const move = findMovedAddress(before, after);
  const acceptable = new Map(waits.acceptable);
  if (move) {
    acceptable.set(move.id, move.reason);
  }

  const unneeded =
    waits.findings.length > 0
      ? 'but it is unknown what waits'
      : 'but no change with this id waits. Remove the line';
  const { value, findings: fileFindings } = readDecisions(after);
  const findings = fileFindings.filter(isError);
  const formerCount = readDecisions(before).value?.values.length ?? 0;
  const added = value?.values.slice(formerCount) ?? [];

  for (const decision of added) {
    const { id } = decision;
    const isNeeded = id === 'history' ? isHistoryNeeded(decision, before, env) : acceptable.has(id);
    if (!isNeeded) {
      findings.push(fileProblem(decisionsFile, `accepts ${id}, ${unneeded}`));
    }
  }

  if (move && !added.some(({ id }) => id === move.id)) {
    const remedy = `If this is right: npx release-index accept ${move.id}, and commit ${decisionsFile} here`;
    findings.push(problem('site/site.json', `${move.reason}: readers would follow. ${remedy}`));
  }

  const texts = added.map((decision) => describeDecision(decision, acceptable.get(decision.id)));
  return { texts, findings };
}

/** The most events that a live site can plausibly have beyond the journals of the base. */
const maxLost = 1000;

/**
 * Whether the decision "history" is needed: because the last run cannot be compared, or to give up events that only the live site
 * has. The site is not asked, so any plausible ids of those events pass.
 */
function isHistoryNeeded(
  { published = {} }: Decision,
  before: Root,
  env: NodeJS.ProcessEnv,
): boolean {
  const lostIds = Object.entries(published);
  if (lostIds.length === 0) {
    return readLastRun(before, env).findings.some(isError);
  }

  const eventsByName = readEventsByFirstName(before);
  return lostIds.every(
    ([component, id]) => id <= (eventsByName.get(component)?.at(-1)?.id ?? 0) + maxLost,
  );
}

/** `loss`: what the decision lets through, if anything. */
function describeDecision(
  { id, by, commit, published = {} }: Decision,
  loss = 'nothing that waits now',
): string {
  if (id !== 'history') {
    return `accepts ${id}: ${loss} (${by})`;
  }

  const lostIds = Object.entries(published).map(([component, number]) => `${component}/${number}`);
  const note = lostIds.length === 0 ? '' : `; gives up lost events up to ${lostIds.join(', ')}`;
  return `accepts history: starts from ${commit?.slice(0, 10)}${note} (${by})`;
}

/** The address and the key of a site in words, and the id of the decision that accepts them, which changes with either. */
export function describeAddress({ releasesUrl, signingPublicKey }: SiteConfig) {
  const digest = sha256(JSON.stringify([releasesUrl, signingPublicKey])).slice(0, 10);
  const key =
    signingPublicKey === undefined ? 'without a signature' : `signed by ${signingPublicKey}`;
  return { id: `site-${digest}`, reason: `the index is read from ${releasesUrl}, ${key}` };
}

/**
 * Finds a changed address or key: readers would follow to another host, or trust another key. Before the first run, an index has no
 * readers. A former configuration that cannot be read counts as another address; a present one is reported by the build.
 */
function findMovedAddress(before: Root, after: Root) {
  const formerConfig = readSiteConfig(before).value;
  const config = readSiteConfig(after).value;
  if (!config || isAbsent(recordedFolder(before, 'runs'))) {
    return undefined;
  }

  const address = describeAddress(config);
  const isSame = formerConfig && describeAddress(formerConfig).id === address.id;
  return isSame ? undefined : address;
}
