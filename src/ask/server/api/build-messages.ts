import { pick } from '../../../core/model/objects.ts';
import type { Run } from '../../../core/schemas/recorded/runs.ts';
import { quote } from '../../../core/text/foreign-text.ts';
import { findAvailableAt, type Publications } from '../../history/run-publications.ts';
import { describeOutcome } from '../../search/select-runs.ts';
import { describeBuildTool } from './builds.ts';
import type { Message } from './event-stream.ts';
import { createRequestError } from './read-request.ts';

/** The message about a run, with its id. */
export function createBuildMessage(run: Run, publications: Publications): Message {
  const tool = describeBuildTool(run);
  const data = {
    buildId: run.id,
    timestamp: findAvailableAt(publications, run.at),
    toolType: tool.type,
    toolVersion: tool.version,
    agentVersion: run.program,
  };
  return { id: run.id, event: 'Build', data };
}

/**
 * The messages of a run after the message `lastId`; all of them without it. First its own message, which has the id of the run, then
 * those of its events. Throws a `QuestionError` if no message has that id.
 */
export function listMessages(run: Run, publications: Publications, lastId: string | undefined) {
  const messages: (Message & { readonly eventType?: string })[] = [
    createBuildMessage(run, publications),
  ];
  for (const [index, data] of listBuildEvents(run).entries()) {
    const { eventType } = data.type;
    messages.push({ id: String(index + 1), event: 'BuildEvent', data, eventType });
  }

  const last = messages.findIndex(({ id }) => id === lastId);
  if (lastId !== undefined && last === -1) {
    throw createRequestError(404, `The build ${run.id} has no event ${quote(lastId)}.`);
  }

  return messages.slice(last + 1);
}

/** Prefix of the options of a run that exclude a part of its work. */
const skip = '--skip-';

/** The events of the build, in the order of the specification. */
function listBuildEvents(run: Run) {
  const {
    requested,
    asked,
    answered = 0,
    troubles = [],
    waits = [],
    events: recordedEvents,
    commit,
  } = run;
  const skipped = requested.filter((task) => task.startsWith(skip));
  const tasks = {
    requested: requested.filter((task) => !skipped.includes(task)),
    excluded: skipped.map((task) => task.slice(skip.length)),
  };
  const failures = troubles.map(({ kind: _, at = run.at, ...trouble }) =>
    createEvent(at, 'SourceFailed', trouble),
  );
  const heldChanges = waits.map((wait) =>
    createEvent(run.at, 'ChangeHeld', pick(wait, ['id', 'component', 'since', 'causes', 'reason'])),
  );
  const result = { outcome: describeOutcome(run), asked, answered, events: recordedEvents, commit };

  return [
    createEvent(run.startedAt, 'BuildStarted', {}),
    createEvent(run.startedAt, 'BuildRequestedTasks', tasks),
    ...failures.sort((a, b) => a.timestamp - b.timestamp),
    ...heldChanges,
    createEvent(run.finishedAt, 'BuildFinished', result),
  ];
}

function createEvent(at: string, eventType: string, data: object) {
  return {
    timestamp: Date.parse(at),
    type: { majorVersion: 1, minorVersion: 0, eventType },
    data,
  };
}
