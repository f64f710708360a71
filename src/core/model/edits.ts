import type { PublishedChange } from '../schemas/published/changes-file.ts';
import { formatCount, formatList, formatNumber } from '../text/wording.ts';

/** The events of one edit of a definition or a default, as one entry for readers. */
export type EditEntry = ReturnType<typeof createEditEntry>;

/** Replaces the events of each edit by one entry, at the position of the first. Keeps the order. */
export function foldEdits(changes: readonly PublishedChange[]): (PublishedChange | EditEntry)[] {
  const groups = Map.groupBy(changes, chooseEditKey);
  return Array.from(groups.values(), (group) => {
    const [change] = group;
    return change.edit === undefined ? change : createEditEntry(change.edit, group);
  });
}

/** A key that is equal only for the events of one edit in one run; any other event is its own key. */
export function chooseEditKey(change: Pick<PublishedChange, 'at' | 'edit'>): unknown {
  return change.edit === undefined ? change : `${change.at} ${change.edit}`;
}

/** `changes`: all events of the edit, of one run. */
export function createEditEntry(edit: string, changes: readonly PublishedChange[]) {
  const components = [...new Set(changes.map(({ component }) => component))].sort();
  // Each component has its own numbers, so the highest one is of the last event of one of them.
  const { id, at } = changes.reduce((last, change) =>
    readNumber(change) > readNumber(last) ? change : last,
  );
  return {
    id,
    at,
    type: 'edited' as const,
    edit,
    components,
    text: describeEdit(edit, components, changes),
    changes,
  };
}

/** The sequence number in the id of an event. */
function readNumber({ id }: PublishedChange): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** `components/svc.json was edited: 7 release lines and 1 release changed.` */
function describeEdit(
  edit: string,
  components: readonly string[],
  changes: readonly PublishedChange[],
): string {
  // A file, a key in it if only that was edited, and a commit: `site/site.json#defaults.support@0f1e2d3c4b`.
  const { file = edit, key } = /^(?<file>[^#@]*)(?:#(?<key>.*))?@/.exec(edit)?.groups ?? {};
  const subject = key === undefined ? file : `${key} in ${file}`;
  const lines = new Set<string>();
  const versions = new Set<string>();
  for (const { component, line, version } of changes) {
    if (version !== undefined) {
      versions.add(`${component} ${version}`);
    } else if (line !== undefined) {
      lines.add(`${component} ${line}`);
    }
  }

  const counts = [
    lines.size > 0 && formatCount(lines.size, 'release line'),
    versions.size > 0 && formatCount(versions.size, 'release'),
  ].filter(Boolean);
  // A replacement changes neither lines nor releases.
  const changed = counts.join(' and ') || formatCount(components.length, 'component');
  const owners = components.length === 1 ? '' : ` of ${formatList(components, 3)}`;
  return `${subject} was edited: ${changed}${owners} changed.`;
}

/** An edit of a default may change lines of all components. A longer list is cut: the file of the year has every change. */
const maxSentences = 200;

/** The changes of an edit in sentences. */
export function listChangeSentences({ at, changes, components }: EditEntry): string[] {
  const namesComponent = components.length > 1;
  const texts = changes.map(({ component, text }) =>
    namesComponent ? `${component}: ${text}` : text,
  );

  // An end that was announced after it was over has two events with the same sentence.
  const sentences = [...new Set(texts)];
  const hiddenCount = sentences.length - maxSentences;
  if (hiddenCount <= 0) {
    return sentences;
  }

  const note = `And ${formatNumber(hiddenCount)} more, in changes/${at.slice(0, 4)}.json.`;
  return [...sentences.slice(0, maxSentences), note];
}
