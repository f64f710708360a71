import { existsSync, lstatSync, readFileSync, type Dirent } from 'node:fs';
import { join, relative } from 'node:path';
import { addDays, latestDay, type Day } from '../../core/model/dates.ts';
import { InputError, problem, type Finding } from '../../core/schemas/finding.ts';
import { parseDocument } from '../../io/files/read-documents.ts';
import { entriesBelow } from '../../io/files/file-system.ts';
import { isLeftOut, listComponents } from '../../io/files/root.ts';
import type { Gathered, GatherRun } from './gather-all.ts';
import { readGatherInput, whyUnsaved } from './gather-all.ts';
import { uniteAnswers } from './gather-component.ts';
import { HandedAnswers, readHandedAnswers } from './handed-answers.ts';
import { cleanUp, saveGathered } from './save-gathered.ts';
import { wrongClock } from './wrong-day.ts';

/** A larger file is not one of answers. */
const maxBytes = 50_000_000;

interface TakeRun extends Pick<GatherRun, 'root' | 'day' | 'rejectionOf' | 'waiting' | 'accepted'> {
  /** The day of the last commit. */
  committedOn: Day | undefined;
}

/**
 * Merges the answers that another job gathered, as `gatherAll` merges its own. That job read untrusted upstreams, so only what
 * sources can state is taken from it. A rejected file does not affect the others.
 */
export async function takeGathered(folder: string, run: TakeRun): Promise<Gathered> {
  const gathered: Gathered = { results: [], unsaved: [] };

  if (!existsSync(folder)) {
    const message = 'there is no such folder. No gathered data was accepted';
    return { ...gathered, unsaved: [problem(folder, message)] };
  }

  await cleanUp(run.root);

  const answers = readAll(folder, run, gathered.unsaved);
  const [first, ...others] = Array.from(answers.values(), ({ askedOn }) => askedOn);

  // The gathering job has another clock, which it compared with upstreams.
  const wrong = wrongClock(run.day, first && latestDay(first, ...others), run.committedOn);
  if (wrong) {
    throw new InputError([wrong]);
  }

  for (const [component, handed] of answers) {
    await takeOne(component, handed, run, gathered);
  }

  return gathered;
}

async function takeOne(
  component: string,
  handed: HandedAnswers,
  run: TakeRun,
  { results, unsaved }: Gathered,
): Promise<void> {
  const { root, day } = run;

  if (handed.askedOn < addDays(day, -1) || handed.askedOn > addDays(day, 1)) {
    const message = `holds answers of ${handed.askedOn}; today is ${day}. They were rejected`;
    unsaved.push(problem(`gathered/${component}.json`, message));

    return;
  }

  try {
    const input = readGatherInput(root, component);
    const answers = await readHandedAnswers(handed, input, run);
    const waiting = run.waiting(component);
    const result = await saveGathered({ ...run, recordsFreshness: true }, component, (recorded) =>
      uniteAnswers({ ...input, ...recorded, waiting, accepted: run.accepted }, answers, day),
    );

    results.push(result);
  } catch (error) {
    unsaved.push(...whyUnsaved(component, error));
  }
}

/** The well-formed files of components, by name. */
function readAll(
  folder: string,
  { root }: TakeRun,
  findings: Finding[],
): ReadonlyMap<string, HandedAnswers> {
  const names = new Set(listComponents(root).names);
  const answers = new Map<string, HandedAnswers>();

  for (const entry of entriesBelow(folder)) {
    const path = join(entry.parentPath, entry.name);
    const file = relative(folder, path).replaceAll('\\', '/');
    const name = file.replace(/\.json$/, '');
    if (isLeftOut(root, name)) {
      continue;
    }

    const read =
      names.has(name) && name !== file ? readOne(entry, path) : 'is not a file of a component';

    if (typeof read === 'string') {
      const consequence = 'The answers that another job gathered were rejected; ours are unchanged';
      findings.push(problem(`gathered/${file}`, `${read}. ${consequence}`));
    } else {
      answers.set(name, read);
    }
  }

  return answers;
}

/** The answers, or why they are rejected. Rejects links, other special files and large files without reading them. */
function readOne(entry: Dirent, path: string): HandedAnswers | string {
  if (!entry.isFile()) {
    return 'is not a plain file';
  }

  if (lstatSync(path).size > maxBytes) {
    return `has more than ${maxBytes} bytes`;
  }

  const { value, findings } = parseDocument(readFileSync(path), entry.name, HandedAnswers);

  return value ?? findings[0]!.message;
}
