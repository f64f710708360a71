import * as z from 'zod';
import { nothingNew, problemAnswer as problem, type Answer, type Endpoint } from './endpoint.ts';
import { documentFields, packageParameters, parameters, scanFields } from './parameters.ts';
import { answerChangesSince, answerChangesSinceChange, answerReleaseEvents } from './changes.ts';
import {
  answerBadge,
  answerComponent,
  answerComponents,
  answerProductRelease,
  answerProducts,
  answerQuestion,
  answerRelease,
} from './components.ts';
import { buildEndpoints } from './build-endpoints.ts';
import { answerReleases } from './find-releases.ts';
import { answerDocumentScan } from './scan-document.ts';
import { answerAttest, answerEnvelopes, answerScan } from './scan-package.ts';

const wrong = problem('A parameter is unknown, repeated or not what was expected, which the answer names.');
const unknownName = problem('No component has this name, or several could have it.');
const unacceptable = problem('Neither application/json nor application/x-ndjson is acceptable.');

const json = (schema: NonNullable<Answer['schema']>, description: string): Answer => ({
  description,
  mediaType: 'application/json',
  schema,
});

const events: Answer = {
  description:
    'Server-Sent Events, oldest first: each has an id, the event "Change", and as data an entry of changes/<year>.json.',
  mediaType: 'text/event-stream',
};
const { components, types, stream, lastEventId } = parameters;
const ofStream = [components, types, stream, lastEventId];

/** github.com/endoflife-date/endoflife.date, the description of its API in version 1. */
const ofEndoflife = z.looseObject({
  schema_version: z.string(),
  generated_at: z.iso.datetime(),
  result: z.union([z.looseObject({}), z.array(z.looseObject({}))]),
});

const table: readonly Endpoint[] = [
  {
    name: 'find-releases',
    method: 'GET',
    handle: answerReleases,
    path: '/api/releases',
    summary: 'The releases that a query selects, oldest first by the time they entered the index.',
    description:
      'Where more follow, the answer links to the next page (rel="next"). An answer that depends on the day it is asked on is not cached.',
    parameters: [parameters.query, parameters.since, parameters.maxReleases, parameters.after],
    answers: { 200: json('found-releases', 'The releases, as JSON array') },
    example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  },
  {
    name: 'list-components',
    method: 'GET',
    handle: answerComponents,
    path: '/api/components',
    summary: 'All components, or those of a package, with what they are and how fresh they are.',
    description: 'By name. Release lines and support are at each component.',
    parameters: [parameters.purl],
    answers: { 200: json('found-components', 'The components, as JSON array') },
    example: '/api/components',
  },
  {
    name: 'show-component',
    method: 'GET',
    handle: answerComponent,
    path: '/api/components/{component}',
    summary: 'What is known of a component: support policy, release lines, freshness.',
    description:
      'As details/<component>.json without the releases. A name of before is answered with the one of now.',
    parameters: [parameters.component],
    answers: { 200: json('found-component', 'The component'), 404: problem('There is no such component.') },
    example: '/api/components/{component}',
  },
  {
    name: 'check-version',
    method: 'GET',
    handle: answerRelease,
    path: '/api/components/{component}/releases/{version}',
    summary: 'The verdict on a version: why, how long it holds, and what to move to.',
    description:
      'In the words of the command "explain", as of the day of the request. A version that is not listed is judged by its release line (isListed is false); 2025.1.0 and 2025.1 stand for each other where one is listed.',
    parameters: [parameters.component, parameters.version],
    answers: { 200: json('version-answer', 'The verdict'), 404: unknownName },
    example: '/api/components/{component}/releases/{version}',
  },
  {
    name: 'list-products',
    method: 'GET',
    handle: answerProducts,
    path: '/endoflife/api/v1/products',
    summary: 'All components in the form of the API of endoflife.date, version 1.',
    description: 'Each links to its file, which has the release lines.',
    parameters: [],
    answers: { 200: json(ofEndoflife, 'The products') },
    example: '/endoflife/api/v1/products',
  },
  {
    name: 'show-product-release',
    method: 'GET',
    handle: answerProductRelease,
    path: '/endoflife/api/v1/products/{component}/releases/{cycle}',
    summary: 'A release line in the form of the API of endoflife.date, version 1.',
    description: 'As in the file of the component. An end is the last day with support.',
    parameters: [parameters.component, parameters.cycle],
    answers: {
      200: json(ofEndoflife, 'The release line'),
      404: problem('There is no such component, or no such release line with a known day.'),
    },
    example: '/endoflife/api/v1/products/{component}/releases/latest',
  },
  {
    name: 'answer-question',
    method: 'GET',
    handle: answerQuestion,
    path: '/api/answers',
    summary: 'The verdict on what somebody typed, such as svc@2025.1 or "latest of svc".',
    description: 'As the box of the start page reads it. Without a version it is about the latest one.',
    parameters: [parameters.question],
    answers: { 200: json('version-answer', 'The verdict'), 404: unknownName },
    example: '/api/answers?question={component}+{version}',
  },
  {
    name: 'show-badge',
    method: 'GET',
    handle: answerBadge,
    path: '/badges/{component}/{version}.svg',
    summary: 'A picture of the verdict on a version: supported, ends soon or ended.',
    description:
      'Only where the address of no file is the same. It is not cached, and holds for the day of the request.',
    parameters: [parameters.component, parameters.version],
    answers: { 200: { description: 'The picture', mediaType: 'image/svg+xml' }, 404: unknownName },
  },
  {
    name: 'changes-since',
    method: 'GET',
    handle: answerChangesSince,
    path: '/export/v1/changes/since/{date}',
    summary: 'Every change recorded since an instant, as Server-Sent Events.',
    description:
      'The answer ends with the newest change, unless stream is asked for: then it stays open for some minutes, and a client comes back with Last-Event-ID.',
    parameters: [parameters.date, ...ofStream],
    answers: {
      200: events,
      204: nothingNew,
      404: problem('There is no change with the Last-Event-ID.'),
    },
    example: '/export/v1/changes/since/2026-01-31',
  },
  {
    name: 'changes-since-change',
    method: 'GET',
    handle: answerChangesSinceChange,
    path: '/export/v1/changes/sinceChange',
    summary: 'Every change of the index after one, as Server-Sent Events.',
    description:
      'As the changes since an instant. What was recorded stays, so that an id that is not found is of another index.',
    parameters: [parameters.id, ...ofStream],
    answers: { 200: events, 204: nothingNew, 404: problem('There is no change of this id.') },
    example: '/export/v1/changes/sinceChange?id={change}',
  },
  {
    name: 'release-events',
    method: 'GET',
    handle: answerReleaseEvents,
    path: '/export/v1/releases/{component}/{version}/events',
    summary: 'A release and its changes, as Server-Sent Events.',
    description:
      'First one message with the event "Release", whose data is what is known of the release, then its changes, oldest first.',
    parameters: [parameters.component, parameters.version, parameters.types],
    answers: { 200: events, 404: problem('There is no such component or release.') },
    example: '/export/v1/releases/{component}/{version}/events',
  },
  ...buildEndpoints,
  {
    name: 'scan-package',
    method: 'POST',
    handle: answerScan,
    path: '/packages/{type}/{namespace}/{name}/{version}/policy-scans/{policy}',
    optionalSegment: 'namespace',
    summary: 'What a policy says of a package or component that somebody uses.',
    description:
      'As the command "scan" judges it; ages count from the day of the request. A body is not needed, and has at most 1 MB. For bills of materials, use /api/scan.',
    parameters: [...packageParameters, parameters.policy],
    body: scanFields,
    answers: {
      200: { ...json('policy-scans', 'The result, in an array'), isInLines: true },
      404: problem('There is no such policy.'),
      406: unacceptable,
      413: problem('The body is larger than 1 MB.'),
      415: problem('The body is neither JSON nor a form, or it is compressed.'),
    },
    example: '/packages/generic/{component}/{version}/policy-scans/supported',
  },
  {
    name: 'attest-package',
    method: 'POST',
    handle: answerAttest,
    path: '/packages/{type}/{namespace}/{name}/{version}/attestations',
    optionalSegment: 'namespace',
    summary: 'Not offered: statements about packages of your own come from the command "scan --attest".',
    description: 'The answer is always a problem. The host has no signing key, and needs none.',
    parameters: packageParameters,
    answers: { 501: problem('Nothing is signed here; the answer names the command.') },
  },
  {
    name: 'scan-document',
    method: 'POST',
    handle: answerDocumentScan,
    path: '/api/scan',
    summary: 'Checks each item of a bill of materials or a list against policies.',
    description:
      'As the command "scan --json": a document of CycloneDX, SPDX or Syft as JSON, or a list, as the body or as the file document of a form. It has at most 8 MB; for larger ones, use the command.',
    parameters: documentFields.map((field) => ({ ...field, in: 'query', isList: true })),
    body: documentFields,
    isDocument: true,
    answers: {
      200: { ...json('policy-scans', 'The results, in an array'), isInLines: true },
      400: problem(
        'The document cannot be read, has nothing to judge, or a parameter is not what was expected.',
      ),
      404: problem('There is no such policy.'),
      406: unacceptable,
      413: problem('The body is larger than 8 MB, or has more than 20,000 things to judge.'),
      415: problem('The body is compressed.'),
    },
  },
  {
    name: 'show-envelopes',
    method: 'GET',
    handle: answerEnvelopes,
    path: '/packages/{type}/{namespace}/{name}/{version}/{digest}/attestations/{instance}/{component}',
    optionalSegment: 'namespace',
    summary: 'The signed statements about the component of a package, as DSSE envelopes.',
    description:
      'Those of attestations/<component>.json without the bundles around them. The digest is that of <component>.json, so that an address stands for one state of the component.',
    parameters: [...packageParameters, parameters.digest, parameters.instance, parameters.component],
    answers: {
      200: { ...json('envelopes', 'The envelopes, as JSON array'), isInLines: true },
      404: problem(
        'The index does not know the package, the package is not of the component, the component has another digest now, the storage is another, or the index is not signed.',
      ),
      406: unacceptable,
    },
  },
];

/** All requests that the host answers beyond files. Routing, validation and documentation are made from this table. */
export const endpoints: readonly Endpoint[] = table.map((endpoint) => ({
  ...endpoint,
  answers: { 400: wrong, ...endpoint.answers },
}));
