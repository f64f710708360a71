import type { PublishedChange } from '../schemas/published/small-files.ts';
import { formatCount, formatList } from '../text/wording.ts';

/** The events of one edit of a definition or a default, as one entry for readers. */
export interface EditEntry {
  /** The id of the last event. */
  readonly id: string;
  readonly at: string;
  readonly type: 'edited';
  readonly edit: string;
  readonly components: string[];
  readonly text: string;
  /** All events of the edit. */
  readonly changes: readonly PublishedChange[];
}

/** Replaces the events of each edit by one entry, at the position of the first. Keeps the order. */
export function foldEdits(changes: readonly PublishedChange[]): (PublishedChange | EditEntry)[] {
  const joinKey = ({ at, edit }: PublishedChange) => `${at} ${edit}`;
  const byEdit = Map.groupBy(changes, joinKey);

  return changes
    .map((change) => {
      if (change.edit === undefined) {
        return change;
      }

      const changesOfEdit = byEdit.get(joinKey(change)) ?? [];
      return changesOfEdit[0] === change ? createEditEntry(change.edit, changesOfEdit) : undefined;
    })
    .filter((value) => value !== undefined);
}

function createEditEntry(edit: string, changes: readonly PublishedChange[]): EditEntry {
  const components = [...new Set(changes.map(({ component }) => component))].sort();
  const { id, at } = changes.reduce((last, change) =>
    readNumber(change) > readNumber(last) ? change : last,
  );

  return {
    id,
    at,
    type: 'edited',
    edit,
    components,
    text: describeEdit(edit, components, changes),
    changes,
  };
}

function readNumber({ id }: PublishedChange): number {
  return Number(id.slice(id.lastIndexOf('/') + 1));
}

/** `components/svc.json was edited: 7 release lines changed (2023.1 to 2026.1).` */
function describeEdit(
  edit: string,
  components: readonly string[],
  changes: readonly PublishedChange[],
): string {
  const [, file = edit, key] = /^(.*?)(?:#(.*))?@/.exec(edit) ?? [];
  const editText = key === undefined ? `${file} was edited` : `${key} in ${file} was edited`;
  const lines = new Set<string>();
  const versions = new Set<string>();
  for (const { component, line, version } of changes) {
    if (version !== undefined) {
      versions.add(`${component} ${version}`);
    } else if (line !== undefined) {
      lines.add(`${component} ${line}`);
    }
  }

  const sizes = [
    lines.size > 0 && formatCount(lines.size, 'release line'),
    versions.size > 0 && formatCount(versions.size, 'release'),
  ].filter(Boolean);
  const owners = components.length === 1 ? '' : ` of ${formatList(components, 3)}`;
  return `${editText}: ${sizes.join(' and ')}${owners} changed.`;
}

/** The changes of an edit in sentences, as many as a person reads. */
export function listSentences({ changes, components }: EditEntry): string[] {
  const nameComponent = (component: string) => (components.length === 1 ? '' : `${component}: `);

  // An end that was announced after it was over has two events with the same sentence.
  const sentences = [
    ...new Set(changes.map(({ component, text }) => `${nameComponent(component)}${text}`)),
  ];
  const hiddenCount = sentences.length - maxSentences;
  if (hiddenCount <= 0) {
    return sentences;
  }

  const note = `And ${formatCount(hiddenCount, 'more change')}, in changes.json.`;
  return [...sentences.slice(0, maxSentences), note];
}

const maxSentences = 200;
