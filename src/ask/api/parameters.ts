import { EventType } from '../../core/schemas/journal.ts';
import { componentName } from '../../core/schemas/component-name.ts';
import { buildFields } from '../../core/query/fields.ts';
import { expectedPurl } from '../resolve.ts';
import { maxQueryLength } from '../../core/query/parse.ts';
import { versionCharacters } from '../../core/version.ts';
import type { BodyField, Parameter } from './endpoint.ts';

const time = 'a time in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970';

type Stated = Omit<Parameter, 'name' | 'in' | 'schema'> & { readonly pattern?: string };

/** A parameter with a text of at most so many characters. */
function text(place: Parameter['in'], name: string, maxLength: number, stated: Stated): Parameter {
  const { pattern, ...rest } = stated;
  const schema = { type: 'string' as const, maxLength, ...(pattern !== undefined && { pattern }) };
  return { name, in: place, ...rest, schema };
}

const segment = (name: string, stated: Stated) => text('path', name, 200, stated);
const inQuery = (name: string, maxLength: number, stated: Stated) => text('query', name, maxLength, stated);

const version = segment('version', {
  description: 'A version, a release line, or the first numbers of several, such as 2025.',
  expected: 'a version such as 2025.3, without white space and control characters',
  pattern: versionCharacters,
  isOfForm: true,
  example: '{version}',
});

/** The segments of an address for a package, as in a package URL (https://github.com/package-url/purl-spec). */
export const packageParameters: readonly Parameter[] = [
  segment('type', {
    description: 'Type of the package; generic for a component.',
    expected: 'a type of package URLs, such as npm, maven or generic',
    pattern: '^[A-Za-z][A-Za-z0-9.-]*$',
    isOfForm: true,
    example: 'generic',
  }),
  segment('namespace', {
    description: 'Namespace of the package, such as %40scope; a slash in it is %2F.',
    expected: 'a namespace such as @scope',
    example: '@example',
  }),
  segment('name', {
    description: 'Name of the package, or of a component.',
    expected: 'the name of a package',
    example: '{component}',
  }),
  version,
];

/** What a scan may state beside the address. */
export const scanFields: readonly BodyField[] = [
  {
    name: 'sha256',
    description:
      'SHA-256 of the package, or SHA-512 behind sha512:, which is compared with the recorded digests of the release.',
    expected: 'a SHA-256 digest: 64 hexadecimal digits',
    schema: {
      type: 'string',
      maxLength: 200,
      pattern: '^(?:(?:sha256:)?[0-9A-Fa-f]{64}|sha512:[0-9A-Fa-f]{128})$',
    },
    example: '73f482a2296dcc654c380979aae3916a1925ff906b1c43a0659f97fd56e44497',
  },
  {
    name: 'repositoryUrl',
    description:
      'Address of the source repository of the package, which is compared with that of the recorded build.',
    expected:
      'the address of a repository, such as https://github.com/example/agent, without credentials, query and white space',
    schema: {
      type: 'string',
      maxLength: 2000,
      pattern: String.raw`^(?:https?://)?(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?(?:/[^\s\x00-\x1f\x7f-\x9f?#]*)?$`,
    },
    example: 'github.com/example/agent',
  },
];

/** The options of a scan of a document, as query parameters or as fields of the form. */
export const documentFields: readonly BodyField[] = [
  {
    name: 'policy',
    description:
      'Names of policies with commas between them; policies.json lists them. supported where absent.',
    expected: 'names of policies with commas between them',
    schema: { type: 'string', maxLength: 1000, pattern: '^[a-z0-9-]+(?:,[a-z0-9-]+)*$' },
    example: 'supported',
  },
  {
    name: 'exceptions',
    description:
      'A list of exceptions as JSON, as .release-index-exceptions.json has it: package, versions, policy, reason, until.',
    expected: 'a list of exceptions as JSON',
    schema: { type: 'string', maxLength: 100_000 },
  },
];

/** What a request may state. */
export const parameters = {
  component: segment('component', {
    description: 'Name, title, package or package URL of a component; /api/components lists them.',
    expected: 'the name of a component',
    example: '{component}',
  }),
  purl: inQuery('purl', 1000, {
    description: 'Only components of this package URL. A version in it does not matter.',
    expected: expectedPurl,
    example: 'pkg:generic/{component}',
  }),
  version,
  cycle: segment('cycle', {
    description: 'A release line such as 2025.1, or latest for the newest.',
    expected: 'a release line such as 2025.1, or latest',
    pattern: versionCharacters,
    isOfForm: true,
    example: 'latest',
  }),
  question: inQuery('question', 500, {
    isRequired: true,
    description: 'A component by name, title or package, with or without a version, as people write it.',
    expected: 'at most 500 characters',
    example: '{component} {version}',
  }),
  policy: segment('policy', {
    description: 'Name of a policy; policies.json lists them.',
    expected: 'the name of a policy',
    pattern: componentName.source,
    example: 'supported',
  }),
  digest: segment('digest', {
    description: 'The digest of <component>.json, as SHA256SUMS has it, behind sha256:',
    expected: 'sha256: and the 64 hexadecimal digits of a digest',
    pattern: '^sha256:[0-9A-Fa-f]{64}$',
    isOfForm: true,
  }),
  instance: segment('instance', {
    description: 'Where the statements are stored: site.',
    expected: 'site, or a storage in the form kind:name',
    pattern: String.raw`^[a-z][a-z0-9]*(?::[\w.-]+)?$`,
    isOfForm: true,
    example: 'site',
  }),
  query: inQuery('query', maxQueryLength, {
    description:
      'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all of them must hold.',
    expected: `at most ${maxQueryLength.toLocaleString('en-US')} characters`,
    example: 'component:{component} isLatestOfLine',
  }),
  since: inQuery('since', 40, {
    description: `Only what the index first listed then or later: ${time}. With 0, as without it, what is not recorded yet comes first.`,
    expected: time,
    example: '2026-01-31',
  }),
  maxReleases: {
    name: 'maxReleases',
    in: 'query',
    description: 'How many releases a page has.',
    expected: 'a whole number from 1 to 1,000',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  after: inQuery('after', 1000, {
    description: 'Where a page begins: from the link to it, whose other parameters belong to it.',
    expected: 'what a link to the next page holds',
  }),
  date: text('path', 'date', 40, {
    description: `The first instant of recording, itself included: ${time}; 0 for all, now for none that there is yet.`,
    expected: `0, now, or ${time}; not in the future`,
    example: '2026-01-31',
  }),
  id: inQuery('id', 1000, {
    isRequired: true,
    description: 'The id of a change, percent-encoded.',
    expected: 'the id of a change, as in changes.json',
    pattern: String.raw`\S`,
    example: '{change}',
  }),
  components: inQuery('component', 2000, {
    isList: true,
    description: 'Only changes of these components: names with commas between them, or given repeatedly.',
    expected: 'names of components',
    example: '{component}',
  }),
  types: inQuery('types', 1000, {
    isList: true,
    description: `Only changes of these types, with commas between them, or given repeatedly: ${EventType.options.join(', ')}.`,
    expected: `types of changes: ${EventType.options.join(', ')}`,
    example: 'deprecated,restored',
  }),
  buildId: segment('buildId', {
    description: 'The id of a build.',
    expected: 'an id of 13 letters and digits',
    pattern: '^[a-z0-9]{13}$',
    isOfForm: true,
    example: '{build}',
  }),
  buildEventTypes: inQuery('eventTypes', 1000, {
    isList: true,
    description:
      'Only events of these types, with commas between them, or given repeatedly. Case counts; a type that there is not selects nothing.',
    expected: 'types of events such as BuildStarted,BuildFinished',
    example: 'BuildStarted,BuildFinished',
  }),
  buildsSince: inQuery('since', 40, {
    description: `Only builds that were recorded then or later: ${time}. 0, as without it, begins with the oldest.`,
    expected: time,
    example: '0',
  }),
  maxBuilds: {
    name: 'maxBuilds',
    in: 'query',
    description: 'How many builds a page has.',
    expected: 'a whole number from 1 to 1,000',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  buildQuery: inQuery('query', maxQueryLength, {
    description: `Terms as in the queries for releases, with the fields ${buildFields.map(({ name }) => name).join(', ')}.`,
    expected: `at most ${maxQueryLength.toLocaleString('en-US')} characters`,
    example: 'buildOutcome:failed buildStartTime:>-7d',
  }),
  stream: inQuery('stream', 100, {
    description: 'Keeps the connection open for what changes later: any value but false, or none.',
    expected: 'at most 100 characters',
  }),
  lastEventId: text('header', 'Last-Event-ID', 1000, {
    description: 'The id of the last message that arrived: an EventSource sends it when it comes back.',
    expected: 'the id of a message',
  }),
} as const satisfies Readonly<Record<string, Parameter>>;
