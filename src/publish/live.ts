/** The live site: has a day all that it told, and may a new site take its place? What its readers have is compared with what they would have after. */
import * as z from 'zod';
import type { Day } from '../core/day.ts';
import { digestsFile, parseDigests, type Digests } from '../core/sha256sums.ts';
import { InputError, inputError, type Problem } from '../core/errors.ts';
import { sha256 } from '../core/files.ts';
import type { Status } from '../core/schema/documents.ts';
import type { Definition } from '../core/schema/written.ts';
import type { Run } from '../core/schema/recorded.ts';
import { Component } from '../core/schema/published.ts';
import { DaySchema } from '../core/schema/scalars.ts';
import { formatList } from '../core/text.ts';
import { createPublicationId } from '../record/decisions.ts';
import { createRenaming, type DataFiles } from '../record/files.ts';
import { isMuch } from '../record/gate.ts';
import { readDocument, type SiteReader } from '../core/index/site-reader.ts';

/** As much of the live documents as is compared: another version of the program may have written them. */
export const LiveStatus = z.object({
  asOf: DaySchema,
  events: z.int().default(0),
  // Absent where a former program built the site.
  journals: z.record(z.string(), z.int()).optional(),
  runs: z.int().default(0),
  lastRun: z.object({ at: z.string() }).optional(),
});
const ReleaseFile = z.object({
  tags: z.object({ latest: z.string() }).partial().optional(),
  releases: z.array(z.object({ version: z.string(), isDeprecated: z.boolean().optional() })),
});
const AllComponents = z.object({ components: z.record(z.string(), ReleaseFile) });

interface LiveHistory extends z.infer<typeof LiveStatus> {
  digests: Digests;
}
type LiveSite = LiveHistory & z.infer<typeof AllComponents>;
type Definitions = ReadonlyMap<string, Definition>;

/** A built site that is whole, in its folder. */
export interface CheckedSite {
  out: string;
  reader: SiteReader;
  digests: Digests;
  status: Status;
}

const nothingSent = 'Nothing was sent. To publish without looking at the live site: --force';

/** What the readers of the live site have. Undefined if there is none yet. */
export async function readLive(site: SiteReader): Promise<LiveSite | undefined> {
  try {
    const live = await readHistory(site);
    return live && { ...live, ...(await readDocument(site, 'all.json', AllComponents)) };
  } catch (error) {
    throw error instanceof InputError
      ? inputError('live site', `${error.message}. ${nothingSent}`)
      : error;
  }
}

/** What the live site has told. Undefined if there is none yet. */
async function readHistory(site: SiteReader): Promise<LiveHistory | undefined> {
  try {
    const list = await site.read(digestsFile);
    // A folder whose first copy broke off has an empty list.
    if (!list?.length) {
      return undefined;
    }

    // Without its digest: beside the old list of a folder, a copy that broke off leaves newer files.
    const status = await readDocument(site, 'status.json', LiveStatus);
    return { digests: parseDigests(list.toString()), ...status };
  } catch (error) {
    // The name of a new site is not known yet.
    const { cause } = error as Error & { cause?: NodeJS.ErrnoException };
    if (cause?.code === 'ENOTFOUND') {
      return undefined;
    }
    throw error;
  }
}

/** Throws an `InputError` where the live site has told what a checkout lacks; a host that is down is a warning. */
export async function requirePublished(
  site: SiteReader,
  data: DataFiles,
  definitions: Definitions,
): Promise<Problem[]> {
  const journals = data.countEvents();
  const runs = data.readRuns();
  let live;
  try {
    live = await readHistory(site);
  } catch (error) {
    if (!(error instanceof InputError)) {
      throw error;
    }
    const message = `${error.message}. It was not compared with data/`;
    return [{ subject: 'live site', message, level: 'warning' }];
  }

  if (live) {
    const lacking = listLacking(live, { journals, runs: runs.length }, runs, definitions);
    rejectLack(lacking, 'git pull', 'Nothing was changed');
  }
  return [];
}

/** What the live site has told, and a history lacks, which only grows. `own`: of the checkout, or of its built site. */
function listLacking(
  live: LiveHistory,
  own: Pick<Status, 'journals' | 'runs'>,
  runs: readonly Run[],
  definitions: Definitions,
): string[] {
  const rename = createRenaming(definitions);
  const compare = (what: string, published: number, here: number) =>
    here < published ? [`${published - here} of ${published} ${what}`] : [];
  const journals = Object.entries(live.journals ?? {}).flatMap(([former, published]) => {
    const name = rename(former);
    return compare(`events of ${name}`, published, own.journals[name] ?? 0);
  });
  const events = Object.values(own.journals).reduce((sum, count) => sum + count, 0);
  const { at } = live.lastRun ?? {};
  const hasLast = at === undefined || runs.some((run) => run.at === at);
  return [
    ...(live.journals ? journals : compare('events', live.events, events)),
    ...compare('runs', live.runs, own.runs),
    ...(hasLast ? [] : [`the last run (${at})`]),
  ];
}

function rejectLack(lacking: readonly string[], remedy: string, outcome: string): void {
  if (lacking.length > 0) {
    throw inputError(
      'live site',
      `has published what is not here: ${formatList(lacking, 5)}. ${remedy}; taken back on purpose: build, then publish --force. ${outcome}`,
    );
  }
}

/**
 * Throws an `InputError` if the live site is of a later day, and for removals that nobody accepted. A decision counts until the site of a
 * later run is live.
 */
export async function judgePublication(
  live: LiveSite,
  site: CheckedSite,
  data: DataFiles,
  definitions: Definitions,
): Promise<void> {
  const { asOf } = site.status;
  const runs = data.readRuns();
  const lacking = listLacking(live, site.status, runs, definitions);
  rejectLack(lacking, 'git pull, then build again', nothingSent);
  if (live.asOf > asOf) {
    throw inputError(
      'live site',
      `is of ${live.asOf}, and this one of ${asOf}. If this checkout is behind: git pull, then build again. ${nothingSent}`,
    );
  }

  // An index that only gathers has no runs: there, a decision counts until the site of a later day is live.
  const publishedAt = live.lastRun?.at ?? live.asOf;
  const removals = await Array.fromAsync(findRemovals(live, site));
  const id = createPublicationId(sha256(JSON.stringify(removals)).slice(0, 7));
  const isAccepted = data.readDecisions().some((each) => each.id === id && each.at > publishedAt);
  if (removals.length > 0 && !isAccepted) {
    throw new InputError([
      ...removals.map(({ component, message }): Problem => ({ subject: component, message })),
      {
        subject: 'publication',
        message: `Nothing was sent, so that readers keep what they have. If this is wanted: npx release-index accept ${id}, then publish again`,
      },
    ]);
  }
}

/** What a publication would take away, by component: it is gone, its latest version is lost, or much of it is, by the measure of the gate. */
async function* findRemovals(live: LiveSite, { reader, digests, status }: CheckedSite) {
  for (const [component, before] of Object.entries(live.components)) {
    const path = `details/${component}.json`;
    const digest = digests.get(path);
    if (digest === undefined) {
      yield { component, message: 'is on the live site, and would be gone', versions: [] };
    } else if (digest !== live.digests.get(path)) {
      const after = await readDocument(reader, path, Component);
      const kept = listKept(after, status.asOf);
      const latest = before.tags?.latest;
      if (latest !== undefined && after.latest === undefined && !kept.has(latest)) {
        const message = `would have no latest version; it is ${latest} on the live site`;
        yield { component, message, versions: [latest] };
      }

      const current = before.releases.filter(({ isDeprecated }) => !isDeprecated);
      const lost = current.map(({ version }) => version).filter((version) => !kept.has(version));
      if (isMuch(lost.length, current.length)) {
        const message = `${lost.length} of ${current.length} releases would be gone or deprecated: ${formatList(lost, 5)}`;
        yield { component, message, versions: lost };
      }
    }
  }
}

/**
 * The versions that are not removed: at the end of their line by the support policy, or deprecated by nobody but upstream, which the gate has
 * judged.
 */
function listKept({ releases }: Component, day: Day): Set<string> {
  const kept = releases.filter(({ reasons }) => {
    const rules = reasons
      .filter(({ from, fromAtMost }) => (fromAtMost ?? from ?? '') <= day)
      .map(({ rule }) => rule);
    return (
      rules.includes('support policy') ||
      rules.every((rule) => rule === 'upstream' || rule === 'withdrawn')
    );
  });
  return new Set(kept.map(({ version }) => version));
}
