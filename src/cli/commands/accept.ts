import { inputError, isError } from '../../core/schemas/finding.ts';
import { type Decision, DecisionId } from '../../core/schemas/recorded/waits.ts';
import { toLine } from '../../core/text/foreign-text.ts';
import { didYouMean, formatList } from '../../core/text/wording.ts';
import { describeAddress } from '../../deliver/check/new-decisions.ts';
import { readLive } from '../../deliver/publish/live.ts';
import { findGreatestIds } from '../../deliver/publish/lost-events.ts';
import { askGit, openGit, readHead } from '../../io/files/git.ts';
import { readLastWaits } from '../../io/files/recorded-files.ts';
import { readSiteConfig, requireSiteConfig } from '../../io/files/settings-files.ts';
import { readLastRun } from '../../record/gate/last-run.ts';
import { computeDecisionInstant, saveDecisions } from '../../record/gate/decisions.ts';
import { judgeEdits } from '../../record/gate/judge-edits.ts';
import { describeAcceptable } from '../../record/gate/rules/waiting-change.ts';
import { chooseFolder } from '../../run/publish-step.ts';
import {
  type Command,
  type Invocation,
  publicationOptions,
  shared,
  UsageError,
} from '../command.ts';

const optionTable = { ...publicationOptions, ...shared('root', 'as-of', 'base-url') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  arguments: { required: ['id'], isOpen: true },
  options: optionTable,
  details: [
    'Lets exactly the losses with these ids through, once. "plan", "daily" and data/held.json name the ids, in every clone. Other',
    'losses have another id and wait again. An unknown id is rejected. An edit may be committed together with its decision.',
    'The id of a short list makes the list the new measure of its source, and withdraws the versions that it lacks.',
    '"history": starts from the present commit, if there is no last run to compare with, or the live site has',
    'events that were lost.',
    'Writes data/decisions.ndjson. Commit and push it; the next "daily" uses the decision.',
  ],
  examples: [
    ['accept svc-0f1e2d3c4b', 'a component that waits'],
    ['accept history', 'after a rewritten history, if its state is right'],
  ],
  async run(invocation) {
    const ids = [...new Set(invocation.arguments)];
    if (ids.includes('history')) {
      return acceptHistory(invocation, ids);
    }

    const reasons = readAcceptable(invocation);
    for (const id of ids) {
      checkId(id, reasons);
    }

    const lines = ids.map((id) => `${id}: accepted. ${reasons.get(id)}`);
    return await saveAndReport(
      invocation,
      ids.map((id) => ({ id })),
      lines,
    );
  },
};

/** Saves decisions with their instant and author, and reports them in lines. */
async function saveAndReport(
  invocation: Invocation<Options>,
  drafts: readonly Omit<Decision, 'at' | 'by'>[],
  lines: readonly string[],
): Promise<number> {
  const { root, report, day } = invocation;
  const at = computeDecisionInstant(root);
  const by = findAuthor(invocation);
  const decisions = drafts.map(({ id, ...facts }) => ({ id, at, by, ...facts }));
  await saveDecisions(root, decisions);
  report.print(...lines, 'Commit data/decisions.ndjson. The next "daily" uses it.');
  report.document({ verb: 'accept', asOf: day, decisions });

  return 0;
}

/** The name to record. It is not verified: the commit proves the author. */
function findAuthor({ root, env }: Invocation): string {
  const name = env['GITHUB_ACTOR'] || askGit(openGit(root.dir, env), 'config', 'user.name');
  return toLine(name ?? '', 200) || 'unknown';
}

/** Starts from the present commit. Ids of events go on above those that readers have. */
async function acceptHistory(
  invocation: Invocation<Options>,
  ids: readonly string[],
): Promise<number> {
  const { root, env } = invocation;
  if (ids.length > 1) {
    throw new UsageError('accept history: expected no other id');
  }

  const commit = readHead(root.dir, env);
  if (commit === undefined) {
    throw inputError('history', 'the index is in no git repository, so no commit can be accepted');
  }

  const lostIds = await readLostIds(invocation);
  const hasLostEvents = Object.keys(lostIds).length > 0;
  const isComparable = !readLastRun(root, env).findings.some(isError);
  if (isComparable && !hasLostEvents) {
    throw inputError(
      'history',
      'nothing to accept: the last run is comparable, and the live site has no lost events. Nothing was written',
    );
  }

  const decision = { id: 'history', commit, ...(hasLostEvents && { published: lostIds }) };
  const names = Object.entries(lostIds).map(([component, id]) => `${component}/${id}`);
  const note = hasLostEvents ? ` Ids of events go on above ${formatList(names, 5)}.` : '';
  const line = `history: accepted as of ${commit.slice(0, 10)}.${note}`;
  return await saveAndReport(invocation, [decision], [line]);
}

/** The greatest live id of each component with lost events. Throws an InputError if the live site cannot be read. */
async function readLostIds(invocation: Invocation<Options>): Promise<Record<string, number>> {
  const { root } = invocation;
  const config = requireSiteConfig(root);
  const to = chooseFolder(invocation.to, config);
  const baseUrl = invocation.baseUrl ?? config.releasesUrl;
  const live = await readLive({ ...invocation, config, baseUrl, to });
  if (live.kind === 'unreadable') {
    throw inputError('live site', `${live.reason}. Nothing was written`);
  }

  return live.kind === 'site' ? findGreatestIds(root, live.site.events) : {};
}

/** Each id that can be accepted now, with the loss that it lets through: from the last run, or from a later edit. */
function readAcceptable(invocation: Invocation): Map<string, string> {
  // Damaged files have to be repaired, not accepted.
  const waiting = [...readLastWaits(invocation.root), ...judgeEdits(invocation).waiting];
  const reasons = describeAcceptable(waiting);
  const config = readSiteConfig(invocation.root).value;
  const address = config && describeAddress(config);

  // Only "compare" can see whether the address moved: here, its id is accepted unseen, and never suggested.
  if (address && invocation.arguments.includes(address.id)) {
    reasons.set(address.id, address.reason);
  }

  return reasons;
}

/** Throws an error unless the id can be accepted. */
function checkId(id: string, reasons: ReadonlyMap<string, string>): void {
  if (!DecisionId.safeParse(id).success) {
    throw new UsageError(`${id}: expected the id of something that waits, such as svc-0f1e2d3c4b`);
  }

  if (!reasons.has(id)) {
    const ids = [...reasons.keys()];
    const choices = ids.length === 0 ? 'Nothing waits' : `These wait: ${formatList(ids, 20)}`;
    throw inputError(
      id,
      `nothing has this id.${didYouMean(id, ids)} ${choices}. Nothing was written`,
    );
  }
}
