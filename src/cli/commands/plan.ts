import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hostOf } from '../../core/schemas/definition/site-config.ts';
import {
  joinEntries,
  listChanges,
  publishedEvents,
} from '../../record/journal/events/published-events.ts';
import { askGit, headOf, openGit } from '../../io/files/git.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { openRoot } from '../../io/files/root.ts';
import { findDamage } from '../../run/daily/find-damage.ts';
import type { Recorded } from '../../record/journal/record-journal.ts';
import { shared, type Command, type Invocation } from '../command.ts';
import { runBuild } from './build.ts';
import { runGather } from './gather.ts';
import { describePublication, folderToPublish, runPublish, toFolder } from './publish.ts';
import { runRecord } from './record.ts';
import { requireValue } from '../../io/files/read-documents.ts';

const optionTable = { to: toFolder, ...shared('root', 'as-of', 'base-url') };
type Options = typeof optionTable;

export const command: Command<Options> = {
  options: optionTable,
  details: [
    'Runs "daily" in a copy, up to the publication: asks upstream, judges and records, builds, and compares with the live site.',
    'Shows what readers would be told, and names each component that would wait, with its id for "accept". Changes nothing.',
  ],
  examples: [['plan', 'before "daily", or to see the effect of an edit']],
  run: runPlan,
};

/** The parts of a root that a day reads. */
const parts = ['components', 'data', 'site', 'package.json', 'package-lock.json', '.access'];

export async function runPlan(invocation: Invocation<Options>): Promise<number> {
  const { root, env, checkout, report, options, signal } = invocation;
  const git = openGit(root.dir, env);
  const isInGit = headOf(root.dir, env) !== undefined;
  const folder = mkdtempSync(join(tmpdir(), 'release-index-plan-'));

  try {
    // A worktree has the commits that the gate compares with.
    if (isInGit) {
      git(['worktree', 'add', '--quiet', '--detach', '--force', folder, 'HEAD']);
    }

    const dir = isInGit ? join(folder, git(['rev-parse', '--show-prefix']).trim()) : folder;

    for (const part of parts.filter((one) => existsSync(join(root.dir, one)))) {
      rmSync(join(dir, part), { recursive: true, force: true });
      cpSync(join(root.dir, part), join(dir, part), { recursive: true });
    }

    const damage = findDamage({ ...invocation, root: openRoot(dir, checkout) });

    report.finding(...damage.findings);

    if (damage.isFatal) {
      return 1;
    }

    const copy = { ...invocation, root: damage.published, out: join(folder, 'dist') };

    const given = {
      ...copy,
      root: damage.working,
      arguments: [],
      options: {},
    };

    const gathered = await runGather(given, { recordsFreshness: true });

    if (signal.aborted) {
      return gathered.status;
    }

    const { held, events } = await runRecord(given, new Date(), 'plan', {
      gathered: gathered.results,
      damaged: damage.held,
    });

    const announcements = announcementsOf(events);

    report.print(...announcements);

    const built = runBuild(copy);
    const config = requireValue(readSiteConfig(root));
    const isPublished =
      hostOf(config) === 'cloudflare' || folderToPublish(invocation, config) !== undefined;

    const publication = isPublished
      ? await runPublish(
          { ...copy, options: { to: options.to } },
          { isDryRun: true, isJustBuilt: true },
        )
      : undefined;
    if (publication) {
      report.finding(...publication.findings);
      report.print(...describePublication(publication));
    }

    report.print(`plan: ${held.length} would wait. Nothing was changed.`);

    report.document({
      verb: 'plan',
      asOf: invocation.day,
      components: built.components.length,
      events: [...events.values()].reduce((sum, of) => sum + of.length, 0),
      announcements,
      held,
      publication: publication?.kind,
    });

    return held.length > 0 || damage.findings.length > 0 || publication?.kind === 'refused' ? 1 : 0;
  } finally {
    rmSync(folder, { recursive: true, force: true });

    if (isInGit) {
      askGit(git, 'worktree', 'prune');
    }
  }
}

/** The sentences that readers would be told. An edit is followed by its single changes. */
function announcementsOf(events: Recorded['events']): string[] {
  const published = Array.from(events, ([component, ofComponent]) =>
    publishedEvents(ofComponent).map((event) => ({ ...event, component })),
  );
  const changes = joinEntries(
    published.flatMap((ofComponent) => listChanges(ofComponent).reverse()),
  );

  return changes.flatMap(({ component, type, text, group }) => {
    if (group) {
      return [text, ...group.sentences.map((sentence) => `  ${sentence}`)];
    }

    return [type === 'added' ? text : `${component}: ${text}`];
  });
}
