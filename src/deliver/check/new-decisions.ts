import { fileProblem, isError, type Finding } from '../../core/schemas/finding.ts';
import type { Decision } from '../../core/schemas/recorded/held.ts';
import { listed } from '../../core/text/text.ts';
import { readDecisions, readHeld } from '../../io/files/held-file.ts';
import type { Lines } from '../../io/files/journal-files.ts';
import type { ReadResult } from '../../io/files/read-documents.ts';
import type { Root } from '../../io/files/root.ts';
import { readLastGood } from '../../record/gate/last-good.ts';
import { rejectedLists } from '../../record/gate/rejected-lists.ts';

/** The effects of lines that people added, in sentences, and an error for each that accepts an id that does not wait. */
export function describeNewDecisions(
  before: Root,
  after: Root,
  env: NodeJS.ProcessEnv,
): { texts: string[]; findings: Finding[] } {
  const decisions = addedLines(readDecisions(before), readDecisions(after));
  const waiting = reasonsOf(before);
  const findings = [...decisions.findings];

  const texts = decisions.added.map((decision) => {
    const isStart = decision.id === 'history';
    const isOpen = isStart ? isNeeded(decision, before, env) : waiting.has(decision.id);
    if (!isOpen) {
      const message = `accepts ${decision.id}, but no change with this id waits. Remove the line`;
      findings.push(fileProblem('data/decisions.ndjson', message));
    }

    return isStart
      ? describeStart(decision)
      : `accepts ${decision.id}: ${waiting.get(decision.id) ?? 'nothing that waits now'} (${decision.by})`;
  });

  return { texts, findings };
}

function addedLines(
  before: ReadResult<Lines<Decision>>,
  after: ReadResult<Lines<Decision>>,
): { added: Decision[]; findings: Finding[] } {
  const formerCount = before.value?.values.length ?? 0;

  return {
    added: after.value?.values.slice(formerCount) ?? [],
    findings: after.findings.filter(isError),
  };
}

/** Why each id waits. */
function reasonsOf(root: Root): ReadonlyMap<string, string> {
  const waiting = [...(readHeld(root).value?.held ?? []), ...rejectedLists(root)];
  return new Map(
    waiting.map(({ id, causes, reason }) => [id, `${listed(causes, 3)}: ${reason}`] as const),
  );
}

/** Lost events are known to the live site alone, so a person has to look at them. */
function isNeeded({ published }: Decision, before: Root, env: NodeJS.ProcessEnv): boolean {
  return published !== undefined || readLastGood(before, env).findings.some(isError);
}

function describeStart({ commit, by, published = {} }: Decision): string {
  const ids = Object.entries(published).map(([component, id]) => `${component}/${id}`);
  const lost = ids.length === 0 ? '' : `; gives up lost events up to ${ids.join(', ')}`;

  return `accepts history: starts from ${commit?.slice(0, 10)}${lost} (${by})`;
}
