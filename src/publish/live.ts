/** Decides whether a new site may replace the live site. Compares the data that readers have now with the data of the new site. */
import * as z from 'zod';
import type { Day } from '../core/day.ts';
import {
  asWarnings,
  InputError,
  inputError,
  type Problem,
  readProblems,
  requireAll,
} from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Status } from '../core/schema/documents.ts';
import { Component } from '../core/schema/published.ts';
import { parseDigests, type Digests } from '../core/sha256sums.ts';
import { readDocument, type SiteReader } from '../core/site-reader.ts';
import type { RecordedComponent } from '../record/data-files.ts';
import { createPublicationId } from '../record/decisions.ts';
import {
  describeLoss,
  listLostByEdit,
  openFormerDefinitions,
  type FindFormer,
} from '../record/former-definitions.ts';
import { isMuch } from '../record/gate.ts';
import { isShallow, openGit } from '../record/git.ts';
import {
  LiveStatus,
  readHistory,
  readLiveList,
  rejectLack,
  type Checkout,
  type LiveHistory,
} from './history.ts';
import { askForRenaming, readJournal, rejectOtherIds } from './renames.ts';

const ReleaseFile = z.object({
  tags: z.object({ latest: z.string() }).partial().optional(),
  releases: z.array(z.object({ version: z.string(), isDeprecated: z.boolean().optional() })),
});
const AllComponents = z.object({ components: z.record(z.string(), ReleaseFile) });

interface LiveSite extends z.infer<typeof AllComponents> {
  reader: SiteReader;
  /** The digests of the live files. Empty if `SHA256SUMS` cannot be read. */
  digests: Digests;
  /** The history of the live site. Undefined for a publication that starts a new history. */
  history?: LiveHistory;
  /** When the live site was published. A person's acceptance of a publication takes effect only if the person gave it after this time. */
  publishedAt: string;
  /** The commit from which the last run of the live site read definitions. Absent in an index that only uses `gather`. */
  commit?: string | undefined;
}

/** A built site that has been checked for completeness. */
export interface CheckedSite {
  out: string;
  reader: SiteReader;
  digests: Digests;
  status: Status;
}

/** Reads the live site. Undefined if there is no site yet. `outcome`: the sentences at the end of each error message. */
export async function readLive(site: SiteReader, outcome: string): Promise<LiveSite | undefined> {
  try {
    const history = await readHistory(site);
    if (!history) {
      return undefined;
    }
    const { components } = await readDocument(site, 'all.json', AllComponents);
    const { digests, lastRun } = history;
    const publishedAt = findPublishedAt(history);
    return { reader: site, components, digests, history, publishedAt, commit: lastRun?.commit };
  } catch (error) {
    const { message } = new InputError(readProblems(error));
    throw inputError('live site', `${message}. ${outcome}`);
  }
}

/** Reads the readable parts of the live site, for a publication that starts a new history. `warnings`: one for each unreadable part. */
export async function readLiveParts(
  site: SiteReader,
): Promise<{ live?: LiveSite | undefined; warnings: Problem[] }> {
  const warnings: Problem[] = [];
  const attempt = async <T>(read: () => T | Promise<T>): Promise<T | undefined> => {
    try {
      return await read();
    } catch (error) {
      const { message } = new InputError(readProblems(error));
      warnings.push(
        ...asWarnings([
          { subject: 'live site', message: `${message}. This file was not compared` },
        ]),
      );
      return undefined;
    }
  };

  const list = await attempt(() => readLiveList(site));
  if (list === undefined) {
    return { warnings };
  }

  const digests = await attempt(() => parseDigests(list));
  const status = await attempt(() => readDocument(site, 'status.json', LiveStatus));
  const all = await attempt(() => readDocument(site, 'all.json', AllComponents));
  const publishedAt = status ? findPublishedAt(status) : '';
  const commit = status?.lastRun?.commit;
  const live = all && { ...all, reader: site, digests: digests ?? new Map(), publishedAt, commit };
  return { live, warnings };
}

/**
 * Returns when the last run ended. A person's acceptance of a publication is valid if it was given later. An index that only uses `gather`
 * has no runs. Then the day of its data is used, and an acceptance on this day is also valid.
 */
function findPublishedAt({ lastRun, asOf }: z.infer<typeof LiveStatus>): string {
  return lastRun?.at ?? asOf;
}

/**
 * Throws an `InputError` in each of these cases:
 * - The live site has more data than this checkout.
 * - The live site is of a later day.
 * - Events that readers know would get other ids.
 * - Readers would lose releases, and nobody has accepted this loss.
 *
 * `outcome`: the sentences at the end of the message about a later day. Returns a notice if edits could not be compared.
 */
export async function judgePublication(
  live: LiveSite,
  site: CheckedSite,
  checkout: Checkout,
  outcome: string,
): Promise<Problem[]> {
  const { asOf } = site.status;
  const { history } = live;
  if (history) {
    await rejectLack(history, checkout, site.status);
    if (history.asOf > asOf) {
      throw inputError(
        'live site',
        `is of ${history.asOf}, but the built site is of ${asOf}. If this checkout is behind: git pull, then build again. ${outcome}`,
      );
    }

    const { reader, digests } = live;
    const { journals } = history;
    await rejectOtherIds({ reader, digests, journals }, site, checkout.definitions);
  }

  const { commit } = live;
  const findFormer =
    commit === undefined
      ? undefined
      : await openFormerDefinitions(checkout.root, commit, checkout.signal);
  const removals = await Array.fromAsync(findRemovals(live, site, { checkout, findFormer }));
  const id = createPublicationId(sha256(JSON.stringify(removals)).slice(0, 7));
  const decisions = checkout.data.readDecisions();
  // An acceptance expires when the site of a later run is live.
  const isAccepted = decisions.some((each) => each.id === id && each.at > live.publishedAt);
  if (removals.length > 0 && !isAccepted) {
    const isLive = (name: string) => Object.hasOwn(live.components, name);
    const problems = removals.map(async ({ component, message }): Promise<Problem> => {
      const journal = readJournal(checkout.root, component);
      const question = await askForRenaming(component, live.reader, isLive, checkout, journal);
      return { subject: component, message: [message, question].filter(Boolean).join('. ') };
    });
    throw new InputError([
      ...(await Promise.all(problems)),
      {
        subject: 'publication',
        message: `Nothing was sent, so readers keep the live site. If you want this change: npx release-index accept ${id}, then run this again`,
      },
    ]);
  }

  return commit === undefined || findFormer ? [] : [await describeUnknown(commit, checkout)];
}

/** Describes that the definitions of the live site are unknown. */
async function describeUnknown(commit: string, { root, signal }: Checkout): Promise<Problem> {
  const message = `the live site was built from commit ${commit.slice(0, 10)}, which this clone lacks. So nobody checked whether an edit of a support policy takes releases from readers`;
  const remedy =
    'This clone has only the newest commits. Before the next publication: git fetch --unshallow, or in a workflow, fetch-depth: 0';
  return {
    subject: 'publication',
    message: (await isShallow(openGit(root, signal))) ? `${message}. ${remedy}` : message,
    level: 'notice',
  };
}

interface Edits {
  checkout: Checkout;
  /** Undefined if the definitions of the live site are unknown. */
  findFormer: FindFormer | undefined;
}

/**
 * Yields what readers would lose: components, latest versions, or many releases (`isMuch`). The id with which a person accepts this loss
 * contains a hash of all yielded values.
 */
async function* findRemovals(
  live: LiveSite,
  { reader, digests, status }: CheckedSite,
  edits: Edits,
) {
  // A component that never had a release is ignored, because its definition was a mistake and it has no readers.
  const used = Object.entries(live.components).filter(([, { releases }]) => releases.length > 0);
  for (const [component, before] of used) {
    const path = `details/${component}.json`;
    const digest = digests.get(path);
    if (digest === undefined) {
      yield { component, message: 'is on the live site, and would be gone', versions: [] };
    } else if (digest !== live.digests.get(path)) {
      const after = await readDocument(reader, path, Component);
      const edited = await listEdited(after, status.asOf, edits);
      const isKept = createKeptTest(after, status.asOf, edited);
      const latest = before.tags?.latest;
      if (latest !== undefined && after.latest === undefined && !isKept(latest)) {
        const message = `would have no latest version; it is ${latest} on the live site`;
        yield { component, message, versions: [latest] };
      }

      const current = before.releases.filter(({ isDeprecated }) => !isDeprecated);
      const lost = current.map(({ version }) => version).filter((version) => !isKept(version));
      if (isMuch(lost.length, current.length)) {
        const message = describeLoss(lost, current.length, after.releases);
        yield { component, message, versions: lost };
      }
    }
  }
}

/** Lists the versions that an edit of the definition since the live site takes from readers. */
async function listEdited(
  { component, releases }: Component,
  day: Day,
  { checkout, findFormer }: Edits,
): Promise<ReadonlySet<string>> {
  const { data, definitions } = checkout;
  // Files with the former name of a component describe the component under its present name.
  const definition = definitions.get(component);
  const former = definition && (await findFormer?.(component, definition));
  if (!definition || !former) {
    return new Set();
  }

  const own = data.readComponents(new Map([[component, definition]]));
  const [{ effective: recorded }] = requireAll(own) as [RecordedComponent];
  return new Set(listLostByEdit({ name: component, former, recorded }, releases, day));
}

/**
 * Returns a function that tells whether a version does not count as lost. These versions do not count:
 * - versions that are not deprecated
 * - versions that the support policy deprecates
 * - versions that only upstream has deprecated or withdrawn, because `passGate` has already judged these changes
 *
 * A version in `edited` counts as lost.
 */
function createKeptTest(
  { releases }: Component,
  day: Day,
  edited: ReadonlySet<string>,
): (version: string) => boolean {
  const kept = releases.filter(({ version, reasons }) => {
    const rules = reasons
      .filter(({ from, fromAtMost }) => (fromAtMost ?? from ?? '') <= day)
      .map(({ rule }) => rule);
    const isExcused =
      rules.includes('support policy') ||
      rules.every((rule) => rule === 'upstream' || rule === 'withdrawn');
    return isExcused && !edited.has(version);
  });
  const versions = new Set(kept.map(({ version }) => version));
  return (version) => versions.has(version);
}
