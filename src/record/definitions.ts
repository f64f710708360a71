/** Reads the definitions that a run uses. A mistake in one definition does not affect other components. */
import { readFileSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { InputError, type Problem } from '../core/errors.ts';
import { parseJson } from '../core/parse-document.ts';
import { isRecorded } from '../core/index-files.ts';
import { fillDefaults, readDefinitions, type Written } from '../core/read-definitions.ts';
import { ComponentName } from '../core/schema/scalars.ts';
import { type Definition, Settings } from '../core/schema/written.ts';
import { endSentence } from '../core/text.ts';
import { omitUnadmitted } from '../judge/listed-releases.ts';
import { openData } from './data-files.ts';
import { findCommit, isShallow, openGit } from './git.ts';

/**
 * Reads the definitions of an index. A definition with a mistake is replaced by its newest usable version in the history. If the history
 * contains no usable version, the outcome depends on the component:
 * - A component without recorded data is left out.
 * - A component with recorded data causes an `InputError` with all problems.
 *
 * `problems`: one for each definition that was replaced or left out.
 */
export async function readUsableDefinitions(root: string, settings: Settings, signal: AbortSignal) {
  const former: Former = new Map();
  const problems: Problem[] = [];
  let read = readWithMistakes(root, settings, former);
  while (read.mistakes.length > 0) {
    for (const [file, mistakes] of Map.groupBy(read.mistakes, ({ subject }) => subject)) {
      const name = basename(file, '.json');
      const usable = await findUsable(root, settings, former, name, signal);
      if (former.has(name) || (!usable && isRecorded(root, name))) {
        throw new InputError(await explainShallow(root, read.mistakes, signal));
      }

      former.set(name, usable?.value);
      const messages = mistakes.map(({ message }) => message).join('; ');
      const outcome = usable ? `judged by its definition of commit ${usable.commit}` : 'left out';
      const message = `${endSentence(messages)} Until it is corrected, ${name} is ${outcome}.`;
      problems.push({ subject: file, message });
    }
    // Another definition may refer to a component that is left out, so definitions are read again.
    read = readWithMistakes(root, settings, former);
  }
  return { definitions: read.definitions, problems };
}

/** Says that a shallow clone may be the reason why no commit has a usable definition. */
async function explainShallow(root: string, mistakes: readonly Problem[], signal: AbortSignal) {
  if (!(await isShallow(openGit(root, signal)))) {
    return mistakes;
  }

  const remedy =
    'This clone has only the newest commits. Run this again after: git fetch --unshallow';
  return mistakes.map((each) => {
    return { ...each, message: `${endSentence(each.message)} ${remedy}` };
  });
}

/** The replacements of definitions, by component. `undefined` means that the component is left out. */
type Former = Map<string, Written | undefined>;

/** Reads the definitions, and lists their mistakes. A definition that matches none of the recorded releases also has a mistake. */
function readWithMistakes(root: string, settings: Settings, former: Former) {
  const { definitions, problems } = readDefinitions(root, settings, former);
  const unadmitted = Array.from(definitions).flatMap(([name, definition]) =>
    findUnadmitted(root, name, definition),
  );
  return { definitions, mistakes: [...problems, ...unadmitted] };
}

/**
 * Finds a definition that matches none of the recorded releases, so that readers would lose all releases. Usually a pattern is mistyped.
 */
export function findUnadmitted(root: string, name: string, definition: Definition): Problem[] {
  const data = openData(root);
  const recorded = data.readRecorded(name, data.readJournal(name));
  const count = recorded.releases.length;
  if (count === 0 || omitUnadmitted(definition, recorded).releases.length > 0) {
    return [];
  }

  const message = `matches none of its ${count} recorded releases. If upstream now writes its versions differently: npx release-index gather ${name}`;
  return [{ subject: `components/${name}.json`, message }];
}

/**
 * Finds the newest commit with a usable definition, and reads this definition. Also searches under the former names of the component.
 * `former`: the replacements of other definitions.
 */
async function findUsable(
  root: string,
  settings: Settings,
  former: Former,
  name: string,
  signal: AbortSignal,
) {
  const renamedFrom = readFormerNames(root, name);
  for (const each of [name, ...renamedFrom.toReversed()]) {
    const more = each === name ? {} : { renamedFrom };
    const usable = await findUsableFile(root, settings, former, { name, file: each, more }, signal);
    if (usable) {
      return usable;
    }
  }
  return undefined;
}

/** Reads `renamedFrom` of a definition with a mistake. The mistake may be in this key. */
function readFormerNames(root: string, name: string): string[] {
  const path = join(root, `components/${name}.json`);
  // The mistake may be that a folder has the name of the file.
  const isFile = statSync(path, { throwIfNoEntry: false })?.isFile();
  const text = isFile ? readFileSync(path, 'utf8') : '';
  const [, names = ''] = /"rename\w*"\s*:\s*(\[[^\]]*|"[^"]*")/i.exec(text) ?? [];
  const texts = Array.from(names.matchAll(/"([^"]*)"/g), ([, former = '']) => former);
  return texts.filter((former) => ComponentName.safeParse(former).success);
}

/**
 * Finds the newest commit in which a file has a usable definition.
 * - `file`: the component's name in that commit
 * - `more`: JSON keys of the present definition, which replace the same keys of the definition in that commit
 */
function findUsableFile(
  root: string,
  settings: Settings,
  former: Former,
  { name, file: nameThen, more }: { name: string; file: string; more: object },
  signal: AbortSignal,
) {
  const file = `components/${name}.json`;
  const paths = [`components/${nameThen}.json`, 'site/site.json'];
  return findCommit(root, signal, paths, (definitionText, settingsText) => {
    // The definition is read with the `defaults` of the same commit.
    const { defaults } = Settings.parse(parseJson(settingsText, 'site/site.json'));
    const own = parseJson(definitionText, file) as object;
    const usual = fillDefaults(nameThen, defaults);
    const written: Written = { own: { ...usual, ...own, ...more }, defaults };
    const read = readDefinitions(root, settings, new Map(former).set(name, written));
    const definition = read.definitions.get(name);
    const isUsable =
      definition !== undefined &&
      !read.problems.some(({ subject }) => subject === file) &&
      findUnadmitted(root, name, definition).length === 0;
    return isUsable ? written : undefined;
  });
}
