import * as z from 'zod';
import { cutDay } from '../../../core/model/dates.ts';
import { pick } from '../../../core/model/objects.ts';
import { onlyPhase } from '../../../core/model/phases.ts';
import { describeDayRange, markInferred, nameState } from '../../../core/model/words.ts';
import { fields, type Row } from '../../../core/query/fields.ts';
import { searchByQueryOrDays } from '../../search/search-releases.ts';
import { adviseMore, defineTool, describeShare, greatestMax, joinLines } from './tool.ts';

export const findReleasesTool = defineTool({
  name: 'find_releases',
  title: 'Find releases',
  description: [
    'Releases by a query. Terms separated by spaces must all match; "or", "not" and parentheses combine them.',
    'A term is field:pattern with * for any characters, field:>value, field:[a to b], the bare name of an is… or has… field, or a text in component, title or version.',
    'Examples: component:svc isLatestOfLine; ends within 90 days; component:svc isSupported:false; releaseTimestamp:>=-30d.',
    `Fields: ${fields.map(({ name }) => name).join(', ')}.`,
  ].join(' '),
  example: { query: 'component:{component} isLatestOfLine', max: 3 },
  input: z.strictObject({
    query: z.string().describe('Empty for every release'),
    max: z.int().min(1).max(greatestMax).default(50),
  }),
  output: z.object({
    asOf: z.string(),
    total: z.number(),
    releases: z.array(z.looseObject({ component: z.string(), version: z.string() })),
  }),
  async answer({ query, max }, { index, day: asOf }) {
    const { total, releases, notes } = await searchByQueryOrDays(index, query, asOf, max);
    const share = describeShare(releases.length, total, 'release');
    const hint = releases.length < total ? `: narrow the query${adviseMore(max)}` : '';
    const head = total === 0 ? `No release matches on ${asOf}.` : `${share} on ${asOf}${hint}.`;
    return {
      text: await joinLines(index, [[head, ...notes].join(' '), ...releases.map(describeRelease)]),
      content: { asOf, total, releases: releases.map(pickFacts) },
    };
  },
});

/** `svc 2025.3: supported, the latest, released 2025-11-04, end of support 2027-01-31`. */
function describeRelease(row: Row): string {
  const { releaseTimestamp, phase, phaseUntil } = row;
  const facts = [nameState(row.state)];
  if (row.isLatest) {
    facts.push('the latest');
  }
  if (releaseTimestamp !== undefined) {
    const bound = row.timestampKind === 'observed' ? 'on or before ' : '';
    facts.push(`released ${bound}${cutDay(releaseTimestamp)}`);
  }

  const range = { from: row.supportedUntil, atMost: row.supportedUntilAtMost };
  const end = markInferred(describeDayRange(range), row.isInferred);
  if (end !== '') {
    facts.push(`end of support ${end}`);
  }
  if (phase !== undefined && phase !== onlyPhase) {
    facts.push(`phase ${phase}${phaseUntil === undefined ? '' : ` until ${phaseUntil}`}`);
  }
  return `${row.component} ${row.version}: ${facts.join(', ')}`;
}

const mainFields = [
  'component',
  'version',
  'line',
  'state',
  'releaseTimestamp',
  'supportedUntil',
  'supportedUntilAtMost',
  'phase',
  'phaseUntil',
] as const;

const flags = ['isLatest', 'isPrerelease', 'isInferred'] as const;

/** The main fields of a release, the kind of a day that was only observed, and the flags that are true. */
function pickFacts(row: Row): object {
  const kind = row.timestampKind === 'observed' ? (['timestampKind'] as const) : [];
  return pick(row, [...mainFields, ...kind, ...flags.filter((flag) => row[flag])]);
}
