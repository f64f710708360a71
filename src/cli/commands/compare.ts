import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Day } from '../../core/model/dates.ts';
import { InputError, isError, throwErrors } from '../../core/schemas/finding.ts';
import type { JournalEvent } from '../../core/schemas/recorded/journal.ts';
import { formatCount } from '../../core/text/wording.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import { describeFileChanges } from '../../deliver/check/file-changes.ts';
import { findForeignChanges } from '../../deliver/check/foreign-changes.ts';
import { describeNewDecisions, findExpectedWaits } from '../../deliver/check/new-decisions.ts';
import { describeSettingChanges } from '../../deliver/check/setting-changes.ts';
import { makeTemporaryFolder } from '../../io/files/file-system.ts';
import { openRoot, type Root } from '../../io/files/root.ts';
import { openAccepted } from '../../record/gate/last-good-files.ts';
import { listAnnouncements } from '../../record/journal/events/change-entries.ts';
import { describeChange, numberEvents } from '../../record/journal/events/describe-change.ts';
import { toHeldChange, listHeldFindings } from '../../run/held-changes.ts';
import { buildSite } from '../../site/build-site.ts';
import { loadComponents, readEvents } from '../../site/load-component.ts';
import { shared, UsageError, type Command, type Invocation } from '../command.ts';

export const command: Command = {
  arguments: { required: ['folder'] },
  options: shared('root', 'as-of'),
  details: [
    'Builds the site of the folder and of this index for the same day, and compares them. Prints the events that a run would',
    'record, with what would wait and its id, each published file that differs, with its changed keys, and each changed key of',
    'site/site.json, site/access.json, .npmrc and of sources. Changes nothing.',
    'Exits with 1 at any change to files that only runs write (runs, journal, freshness, statements and held.json in data/), at',
    'damaged files, at a decision about something that does not wait, and at another releasesUrl or signingPublicKey without a',
    'decision. The folder must be a checkout of the commit that this index will be merged into; else the changes of runs in',
    'between are reported as yours.',
  ],
  examples: [['compare ../base', 'against another checkout']],
  checksRepository: true,
  run(invocation) {
    const { root, day, report } = invocation;
    const base = openBase(invocation);
    const foreignChanges = findForeignChanges(base, root);

    // Such a change may be the reason why the index cannot be read.
    report.finding(...foreignChanges);

    const announcements = compareEvents(base, invocation);
    const settings = describeSettingChanges(base, root);
    const files = compareSites(base, invocation);
    const { texts: decisions, findings } = judgeDecisions(base, invocation);
    const problems = [...foreignChanges, ...findings];
    report.finding(...findings);
    report.print(...decisions, ...announcements, ...settings);
    if (files.length > 0) {
      report.print('Files that differ:', ...files.map((line) => `  ${line}`));
    } else if ([...decisions, ...announcements, ...settings, ...problems].length === 0) {
      report.print('The index says the same as before.');
    }

    report.document({
      verb: 'compare',
      asOf: day,
      before: base.dir,
      decisions,
      announcements,
      settings,
      files,
      findings: problems,
    });

    return problems.some(isError) ? 1 : 0;
  },
};

/** The checkout to compare with. */
function openBase({ arguments: [folder = ''], checkout }: Invocation): Root {
  const dir = resolve(folder);
  if (!existsSync(dir)) {
    throw new UsageError(`there is no folder ${dir}`);
  }
  if (!existsSync(join(dir, 'components'))) {
    throw new UsageError(`${dir} is not the checkout of an index: it has no folder components/`);
  }

  return openAccepted(openRoot(dir, checkout));
}

/**
 * The events that a run would record for the change alone, and the components that are gone, in sentences. Events that it would record
 * without the change are left out.
 */
function compareEvents(base: Root, { root, day }: Invocation): string[] {
  const { components, findings } = loadComponents(root, day);
  throwErrors(findings);
  const { components: oldComponents } = loadComponents(base, day);
  const remaining = new Map(oldComponents.map((component) => [component.name, component]));
  const events = new Map<string, readonly JournalEvent[]>();

  for (const component of components) {
    const { name, definition } = component;
    const formerNames = [name, ...(definition.renamedFrom ?? []).toReversed()];
    const formerName = formerNames.find((candidate) => remaining.has(candidate)) ?? name;
    const former = remaining.get(formerName);
    // A definition that could not be read before has recorded events, too.
    const journal = former
      ? appendEvents(former.journal, former, day)
      : (readEvents(base, name, day).value ?? []);
    const newEvents = appendEvents(journal, component, day).slice(journal.length);
    remaining.delete(formerName);
    if (newEvents.length > 0) {
      events.set(name, newEvents);
    }
  }

  const removed = Array.from(
    remaining.values(),
    ({ name, judgement: { releases } }) =>
      `${name}: no longer there, with its ${formatCount(releases.length, 'release')}.`,
  );
  return [...listAnnouncements(events), ...removed];
}

/** A journal with the events that a run would append. */
function appendEvents(
  journal: readonly JournalEvent[],
  component: Component,
  day: Day,
): readonly JournalEvent[] {
  const drafts = describeChange(foldJournal(journal), component, day);
  return [...journal, ...numberEvents(journal, drafts, `${day}T00:00:00.000Z`, component)];
}

/** The published files that differ, in sentences. */
function compareSites(base: Root, { root, day }: Invocation): string[] {
  using folder = makeTemporaryFolder();
  const before = join(folder.path, 'before');
  const after = join(folder.path, 'after');
  buildSite({ root, out: after, day });

  try {
    buildSite({ root: base, out: before, day });
  } catch (error) {
    // The change may mend an index that could not be built.
    if (error instanceof InputError) {
      return ['every file: the site could not be built before the change'];
    }

    throw error;
  }

  return describeFileChanges(before, after);
}

/** The effects of new decisions, and the findings about waits and about a moved address. */
function judgeDecisions(base: Root, { root, env, day }: Invocation) {
  const waits = findExpectedWaits(base, root, { env, day });
  const decisions = describeNewDecisions(base, root, env, waits);
  const heldFindings = listHeldFindings(waits.waiting.map(toHeldChange));
  return { ...decisions, findings: [...waits.findings, ...heldFindings, ...decisions.findings] };
}
