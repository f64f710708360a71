/** What waits for a person: in words, as findings, and in `data/held.json`. */
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Day } from '../core/model/dates.ts';
import type { NonEmpty } from '../core/model/objects.ts';
import { fileProblem, warning, type Finding } from '../core/schemas/finding.ts';
import type { HeldChange, HeldFile } from '../core/schemas/recorded/waits.ts';
import { toLine } from '../core/text/foreign-text.ts';
import { endSentence, formatList } from '../core/text/wording.ts';
import { lostEvents } from '../deliver/publish/lost-events.ts';
import { readHeld } from '../io/files/recorded-files.ts';
import { heldFile, type Root } from '../io/files/root.ts';
import { formatDocument, saveIfChanged } from '../io/files/save.ts';
import { cutHistory } from '../record/gate/last-run.ts';
import {
  createDecisionId,
  formatAcceptCommand,
  formatRestoreCommand,
  hasGoodCommit,
  type WaitingChange,
} from '../record/gate/rules/waiting-change.ts';

/** A waiting change for people, with the command that ends the wait, or that lists the problems to correct. */
export function toHeldChange({ items, versions: _, ...wait }: WaitingChange): HeldChange {
  const { id, kind } = wait;
  return {
    ...wait,
    losses: items.length,
    examples: items.slice(0, 5).map((item) => toLine(item)),
    command: kind === 'files' ? chooseRestoreCommand(wait) : formatAcceptCommand(id),
  };
}

/**
 * The command that restores damaged files, or that lists their problems where no commit has them. Definition and data may come from
 * different commits.
 */
function chooseRestoreCommand({
  causes,
  commit,
  dataCommit,
}: Omit<WaitingChange, 'items'>): string {
  const byCommit = Map.groupBy(causes, (file) => (file.startsWith('data/') ? dataCommit : commit));
  if (byCommit.has(undefined)) {
    return 'npx release-index check';
  }

  const commands = Array.from(byCommit, ([source, files]) => formatRestoreCommand(source!, files));
  return commands.join(' && ');
}

/** The held changes in groups that a person decides on together: an edited default may hold many components. */
export function groupByDecision(held: readonly HeldChange[]): NonEmpty<HeldChange>[] {
  const groups = Map.groupBy(held, ({ id, kind, causes }) =>
    kind === 'change' ? JSON.stringify(causes) : id,
  );
  return [...groups.values()];
}

/** A finding for each decision, and for the damaged files of each component. */
export function listHeldFindings(held: readonly HeldChange[]): Finding[] {
  return groupByDecision(held).map((group) => {
    const [first] = group;
    const files = formatList(first.causes, 3);
    if (first.kind === 'files') {
      return { ...fileProblem(first.causes[0]!, describeDamage(first)), subject: files };
    }

    const components = group.map(({ component }) => component);
    return warning(
      `${formatList(components, 5)} (${files})`,
      `waits: ${describeReasons(group)} ${adviseOnDecision(group)}`,
    );
  });
}

/** The damage of files, the state of their component until it is mended, and the remedy. */
function describeDamage(change: HeldChange): string {
  const state = hasGoodCommit(change) ? 'stays as it was published last' : 'is not published';
  return `${endSentence(change.reason)} ${change.component} ${state} until this is right. ${adviseOnRepair(change)}`;
}

const maxReasons = 5;

/** The reasons of changes with one cause: a person who accepts them together sees the loss of each component. */
export function describeReasons(group: NonEmpty<HeldChange>): string {
  const [{ reason: firstReason }] = group;
  if (group.every(({ reason }) => reason === firstReason)) {
    return endSentence(firstReason);
  }

  const parts = group
    .slice(0, maxReasons)
    .map(({ component, reason }) => `${component}: ${reason}`);
  if (group.length > maxReasons) {
    parts.push(`and ${group.length - maxReasons} more in data/held.json`);
  }

  return endSentence(parts.join('; '));
}

/** The command that accepts changes together. */
export function adviseOnDecision(group: NonEmpty<HeldChange>): string {
  const ids = group.map(({ id }) => id);
  return `If this is right: ${formatAcceptCommand(...ids)}`;
}

/** The remedy for damaged files. */
export function adviseOnRepair(change: HeldChange): string {
  return hasGoodCommit(change)
    ? `Correct it, or restore it: ${change.command}`
    : `Correct it. All problems: ${change.command}`;
}

/** The stops of the whole index, by the kinds of their findings. */
const stops = new Map<string | undefined, { kind: 'publication' | 'history'; cause: string }>([
  [lostEvents, { kind: 'publication', cause: 'live site' }],
  [cutHistory, { kind: 'history', cause: 'data/runs' }],
]);

/**
 * Adds the stop among findings, if any, to the held changes, in place of an earlier one. No run records it, so it is only in this
 * file. The decision that lets it through is always `history`.
 */
export function saveStop(root: Root, day: Day, findings: readonly Finding[]): void {
  const finding = findings.find((candidate) => stops.has(candidate.kind));
  if (!finding) {
    return;
  }

  const { kind, cause } = stops.get(finding.kind)!;
  const id = createDecisionId(kind, finding.message);
  const { held: entries = [] } = readHeld(root).value ?? {};
  const changes = entries.filter(({ component }) => component !== undefined);
  const { since = day } = entries.find((entry) => entry.id === id) ?? {};
  const reason = toLine(finding.message);
  const command = formatAcceptCommand('history');
  const stop = { id, kind, since, causes: [cause], reason, losses: 1, examples: [reason], command };
  saveHeld(root, [...changes, stop]);
}

/** Without held changes, there is no file. */
export function saveHeld(root: Root, held: Readonly<HeldFile['held']>): void {
  if (held.length > 0) {
    saveIfChanged(join(root.dir, heldFile), formatDocument({ held }));
  } else {
    rmSync(join(root.dir, heldFile), { force: true });
  }
}
