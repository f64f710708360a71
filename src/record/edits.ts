import { isDeepStrictEqual } from 'node:util';
import * as z from 'zod';
import type { Held } from '../core/schemas/held.ts';
import { defined } from '../core/text.ts';
import type { Edit, GateInput } from '../decide/gate/gate.ts';
import { editKey } from '../decide/gate/holds.ts';
import { readDocument } from '../io/files/documents.ts';
import { readSiteConfig } from '../io/files/read.ts';
import { definitionPath, listComponents, type Root } from '../io/files/root.ts';
import { sha256 } from '../io/files/sha256.ts';
import type { CountedFiles } from './counted.ts';
import { readInstead, wholeDefinition, WrittenDefinition, type Definition } from './definition.ts';

type IsHeld = (edit: string) => boolean;
type Defaults = Readonly<Record<string, unknown>>;

const configFile = 'site/site.json';

export interface Edits extends Pick<GateInput, 'edits' | 'definitionOf'> {
  isEdited(name: string): boolean;
  /** The edits that are not held, in order. */
  taken(held: readonly Held[]): Edit[];
  /** Earlier names of a component, latest first. */
  formerNames(name: string): readonly string[];
}

/**
 * The edits since the last run: of each default, which several components may inherit, and of each definition. For a held edit,
 * the file before the edit is valid.
 */
export function findEdits(root: Root, counted: CountedFiles, held: readonly Held[]): Edits {
  const waiting = new Map(
    held.flatMap((one) => (one.instead ? [[editKey(one), one.instead] as const] : [])),
  );
  const { names } = listComponents(root);
  const written = new Map(names.map((name) => [name, readWritten(root, name)]));
  const formerNames = (name: string) =>
    ((written.get(name) as { renamedFrom?: string[] } | undefined)?.renamedFrom ?? []).toReversed();

  const findCounted = (file: string) =>
    counted.find<unknown>(file, file === configFile ? z.looseObject({}) : WrittenDefinition);
  /** The valid content of a file: before a held edit, else after the last run. */
  const readThen = (file: string, edit = file): string | undefined => {
    const instead = waiting.get(edit);
    return instead ? readInstead(root, file, instead) : findCounted(file)?.content;
  };
  const writtenThen = new Map(
    names.map((name) => {
      const file = `components/${name}.json`;
      const files = [file, ...formerNames(name).map((one) => `components/${one}.json`)];
      const isSame = !counted.isChanged(file) && !waiting.has(file);
      const content = isSame
        ? undefined
        : files.map((one) => readThen(one)).find((text) => text !== undefined);
      return [name, content === undefined ? written.get(name) : parse(content)];
    }),
  );
  const edited = names.filter(
    (name) => !isDeepStrictEqual(writtenThen.get(name), written.get(name)),
  );

  const config = readSiteConfig(root).value;
  const defaults = (config?.defaults ?? {}) as Defaults;
  const defaultsThen = counted.isChanged(configFile)
    ? defaultsIn(findCounted(configFile)?.content)
    : defaults;
  const before = (key: string): unknown => {
    const edit = `${configFile} ${key}`;
    return (waiting.has(edit) ? defaultsIn(readThen(configFile, edit)) : defaultsThen)[key];
  };
  const keys = [...new Set([...Object.keys(defaults), ...Object.keys(defaultsThen)])];
  const editedKeys = keys.filter((key) => !isDeepStrictEqual(before(key), defaults[key]));

  /** Adds inherited values: new defaults if taken, else old ones. */
  const complete = (name: string, own: unknown, isTaken: (key: string) => boolean) => {
    const valueOf = (key: string) =>
      editedKeys.includes(key) && !isTaken(key) ? before(key) : defaults[key];
    const values = defined(Object.fromEntries(keys.map((key) => [key, valueOf(key)])));
    return wholeDefinition(name, config && { ...config, defaults: values }).safeParse(own).data;
  };
  const insteadOf = (file: string, edit: string): Held['instead'] => {
    const found = findCounted(file);
    return waiting.get(edit) ?? (found && { commit: found.commit, digest: sha256(found.content) });
  };

  const idOf = (place: string, value: unknown) =>
    `${place}@${sha256(JSON.stringify([place, counted.commit, value])).slice(0, 10)}`;
  const ofDefaults = editedKeys.map((key, index) => (isHeld: IsHeld): Edit => {
    const earlier = editedKeys.slice(0, index).filter((one) => !isHeld(`${configFile} ${one}`));
    const instead = insteadOf(configFile, `${configFile} ${key}`);
    const definitions = pairsOf(names, (name, isAfter) =>
      complete(
        name,
        writtenThen.get(name),
        (one) => earlier.includes(one) || (isAfter && one === key),
      ),
    );
    const id = idOf(`${configFile}#defaults.${key}`, defaults[key]);
    return { id, cause: configFile, key, instead, definitions };
  });
  const isTakenBy = (isHeld: IsHeld) => (key: string) => !isHeld(`${configFile} ${key}`);
  const ofComponents = edited.map((name) => (isHeld: IsHeld): Edit => {
    const file = `components/${name}.json`;
    const definitions = pairsOf([name], (_, isAfter) =>
      complete(name, (isAfter ? written : writtenThen).get(name), isTakenBy(isHeld)),
    );
    return {
      id: idOf(file, written.get(name)),
      cause: file,
      instead: insteadOf(file, file),
      definitions,
    };
  });
  const edits = [...ofDefaults, ...ofComponents];
  return {
    formerNames,
    edits,
    taken(held) {
      const isHeld: IsHeld = (edit) => held.some((one) => one.instead && editKey(one) === edit);
      return edits.map((makeEdit) => makeEdit(isHeld)).filter((edit) => !isHeld(editKey(edit)));
    },
    isEdited: (name) => editedKeys.length > 0 || edited.includes(name),
    definitionOf(name, isHeld) {
      const valid = isHeld(`components/${name}.json`) ? writtenThen : written;
      return complete(name, valid.get(name), isTakenBy(isHeld));
    },
  };
}

/** Leaves out components with an unusable definition before or after the edit. */
function pairsOf(
  names: readonly string[],
  definitionOf: (name: string, isAfter: boolean) => Definition | undefined,
): Edit['definitions'] {
  return new Map(
    names.flatMap((name) => {
      const [before, after] = [definitionOf(name, false), definitionOf(name, true)];
      return before && after ? [[name, { before, after }] as const] : [];
    }),
  );
}

function readWritten(root: Root, name: string): unknown {
  return readDocument(definitionPath(root, name), `components/${name}.json`, z.unknown()).value;
}

function defaultsIn(content: string | undefined): Defaults {
  return ((content === undefined ? {} : parse(content)) as { defaults?: Defaults }).defaults ?? {};
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content) as unknown;
  } catch {
    return {};
  }
}
