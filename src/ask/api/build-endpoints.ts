import {
  answerBuildEvents,
  answerBuilds,
  answerBuildsSince,
  answerBuildsSinceBuild,
  type ExportVersion,
} from './builds.ts';
import { nothingNew, problemAnswer as problem, type Answer, type Endpoint } from './endpoint.ts';
import { parameters } from './parameters.ts';

const { date, buildId, buildEventTypes, buildsSince, maxBuilds, buildQuery, stream, lastEventId } =
  parameters;

const streamed = (description: string): Answer => ({ description, mediaType: 'text/event-stream' });

function exportOf(version: ExportVersion): readonly Endpoint[] {
  const isFirst = version === 'v1';
  const which = isFirst
    ? 'Version 1 is about builds of Gradle, and there are none: a run of the index is started by npm.'
    : 'A build is a run of this index, for its operators and auditors: no builds of the components are stored.';
  const builds = streamed(
    'Server-Sent Events with the event "Build", oldest first, each with its id: buildId, timestamp, toolType, toolVersion and agentVersion.',
  );
  return [
    {
      name: `builds-since-${version}`,
      method: 'GET',
      handle: (question) => answerBuildsSince(version, question),
      path: `/build-export/${version}/builds/since/{date}`,
      summary: 'Runs of this index since an instant, as Server-Sent Events.',
      description: `${which} The stream ends with the newest one, unless stream is asked for.`,
      parameters: [date, stream, lastEventId],
      answers: { 200: builds, 204: nothingNew, 404: problem('There is no build with the Last-Event-ID.') },
      ...(!isFirst && { example: `/build-export/${version}/builds/since/0` }),
    },
    {
      name: `builds-since-build-${version}`,
      method: 'GET',
      handle: (question) => answerBuildsSinceBuild(version, question),
      path: `/build-export/${version}/builds/sinceBuild/{buildId}`,
      summary: 'Runs of this index after one, as Server-Sent Events.',
      description: `${which} The stream ends with the newest one, unless stream is asked for.`,
      parameters: [buildId, stream, lastEventId],
      answers: { 200: builds, 204: nothingNew, 404: problem('There is no such build.') },
    },
    {
      name: `build-events-${version}`,
      method: 'GET',
      handle: (question) => answerBuildEvents(version, question),
      path: `/build-export/${version}/build/{buildId}/events`,
      summary: 'A run of this index and what happened in it, as Server-Sent Events.',
      description: isFirst
        ? `${which} So the answer is 400.`
        : 'First one "Build", then "BuildEvent": BuildStarted, BuildRequestedTasks, SourceAnswered, SourceFailed or SourceHeld for each source, and BuildFinished. Earlier runs name only the sources that failed or were held.',
      parameters: [buildId, buildEventTypes, lastEventId],
      answers: {
        200: streamed('Server-Sent Events. The id of an event is its number in the build.'),
        204: nothingNew,
        404: problem('There is no such build, or no event with the Last-Event-ID.'),
      },
      ...(!isFirst && { example: `/build-export/${version}/build/{build}/events` }),
    },
  ];
}

export const buildEndpoints: readonly Endpoint[] = [
  ...exportOf('v2'),
  ...exportOf('v1'),
  {
    name: 'find-builds',
    method: 'GET',
    handle: answerBuilds,
    path: '/api/builds',
    summary: 'The runs of this index that a query selects, oldest first.',
    description:
      'A build is a run of this index: what was asked, which source answered, failed or was held. Where more follow, the answer links to the next page (rel="next").',
    parameters: [buildsSince, maxBuilds, buildQuery],
    answers: {
      200: { description: 'The runs, as JSON array', mediaType: 'application/json', schema: 'found-builds' },
    },
    example: '/api/builds?since=0&maxBuilds=2&query=buildTool:npm',
  },
];
