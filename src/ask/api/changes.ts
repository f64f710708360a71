import { EventType } from '../../core/schemas/journal.ts';
import { findRelease } from '../find-release.ts';
import type { PublishedChange } from '../../core/schemas/published/changes-file.ts';
import { entriesFrom, isAbout } from '../recorded-years.ts';
import { requireComponent } from '../resolve.ts';
import {
  defineEndpoint,
  inQuery,
  nothingNew,
  parameters,
  problemAnswer as problem,
  type DescribedResponse,
  type ApiCall,
  type Endpoint,
  type ParameterValues,
} from './endpoint.ts';
import { streamEntries, streamMessages, type Message, type Streamed } from './event-stream.ts';
import { readStated } from './read-request.ts';
import { ProblemError } from './respond.ts';

const { component, version, date, stream, lastEventId } = parameters;

const id = inQuery('id', 1000, {
  isRequired: true,
  description: 'The id of a change, percent-encoded.',
  expected: 'the id of a change, as in changes.json',
  pattern: String.raw`\S`,
  example: '{change}',
});

const components = inQuery('component', 2000, {
  isList: true,
  description:
    'Only changes of these components: names separated by commas or in repeated parameters.',
  expected: 'names of components',
  example: '{component}',
});

const listOfTypes = {
  isList: true,
  expected: `types of changes: ${EventType.options.join(', ')}`,
} as const;

const eventTypes = inQuery('eventTypes', 1000, {
  ...listOfTypes,
  description: `Only changes of these types, separated by commas or in repeated parameters: ${EventType.options.join(', ')}.`,
  example: 'deprecated,restored',
});

const types = inQuery('types', 1000, { ...listOfTypes, description: 'The same as eventTypes.' });

const events: DescribedResponse = {
  description:
    'Server-Sent Events, oldest first: each has an id, the event "Change", and as data an entry of changes/<year>.json.',
  mediaType: 'text/event-stream',
};

export const changeEndpoints: readonly Endpoint[] = [
  defineEndpoint({
    name: 'changes-since',
    path: '/export/v1/changes/since/{date}',
    summary: 'Every change since an instant, as Server-Sent Events.',
    description:
      'The answer ends with the newest change. With the parameter stream, it stays open for some minutes; then the client reconnects with Last-Event-ID.',
    parameters: [date, components, eventTypes, types, stream, lastEventId],
    answers: {
      200: events,
      204: nothingNew,
      404: problem('There is no change with the Last-Event-ID, or no such component.'),
    },
    example: '/export/v1/changes/since/2026-01-31',
    handle: async (question) =>
      streamEntries(question, await streamedChanges(question), { date: question.stated.date }),
  }),
  defineEndpoint({
    name: 'changes-since-change',
    path: '/export/v1/changes/sinceChange',
    summary: 'Every change after a change, as Server-Sent Events.',
    description:
      'Works like the changes since an instant. Changes are never removed, so an unknown id is from another index.',
    parameters: [id, components, eventTypes, types, stream, lastEventId],
    answers: {
      200: events,
      204: nothingNew,
      404: problem('There is no change of this id, or no such component.'),
    },
    example: '/export/v1/changes/sinceChange?id={change}',
    handle: async (question) =>
      streamEntries(question, await streamedChanges(question), { id: question.stated.id }),
  }),
  defineEndpoint({
    name: 'release-events',
    path: '/export/v1/releases/{component}/{version}/events',
    summary: 'A release and its changes, as Server-Sent Events.',
    description:
      'First an event "Release" with the known data of the release, then its changes, oldest first.',
    parameters: [component, version, eventTypes, types],
    answers: { 200: events, 404: problem('There is no such component or release.') },
    example: '/export/v1/releases/{component}/{version}/events',
    async handle(question) {
      const { stated, index } = question;
      const name = stated.component;
      const details = await requireComponent(index, name);
      const release = findRelease(details.releases, stated.version);
      if (!release) {
        throw new ProblemError(404, `${name} has no release ${JSON.stringify(stated['version'])}.`);
      }
      const wantedTypes = typesIn(stated);
      const messages = async function* (): AsyncGenerator<Message> {
        yield {
          id: `${details.component}@${release.version}`,
          event: 'Release',
          data: { component: details.component, ...release },
        };
        for await (const change of entriesFrom(index.recordedChanges, 0)) {
          if (
            change.version === release.version &&
            [name, details.component].some((each) => isAbout(change, each)) &&
            (wantedTypes?.includes(change.type) ?? true)
          ) {
            yield messageOf(change);
          }
        }
      };
      return streamMessages(question, messages());
    },
  }),
];

async function streamedChanges({ index, stated }: ApiCall): Promise<Streamed<PublishedChange>> {
  const wantedTypes = typesIn(stated);
  const asked = stated['component']?.split(',').map(async (name) => {
    const { component } = await requireComponent(index, name);
    return [name, component];
  });
  const names = asked && (await Promise.all(asked)).flat();
  const isWanted = (change: PublishedChange) =>
    (names?.some((name) => isAbout(change, name)) ?? true) &&
    (wantedTypes?.includes(change.type) ?? true);
  return {
    recorded: index.recordedChanges,
    messageOf: (change) => (isWanted(change) ? messageOf(change) : undefined),
    noun: 'change',
    all: '/export/v1/changes/since/0',
  };
}

function messageOf(change: PublishedChange): Message {
  return { id: change.id, event: 'Change', data: change };
}

/** The requested types; undefined for all. Throws a `ProblemError` for an unknown type. */
function typesIn(stated: ParameterValues): readonly string[] | undefined {
  const known: readonly string[] = EventType.options;
  const lists = [eventTypes, types].map((parameter) =>
    readStated(parameter, stated, (text) => {
      const named = text.split(',').filter((type) => type !== '');
      return named.length > 0 && named.every((type) => known.includes(type)) ? named : undefined;
    }),
  );
  return lists.every((list) => list === undefined)
    ? undefined
    : lists.flatMap((list) => list ?? []);
}
