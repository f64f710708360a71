/** Lists the edits of an index since a commit, and the events that they would cause. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Day } from '../core/day.ts';
import { requireAll } from '../core/errors.ts';
import { readIfThere } from '../core/files.ts';
import { parseJson } from '../core/parse-document.ts';
import { listIndexFiles } from '../core/index-files.ts';
import { readSettings, requireDefinitions } from '../core/read-definitions.ts';
import { judgeOne } from '../judge/judge.ts';
import { openData, type RecordedComponent } from './data-files.ts';
import { describeLoss, listLost } from './former-definitions.ts';
import { rejectCommittedKept, unpackCommit } from './git.ts';
import { listEvents } from './journal.ts';

interface Edited {
  root: string;
  day: Day;
  signal: AbortSignal;
}

/** Lists the edits of an index since a commit, and the events that they cause on a day. Does not ask the sources. */
export async function planEdit(base: string, { root, day, signal }: Edited) {
  await rejectCommittedKept(root, signal);
  const folder = mkdtempSync(join(tmpdir(), 'release-index-'));
  try {
    await unpackCommit(root, base, folder, signal);
    const [before, after] = [readIndex(folder), readIndex(root)];
    const renamings = listRenamings(before, after);
    const formerNames = new Map(renamings.map(({ from, to }) => [to, from]));
    // Some events have other causes than the edits, so the next run would report them even without the edits. These events are added to the
    // journals here. So they do not appear as results of the edits.
    const journals = new Map(
      before.components.map((each) => {
        return [each.component, [...each.journal, ...listEvents(each, day, '')]];
      }),
    );
    const events = after.components.map((each) => {
      const former = formerNames.get(each.component) ?? each.component;
      const journal = journals.get(former) ?? before.data.readJournal(former);
      return [each.component, listEvents({ ...each, journal }, day, '')] as const;
    });
    const formerDecisions = before.data.readDecisions().map((decision) => JSON.stringify(decision));
    return {
      /** The settings before and after the edits. */
      settings: [before.settings, after.settings] as const,
      losses: listLosses(before, after, formerNames, day),
      events: new Map(events),
      renamings,
      edits: listEdits(folder, root),
      decisions: after.data
        .readDecisions()
        .filter((decision) => !formerDecisions.includes(JSON.stringify(decision))),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Lists the releases in use that the edits take from readers. */
function listLosses(
  before: EditedIndex,
  after: EditedIndex,
  formerNames: ReadonlyMap<string, string>,
  day: Day,
) {
  const present = new Map(
    after.components.map((each) => [formerNames.get(each.component) ?? each.component, each]),
  );
  return before.components.flatMap((former) => {
    const now = present.get(former.component);
    const releases = now ? judge(now, day) : [];
    const inUse = judge(former, day).filter(({ isDeprecated }) => !isDeprecated);
    const versions = listLost(inUse, releases);
    const component = now?.component ?? former.component;
    const message = describeLoss(versions, inUse.length, releases);
    return versions.length > 0 ? [{ component, message, versions, inUse: inUse.length }] : [];
  });
}

function judge({ component: name, definition, effective: recorded }: RecordedComponent, day: Day) {
  return judgeOne({ name, definition, recorded }, day).releases;
}

/** Lists the components that have another name after the edits. */
function listRenamings(before: EditedIndex, after: EditedIndex) {
  const present = new Set(after.components.map(({ component }) => component));
  const former = before.components.map(({ component }) => component);
  const left = former.filter((from) => !present.has(from));
  return after.components.flatMap(({ component: to, definition: { renamedFrom = [] } }) => {
    const from = former.includes(to) ? undefined : left.find((each) => renamedFrom.includes(each));
    return from === undefined ? [] : [{ from, to }];
  });
}

type EditedIndex = ReturnType<typeof readIndex>;

function readIndex(root: string) {
  const data = openData(root);
  const settings = readSettings(root);
  const definitions = requireDefinitions(root, settings);
  return { data, settings, components: requireAll(data.readComponents(definitions)) };
}

/** Lists the files that differ between two folders, with the top-level JSON keys that differ: `components/svc.json: sources, support`. */
function listEdits(before: string, after: string): string[] {
  const paths = new Set([before, after].flatMap(listIndexFiles));
  return [...paths].sort().flatMap((path) => {
    const [old, current] = [before, after].map((root) => readIfThere(join(root, path), path));
    if (old && current?.equals(old)) {
      return [];
    }

    const former = readParts(path, old);
    const parts = readParts(path, current);
    const keys = Object.keys({ ...former, ...parts }).filter((key) => former[key] !== parts[key]);
    return `${path}: ${keys.join(', ') || 'white space'}`;
  });
}

/** Returns the value of each top-level key of a JSON document, as JSON text. Any other file has the single key `content`. */
function readParts(path: string, bytes: Buffer | undefined): Record<string, string | undefined> {
  const text = bytes?.toString();
  if (!text || !path.endsWith('.json')) {
    return { content: text };
  }

  const document = parseJson(text, path) ?? {};
  return Object.fromEntries(
    Object.entries(document).map(([key, value]) => [key, JSON.stringify(value)]),
  );
}
