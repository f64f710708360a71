import { componentName } from '../model/component-name.ts';
import { maxQueryLength } from '../query/parse.ts';
import { maxVersionLength } from '../version.ts';
import type { Parameter } from './endpoint.ts';

const time = 'a time in ISO 8601, such as 2026-01-31 or 2026-01-31T10:30:00Z, or in milliseconds since 1970';

/** What a request may state. */
export const parameters = {
  component: {
    name: 'component',
    in: 'path',
    description: 'Name of a component; /api/components lists them.',
    expected: 'a name of lower-case letters, digits and hyphens',
    schema: { type: 'string', maxLength: 200, pattern: componentName.source },
    example: '{component}',
  },
  version: {
    name: 'version',
    in: 'path',
    description: 'A version.',
    expected: 'a version such as 2025.3',
    schema: { type: 'string', maxLength: maxVersionLength },
    example: '{version}',
  },
  query: {
    name: 'query',
    in: 'query',
    description:
      'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all of them must hold.',
    expected: `at most ${maxQueryLength.toLocaleString('en-US')} characters`,
    schema: { type: 'string', maxLength: maxQueryLength },
    example: 'component:{component} isLatestOfLine',
  },
  since: {
    name: 'since',
    in: 'query',
    description: `Only what entered the index then or later: ${time}. With 0, as without it, what entered at an unknown time comes first.`,
    expected: time,
    schema: { type: 'string', maxLength: 40 },
    example: '2026-01-31',
  },
  maxReleases: {
    name: 'maxReleases',
    in: 'query',
    description: 'How many releases a page has.',
    expected: 'a whole number from 1 to 1,000',
    schema: { type: 'integer', minimum: 1, maximum: 1000, default: 100 },
  },
  after: {
    name: 'after',
    in: 'query',
    description: 'Where a page begins: from the link to it, whose other parameters belong to it.',
    expected: 'what a link to the next page holds',
    schema: { type: 'string', maxLength: 1000 },
  },
  date: {
    name: 'date',
    in: 'path',
    description: `The first day: ${time}; 0 for all, now for none that there is yet.`,
    expected: `0, now, or ${time}; not in the future`,
    schema: { type: 'string', maxLength: 40 },
    example: '2026-01-31',
  },
  id: {
    name: 'id',
    in: 'query',
    isRequired: true,
    description: 'The id of a change, percent-encoded.',
    expected: 'the id of a change, as in changes.json',
    schema: { type: 'string', maxLength: 1000 },
    example: '{change}',
  },
  stream: {
    name: 'stream',
    in: 'query',
    description: 'Keeps the connection open for what changes later; stream alone is enough.',
    expected: 'nothing behind it, or true or false',
    schema: { type: 'string', maxLength: 5, pattern: '^(?:true|false)?$' },
  },
  lastEventId: {
    name: 'Last-Event-ID',
    in: 'header',
    description: 'The id of the last change that arrived: an EventSource sends it when it comes back.',
    expected: 'the id of a change',
    schema: { type: 'string', maxLength: 1000 },
  },
} as const satisfies Readonly<Record<string, Parameter>>;
