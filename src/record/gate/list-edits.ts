import { isDeepStrictEqual } from 'node:util';
import type { DefinitionEdit } from './rules/component-change.ts';
import { sha256 } from '../../io/files/sha256.ts';
import { wholeDefinition, type Defaults, type FullDefinition } from '../read-definition.ts';

/** A hand-written definition and the defaults, at one time. */
interface WrittenState {
  readonly written: unknown;
  readonly defaults: Defaults;
}

/** The edits between two states: of the definition, and of each default. Each has the new definition without it. */
export function listEdits(
  name: string,
  commit: string,
  before: WrittenState,
  after: WrittenState,
): DefinitionEdit[] {
  const whole = complete(name, after);
  const edits: DefinitionEdit[] = [];
  const file = `components/${name}.json`;

  if (!isDeepStrictEqual(before.written, after.written)) {
    const without = complete(name, { ...after, written: before.written });
    edits.push(...editOf(file, file, commit, after.written, without));
  }

  for (const key of editedKeys(before.defaults, after.defaults)) {
    const cause = `site/site.json#defaults.${key}`;
    const { [key]: value, ...others } = after.defaults;
    const earlier = before.defaults[key];
    const defaults = earlier === undefined ? others : { ...others, [key]: earlier };
    const without = complete(name, { ...after, defaults });
    if (!isDeepStrictEqual(without, whole)) {
      edits.push(...editOf(cause, cause, commit, value, without));
    }
  }

  return edits;
}

/** The definition with inherited values; undefined if it is invalid. */
export function complete(
  name: string,
  { written, defaults }: WrittenState,
): FullDefinition | undefined {
  return wholeDefinition(name, defaults).safeParse(written).data;
}

function editedKeys(before: Defaults, after: Defaults): string[] {
  const keys = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...keys].filter((key) => !isDeepStrictEqual(before[key], after[key]));
}

function editOf(
  place: string,
  cause: string,
  commit: string,
  value: unknown,
  without: FullDefinition | undefined,
): DefinitionEdit[] {
  const digest = sha256(JSON.stringify([place, commit, value])).slice(0, 10);
  return without ? [{ id: `${place}@${digest}`, cause, without }] : [];
}
