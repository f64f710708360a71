/**
 * Creates the rules that add notes and labels to pull requests. They match names in comments, and packages that Renovate finds by itself.
 */
import { addMonths, type Day } from '../../core/day.ts';
import type { Problem } from '../../core/errors.ts';
import type { Component } from '../../core/schema/published.ts';
import { formatCount } from '../../core/text.ts';
import type { Index } from '../load-index.ts';
import {
  findPlaces,
  listPackageConditions,
  matchComments,
  writeCondition,
  type Places,
} from './conditions.ts';
import {
  anchor,
  matchNames,
  type Subject,
  writeLabelCondition,
  writeTemplate,
} from './note-languages.ts';
import { createPatternWriter } from './note-versions.ts';
import { listNotes, type Note, writeLink } from './notes.ts';

/**
 * The greatest number of components that share a rule. Renovate compares every dependency with every rule, so there should be few rules.
 * For a pull request, it reads all templates of a rule, so rules should be short.
 */
const maxSubjects = 12;

/** The greatest number of notes, because each note makes the preset longer and pull requests slower. */
const maxNotes = 1000;

/** A line that ended within this many months has its own note. */
const recentMonths = 24;

export function createNoteRules(index: Index) {
  const { notes, warnings } = chooseNotes(index);
  const subjects = index.components.map((component, place) =>
    createSubject(component, notes[place]!, index),
  );
  const groups = groupSubjects(subjects);
  const all = findPlaces(index.components);
  return {
    rules: groups.flatMap((group) => createGroupRules(group, index.settings.datasource, all)),
    warnings,
  };
}

/**
 * Returns a list of notes for each component. If there are more than `maxNotes`:
 * - First, all ended lines of a component share notes.
 * - If there are still too many, leaves out notes without a label, and warns. Notes about the end of a proposed version always stay.
 */
function chooseNotes(index: Index): { notes: Note[][]; warnings: Problem[] } {
  const listAll = (datedFrom: Day) =>
    index.components.map((component) => listNotes(component, index, datedFrom));
  const dated = listAll(addMonths(index.asOf, -recentMonths));
  const all = dated.flat().length <= maxNotes ? dated : listAll(index.asOf);
  const total = all.flat().length;
  if (total <= maxNotes) {
    return { notes: all, warnings: [] };
  }

  const kept = all.map((notes) =>
    notes.filter(({ labels, occasion }) => labels.length > 0 || occasion === 'proposed ended line'),
  );
  const omitted = total - kept.flat().length;
  const message = `leaves out ${formatCount(omitted, 'note')} without a label, because there are more than 1,000`;
  const warning: Problem = { level: 'warning', subject: 'renovate.json', message };
  return { notes: kept, warnings: omitted > 0 ? [warning] : [] };
}

type ComponentSubject = Subject & { component: Component };

function createSubject(component: Component, notes: Note[], index: Index): ComponentSubject {
  const { settings } = index;
  const conditions = listConditions([component], settings.datasource);
  const names = conditions.flatMap(({ matchPackageNames }) => matchPackageNames);
  const writePatterns = createPatternWriter(component);
  return {
    component,
    names: [...new Set(names.map((name) => name.toLowerCase()))],
    heading: `**${writeLink(component, settings.releasesUrl, anchor)}**: `,
    notes: notes.map((note) => ({ ...note, ...writePatterns(note) })),
  };
}

/** Lists the conditions for names in comments, and for packages that Renovate finds by itself. */
function listConditions(components: readonly Component[], datasource: string, all?: Places) {
  return [matchComments(components, datasource), ...listPackageConditions(components, all)];
}

/** Groups components that share rules. */
function groupSubjects(subjects: readonly ComponentSubject[]): ComponentSubject[][] {
  const groups: ComponentSubject[][] = [];
  for (const subject of subjects.filter(({ notes }) => notes.length > 0)) {
    const group = groups.at(-1);
    // A template knows only the name of a package, not its registry. So two components with the same package name must not share a rule.
    const names = new Set(group?.flatMap((other) => other.names));
    if (!group || group.length === maxSubjects || subject.names.some((name) => names.has(name))) {
      groups.push([subject]);
    } else {
      group.push(subject);
    }
  }
  return groups;
}

/** Creates one rule for all notes, and one rule for each label. Each note contains its own condition, so all notes fit in one rule. */
function createGroupRules(
  group: readonly ComponentSubject[],
  datasource: string,
  all: Places,
): object[] {
  const components = group.map(({ component }) => component);
  const matchPackageNames = [`/^${matchNames(group.flatMap(({ names }) => names))}$/i`];
  // Renovate also applies rules before it knows the proposed version. At that time, `updateType` is not set, and the rule must not match.
  const places = listConditions(components, datasource, all).map(writeCondition);
  const condition = `$exists(updateType) and (${places.join(' or ')})`;
  const labels = new Set(group.flatMap(({ notes }) => notes.flatMap((note) => note.labels)));
  const labelRules = Array.from(labels, (label) => ({
    matchPackageNames,
    matchJsonata: [`${condition} and (${writeLabelCondition(group, label)})`],
    addLabels: [label],
  }));
  const prBodyNotes = [writeTemplate(group)];
  return [{ matchPackageNames, matchJsonata: [condition], prBodyNotes }, ...labelRules];
}
