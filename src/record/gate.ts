import { rmSync } from 'node:fs';
import type { Day } from '../core/dates.ts';
import { fileProblem, InputError, type Finding } from '../core/schemas/finding.ts';
import { freshnessAsOf, RecordedFreshness } from '../core/schemas/freshness.ts';
import type { Decision, Held } from '../core/schemas/held.ts';
import { RecordedData } from '../core/schemas/recorded.ts';
import { pick, sentence } from '../core/text.ts';
import { applyGate, type Edit, type Gated, type GatedComponent } from '../decide/gate/gate.ts';
import { GitError } from '../io/files/git.ts';
import { readHeld, decisionsPath, heldPath, readDecisions } from '../io/files/held.ts';
import { lastAskedOn, readJournal } from '../io/files/journal.ts';
import { lock } from '../io/files/lock.ts';
import { readFreshness, readRecordedData } from '../io/files/read.ts';
import { listComponents, recordedPath, type Root } from '../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../io/files/save.ts';
import { sha256 } from '../io/files/sha256.ts';
import { readCounted, type CountedFiles } from './counted.ts';
import { findEdits, type Edits } from './edits.ts';
import { inRecordedForm, isWhole } from './gather/recorded-release.ts';
import { saveLines } from './record-journal.ts';

export interface GateOptions {
  root: Root;
  env: NodeJS.ProcessEnv;
  day: Day;
  /** The components whose sources this run asked. */
  asked?: ReadonlySet<string>;
  now: () => Date;
}

const configFile = 'site/site.json';

/**
 * Compares definitions and data with the last run. Reverts held data in its file, and lists held edits in `data/held.json`. Each
 * held change has a finding.
 */
export async function runGate(
  options: GateOptions,
): Promise<{ held: readonly Held[]; edits: readonly Edit[]; findings: Finding[] }> {
  const release = await lock(options.root, 'data');
  try {
    const { gated, edits, findings } = judgeChanges(options);
    if (gated) {
      saveGated(options, gated);
    }
    const held = gated?.held ?? readHeld(options.root).value?.held ?? [];
    return {
      held,
      edits: edits?.taken(held) ?? [],
      findings: [...findings, ...held.map(heldFinding)],
    };
  } finally {
    release();
  }
}

/** The decisions of the gate without writing files. */
export function judgeChanges({ root, env, day, asked }: Omit<GateOptions, 'now'>): {
  gated?: Gated;
  edits?: Edits;
  findings: Finding[];
} {
  const { counted, findings } = readCounted(root, env);
  const held = readHeld(root);
  const decisions = readDecisions(root);
  findings.push(...held.findings, ...decisions.findings);
  if (!held.value || !decisions.value) {
    throw new InputError(findings);
  }
  if (!counted) {
    return { findings };
  }
  const known = held.value.held;
  const edits = findEditsOf(root, counted, known);
  const { names } = listComponents(root);
  // A component with unusable files is not judged: its held changes stay held.
  const unjudged = known.filter(({ components }) =>
    components.every((name) => root.damaged?.has(name)),
  );
  const gated = applyGate({
    day,
    held: known,
    decisions: decisions.value.values,
    components: names.flatMap(
      (name) =>
        readGated(root, name, counted, known, edits, asked?.has(name) ? day : undefined) ?? [],
    ),
    ...pick(edits, ['edits', 'definitionOf']),
    digest: (text) => sha256(text).slice(0, 10),
  });
  return { gated: { ...gated, held: [...gated.held, ...unjudged] }, edits, findings };
}

/** Rejects the run if the file before a held edit cannot be read. */
function findEditsOf(root: Root, counted: CountedFiles, held: readonly Held[]): Edits {
  try {
    return findEdits(root, counted, held);
  } catch (error) {
    if (!(error instanceof GitError)) {
      throw error;
    }
    const message = `${error.message}. Nothing was recorded. Restore the file from git`;
    throw new InputError([fileProblem('data/held.json', message)]);
  }
}

export function heldFinding({ id, cause, key, components, reason }: Held): Finding {
  const what = key !== undefined && cause === configFile ? `${cause}: defaults.${key}` : cause;
  const where = cause.startsWith('components/') ? '' : ` of ${components.slice(0, 5).join(', ')}`;
  const message = `held: ${sentence(reason)} The previous state stays in use. If the change is right: npx release-index accept ${id}`;
  return fileProblem(`${what}${where}`, message, 'warning');
}

/** Undefined if the component is unchanged or has unusable files. */
function readGated(
  root: Root,
  name: string,
  counted: CountedFiles,
  held: readonly Held[],
  edits: Edits,
  askedOn: Day | undefined,
): GatedComponent | undefined {
  const file = `data/${name}.json`;
  const ofHeld = held.filter(({ components }) => components.includes(name));
  const isChanged = counted.isChanged(file);
  if (!isChanged && !edits.isEdited(name) && ofHeld.length === 0) {
    return undefined;
  }
  const after = readRecordedData(root, name).value;
  const freshness = readFreshness(root, name, askedOn).value;
  const former = edits.formerNames(name);
  const journal = [name, ...former]
    .map((one) => readJournal(root, one).value?.values ?? [])
    .find((events) => events.length > 0);
  const nameThen =
    [name, ...former].find((one) => counted.read(`data/${one}.json`) !== undefined) ?? name;
  const before = isChanged ? counted.find(`data/${nameThen}.json`, RecordedData)?.value : after;
  if (!after || !freshness || !before) {
    return undefined;
  }
  const { value: recorded = { sources: {} } } =
    counted.find(`data/freshness/${nameThen}.json`, RecordedFreshness) ?? {};
  const earlier = freshnessAsOf(recorded, lastAskedOn(root, nameThen));
  return {
    name,
    journal: journal ?? [],
    before,
    after,
    freshness: { before: earlier, after: freshness },
    isWhole(source) {
      const waiting = ofHeld.flatMap(({ cause, versions = [] }) =>
        cause === source ? versions : [],
      );
      return isWhole(before.releases, source, earlier.sources[source], waiting);
    },
  };
}

/** Writes the accepted data, the held changes and the used decisions. */
function saveGated({ root, now }: GateOptions, { data, held, taken }: Gated): void {
  for (const [name, accepted] of data) {
    const releases = inRecordedForm(accepted.releases);
    saveIfChanged(recordedPath(root, name), formatDocument({ ...accepted, releases }));
  }
  if (held.length > 0) {
    saveIfChanged(heldPath(root), formatDocument({ held }));
  } else {
    rmSync(heldPath(root), { force: true });
  }
  const decisions = readDecisions(root).value;
  const at = now().toISOString();
  const used = taken.map(({ id, components }): Decision => ({ id, at, components }));
  if (decisions && used.length > 0) {
    saveLines(decisionsPath(root), decisions, used);
  }
}
