import { existsSync, globSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cutDay, earliestPlausibleDay, type Day } from '../../core/model/dates.ts';
import { fileProblem, type Finding } from '../../core/schemas/finding.ts';
import { listFreshnessDays } from '../../core/schemas/recorded/freshness.ts';
import type { RecordedRelease } from '../../core/schemas/recorded/recorded.ts';
import { formatCount } from '../../core/text/wording.ts';
import { describeEvent } from '../../decide/event-words.ts';
import { foldJournal } from '../../decide/fold-journal.ts';
import {
  readDecisions,
  listJournals,
  readJournal,
  listRuns,
  readFreshness,
  readRecordedData,
} from '../../io/files/recorded-files.ts';
import {
  decisionsFile,
  definitionFile,
  freshnessFile,
  freshnessPath,
  heldFile,
  journalFile,
  recordedFile,
  recordedPath,
  type Root,
} from '../../io/files/root.ts';
import { describeChange } from '../../record/journal/events/describe-change.ts';
import { loadComponent } from '../../site/load-component.ts';

/**
 * Compares each journal with the index as of the day of the last run. What the journal lacks by then gives a notice: people edited
 * after that run, and the next one records it.
 */
export function checkJournals(root: Root, names: readonly string[], day: Day): Finding[] {
  const { runs, findings } = listRuns(root);
  const lastDay = runs.at(-1)?.asOf;
  if (lastDay === undefined) {
    return findings;
  }

  const asOf = day < lastDay ? day : lastDay;
  return [...findings, ...names.flatMap((name) => checkJournal(root, name, asOf))];
}

function checkJournal(root: Root, name: string, day: Day): Finding[] {
  const { component } = loadComponent(root, name, day);
  if (!component) {
    return [];
  }

  const state = foldJournal(component.journal);
  const [first, ...others] = describeChange(state, component, day);
  if (!first) {
    return [];
  }

  const more = others.length === 0 ? '' : ` ${formatCount(others.length, 'more event')} with it.`;
  const message = `not recorded yet: ${describeEvent({ ...first, at: day })}${more} The next run records it: npx release-index record`;
  return [fileProblem(journalFile(name), message, 'notice')];
}

/** Finds files in which a run, a decision or the last event of a journal has a future day. One problem for each file or folder. */
export function findFutureLines(root: Root, today: Day): Finding[] {
  const findings: Finding[] = [];
  for (const name of listJournals(root)) {
    const lastEvents = readJournal(root, name).value?.values.slice(-1) ?? [];
    const instants = lastEvents.map(({ at }) => at);
    findings.push(...checkInstants(journalFile(name), today, instants));
  }

  const runs = listRuns(root).runs.flatMap(({ asOf, at }) => [asOf, at]);
  const decisions = readDecisions(root).value?.values.map(({ at }) => at) ?? [];
  findings.push(...checkInstants('data/runs', today, runs));
  findings.push(...checkInstants(decisionsFile, today, decisions));
  return findings;
}

/** Finds days of releases and of freshness that are in the future, and days of releases that are too early for Renovate. */
export function findImpossibleDays(root: Root, component: string, today: Day): Finding[] {
  const findings: Finding[] = [];
  for (const release of readRecordedData(root, component).value?.releases ?? []) {
    for (const message of describeImpossibleDays(release, today)) {
      findings.push(fileProblem(recordedFile(component), `${release.version}: ${message}`));
    }
  }

  const days = listFreshnessDays(readFreshness(root, component).value ?? { sources: {} });
  return [...findings, ...checkInstants(freshnessFile(component), today, days)];
}

function describeImpossibleDays(release: RecordedRelease, today: Day): string[] {
  const { releaseTimestamp, firstSeen, notListedOn, withdrawnSince, deprecatedSince } = release;
  const messages: string[] = [];
  if (releaseTimestamp !== undefined && cutDay(releaseTimestamp) < earliestPlausibleDay) {
    messages.push(
      `releaseTimestamp: ${releaseTimestamp} is before ${earliestPlausibleDay}, which Renovate does not accept as a date`,
    );
  }

  const days = {
    releaseTimestamp,
    firstSeen,
    notListedOn,
    withdrawnSince,
    deprecatedSince,
    'republished.on': release.republished?.on,
    'corrected.on': release.corrected?.on,
  };
  for (const [key, value] of Object.entries(days)) {
    if (value !== undefined && cutDay(value) > today) {
      messages.push(`${key}: ${value} is in the future`);
    }
  }
  return messages;
}

/** A problem if one of the days or instants in a file is in the future. */
function checkInstants(file: string, today: Day, instants: readonly string[]): Finding[] {
  const instant = instants.find((at) => cutDay(at) > today);
  if (instant === undefined) {
    return [];
  }

  const message = `holds ${instant}, which is in the future. A run had a wrong clock: git revert its commit`;
  return [fileProblem(file, message)];
}

/** Gathering writes data before freshness: freshness without data means that data was lost. */
export function findLostData(root: Root, name: string): Finding[] {
  if (!existsSync(freshnessPath(root, name)) || existsSync(recordedPath(root, name))) {
    return [];
  }

  const remedy = `If git has it, npx release-index plan names the command that restores it. Otherwise: npx release-index gather ${name}`;
  return [
    fileProblem(recordedFile(name), `is missing, although the component was gathered. ${remedy}`),
  ];
}

/** Recorded data without a definition is not published. Usually, a component was renamed in one place only. */
export function findStrayData(root: Root, names: readonly string[]): Finding[] {
  const files = ['data', 'data/freshness'].flatMap((folder) =>
    globSync('*.json', { cwd: join(root.dir, folder) }).map((file) => `${folder}/${file}`),
  );
  const findings: Finding[] = [];
  for (const file of files.sort()) {
    const name = basename(file, '.json');
    // The file of held changes is about the whole index. A definition with a wrong name is reported itself.
    const isExpected =
      file === heldFile || names.includes(name) || existsSync(join(root.dir, definitionFile(name)));
    if (!isExpected) {
      findings.push(
        fileProblem(file, `there is no ${definitionFile(name)}. Was the component renamed?`),
      );
    }
  }
  return findings;
}
