import { EventType } from '../../core/schemas/journal.ts';
import { findRelease } from '../judge-version.ts';
import { isAbout, isWanted, type ChangeFilter } from '../published-changes.ts';
import type { PublishedChange } from '../published-index.ts';
import { entriesFrom } from '../recorded-years.ts';
import { requireComponent } from '../resolve.ts';
import type { Question } from './endpoint.ts';
import {
  afterKnown,
  readFirstInstant,
  streamEntries,
  streamMessages,
  type Message,
  type Streamed,
} from './event-stream.ts';
import { parameters } from './parameters.ts';
import { readStated } from './read-parameters.ts';
import { ProblemError } from './respond.ts';

/** `GET /export/v1/changes/since/{date}`. */
export async function answerChangesSince(question: Question): Promise<Response> {
  const streamed = streamedChanges(question);
  return streamEntries(question, streamed, entriesFrom(streamed.recorded, readFirstInstant(question)));
}

/** `GET /export/v1/changes/sinceChange`. */
export async function answerChangesSinceChange(question: Question): Promise<Response> {
  const streamed = streamedChanges(question);
  return streamEntries(question, streamed, await afterKnown(streamed, question.stated['id']!));
}

/** `GET /export/v1/releases/{component}/{version}/events`. */
export async function answerReleaseEvents(question: Question): Promise<Response> {
  const { stated, index } = question;
  const [component, version] = [stated['component']!, stated['version']!];
  const details = await requireComponent(index, component);
  const release = findRelease(details.releases, version);
  if (!release) throw new ProblemError(404, `${component} has no release ${JSON.stringify(version)}.`);
  const { types } = filterOf(stated);
  const messages = async function* (): AsyncGenerator<Message> {
    yield { event: 'Release', data: { component: details.component, ...release } };
    for await (const change of entriesFrom(index.recordedChanges, 0))
      if (
        change.version === release.version &&
        (isAbout(change, component) || isAbout(change, details.component)) &&
        isWanted(change, { types })
      )
        yield messageOf(change);
  };
  return streamMessages(question, messages());
}

function streamedChanges({ index, stated }: Question): Streamed<PublishedChange> {
  const filter = filterOf(stated);
  return {
    recorded: index.recordedChanges,
    messageOf: (change) => (isWanted(change, filter) ? messageOf(change) : undefined),
    thing: 'change',
    all: '/export/v1/changes/since/0',
  };
}

function messageOf(change: PublishedChange): Message {
  return { id: change.id, event: 'Change', data: change };
}

function filterOf(stated: Question['stated']): ChangeFilter {
  const words = (text: string) => text.split(',').filter((word) => word !== '');
  const known: readonly string[] = EventType.options;
  return {
    components: stated['component'] === undefined ? undefined : words(stated['component']),
    types: readStated(parameters.types, stated, (text) => {
      const types = words(text);
      return types.length > 0 && types.every((type) => known.includes(type)) ? types : undefined;
    }),
  };
}
