import { rmSync } from 'node:fs';
import type { z } from 'zod';
import type { Day } from '../../core/dates.ts';
import { fileProblem, warning, type Finding } from '../../core/schemas/finding.ts';
import { SiteConfig } from '../../core/schemas/site-config.ts';
import { counted, listed } from '../../core/text.ts';
import type { Component } from '../../decide/component.ts';
import { foldJournal, type JournalState } from '../../decide/journal/fold-journal.ts';
import type { JudgedRelease } from '../../decide/judge.ts';
import { parseDocument } from '../../io/files/documents.ts';
import { askGit, entriesOf, GitError, headOf, openGit } from '../../io/files/git.ts';
import { listRuns } from '../../io/files/journal.ts';
import { heldPath, listComponents, type Root } from '../../io/files/root.ts';
import { readSiteConfig } from '../../io/files/read.ts';
import { formatDocument, saveIfChanged } from '../../io/files/save.ts';
import { readEditedDefinition, readHeldEdit, wholeDefinition } from '../../record/definition.ts';
import type { Definition } from '../../record/definition.ts';
import { loadComponent } from '../../site/load-component.ts';

/** A change of its defaults is an edit of each definition that inherits them. */
const configFile = 'site/site.json';

/** An edit may deprecate less than this part of the supported releases before a person is asked, as an upstream may. */
const toleratedPart = 1 / 5;

interface EditInput {
  root: Root;
  env: NodeJS.ProcessEnv;
  day: Day;
}

/** A definition that was edited since the last run, with the one that counted then. */
interface Edit {
  name: string;
  before: Definition;
  /** Why it waits; undefined where it does not have to. */
  reason: string | undefined;
  /** The first day on which it waited. */
  since: Day;
  isHeld: boolean;
}

/**
 * The edits of definitions since the last run, or since the one before an edit that waits. Both definitions are judged with
 * the same data as of the same day, so that neither time nor upstream counts as an edit; nor do events of the journal.
 */
export function findEdits(input: EditInput): { edits: Edit[]; findings: Finding[] } {
  const { root, day } = input;
  const { committed, findings } = readCommitted(input);
  const edits = listComponents(root).names.flatMap((name): Edit | [] => {
    const held = readHeldEdit(root, name)?.value;
    const before = held?.definition ?? committed(name);
    const definition = before && readEditedDefinition(root, name).value;
    if (!before || !definition) return [];
    const [was, now] = [before, definition].map(
      (value) =>
        loadComponent(root, name, day, { definition: { value, findings: [], inherited: [] } }).component,
    );
    if (!was || !now) return [];
    const reason = lossOf(was, now, foldJournal(was.journal));
    return { name, before, reason, since: held?.since ?? day, isHeld: held !== undefined };
  });
  return { edits, findings };
}

/** Keeps what counted before an edit that waits, and lets go of what no longer waits, or is accepted. */
export function holdEdits(input: EditInput, isAccepted: (component: string) => boolean): Finding[] {
  const { edits, findings } = findEdits(input);
  for (const { name, before, reason, since, isHeld } of edits) {
    const path = heldPath(input.root, name);
    if (reason === undefined || isAccepted(name)) {
      if (isHeld) rmSync(path);
    } else {
      saveIfChanged(path, formatDocument({ since, reason, definition: before }));
      findings.push(heldFinding(name, reason));
    }
  }
  return findings;
}

export function heldFinding(name: string, reason: string): Finding {
  const file = `components/${name}.json`;
  const message = `an edit waits: ${reason}. The definition before it counts until then. To accept it: --accept`;
  return fileProblem(file, message, 'warning');
}

/** The loss of readers that makes an edit wait; undefined where it is small. */
function lossOf(was: Component, now: Component, { versions }: JournalState): string | undefined {
  const isTold = ({ version }: JudgedRelease) => versions.get(version)?.verdict !== undefined;
  const after = new Map(now.judgement.releases.map((release) => [release.version, release]));
  const supported = was.judgement.releases.filter((one) => !one.isDeprecated && one.isSupported !== false);
  const lost = supported.filter((one) => after.get(one.version)?.isDeprecated && !isTold(one));
  const { latest } = was.judgement;
  const isLatestLost =
    latest !== undefined && !now.judgement.latest && versions.has(latest.version) && !isTold(latest);
  const isMuch = lost.length > 0 && versions.size > 0 && lost.length >= supported.length * toleratedPart;
  if (!isMuch && !isLatestLost) return undefined;
  const names = lost.map(({ version }) => version);
  const of = `${lost.length} of ${counted(supported.length, 'supported release')}`;
  const much = isMuch ? `it deprecates ${of} (${listed(names, 5)})` : 'it changes which releases count';
  return isLatestLost ? `${much}, and no latest release is left in place of ${latest.version}` : much;
}

/** Reads definitions as of the commit of the last run; of those alone that may differ from it. */
function readCommitted({ root, env }: EditInput) {
  const nothing = { committed: (): Definition | undefined => undefined, findings: [] as Finding[] };
  const commit = listRuns(root).runs.findLast((run) => run.commit !== undefined)?.commit;
  if (commit === undefined || headOf(root.dir, env) === undefined) return nothing;
  const git = openGit(root.dir, env);
  try {
    // A workflow checks out the last commit alone.
    if (askGit(git, 'cat-file', '-e', `${commit}^{commit}`) === undefined)
      git(['fetch', '--quiet', '--depth=1', 'origin', commit]);
    const paths = ['components', configFile];
    const changed = new Set(
      entriesOf(git(['diff', '--name-only', '--relative', '-z', commit, '--', ...paths])),
    );
    const read = <T>(file: string, schema: z.ZodType<T>): T | undefined => {
      const [entry] = entriesOf(git(['ls-tree', '-z', commit, '--', file]));
      if (entry === undefined) return undefined;
      return parseDocument(Buffer.from(git(['show', `${commit}:./${file}`])), file, schema).value;
    };
    const now = readSiteConfig(root).value;
    const config = changed.has(configFile) ? read(configFile, SiteConfig) : now;
    const isOther = JSON.stringify(config?.defaults) !== JSON.stringify(now?.defaults);
    const committed = (name: string): Definition | undefined => {
      const file = `components/${name}.json`;
      return changed.has(file) || isOther ? read(file, wholeDefinition(name, config)) : undefined;
    };
    return { ...nothing, committed };
  } catch (error) {
    if (!(error instanceof GitError)) throw error;
    const message = `edits cannot be compared with the definitions of the last run: ${error.message}`;
    return { ...nothing, findings: [warning('components', message)] };
  }
}
