import { isVersion } from '../texts/read-line.ts';
import type { Candidate, IndexNames } from './match-names.ts';
import { findNamed, removeFillers, splitEnding } from './question-words.ts';

/** The words between two components that go together. Bars replace what was read. */
const togetherForm =
  /\b(?:with|together|compatible|fits?|goes|works?)\b|\bfor (?:the )?(?=\||v?\d)/gi;

/** The components that go together in a text; empty if it does not ask that. */
export function readPair(
  text: string,
  unreadText: string,
  candidates: readonly Candidate[],
  names: IndexNames,
): readonly Candidate[] {
  const joints = [...unreadText.matchAll(togetherForm)];
  if (joints.length === 0) {
    return [];
  }
  if (candidates.length > 1) {
    return candidates;
  }

  const sides = readSides(text, joints, names);
  return sides.length > 0 ? sides : candidates;
}

/**
 * The sides with exact or similar names, of which one at least has a version. In this order: without a version, with a version,
 * only a version, whose name is then empty.
 */
function readSides(
  text: string,
  joints: readonly RegExpExecArray[],
  names: IndexNames,
): Candidate[] {
  const sides: Candidate[] = [];
  let start = 0;

  for (const { 0: joint, index } of [...joints, { 0: '', index: text.length }]) {
    const side = readSide(removeFillers(text.slice(start, index)), names);
    if (side) {
      sides.push(side);
    }

    start = index + joint.length;
  }

  sides.sort((a, b) => rankSide(a) - rankSide(b));
  const isPair = new Set(sides.map(({ name }) => name)).size > 1;
  return isPair && sides.at(-1)?.version !== undefined ? sides : [];
}

/** Sides without a version come first, and a version without a name comes last. */
function rankSide({ name, version }: Candidate): number {
  if (version === undefined) {
    return 0;
  }

  return name === '' ? 2 : 1;
}

function readSide(text: string, names: IndexNames): Candidate | undefined {
  const { name, version } = splitEnding(text);
  if (name === '' && version !== undefined && isVersion(version)) {
    return { name: '', reason: 'words', version };
  }

  const [side, another] = findNamed(name, names);
  // Without a version, nothing tells two components apart that match equally well.
  const isUnclear = version === undefined && side?.reason === another?.reason;
  return side && !isUnclear ? { ...side, version } : undefined;
}
