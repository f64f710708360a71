import type { Day } from '../../../core/model/dates.ts';
import { parsePurl } from '../../../core/model/purl.ts';
import { parseVersion } from '../../../core/model/version.ts';
import { maxQueryLength, parseQuery } from '../../../core/query/parse.ts';
import { listTerms } from '../../../core/query/query-terms.ts';
import { isDistance } from '../../../core/query/rows.ts';
import type { StatusFile } from '../../../core/schemas/published/status-file.ts';
import { formatCount } from '../../../core/text/wording.ts';
import type { DetailsOn } from '../../answers/component-on.ts';
import { findExact } from '../../answers/match-names.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { computeFreshnessOn } from '../../answers/silence.ts';
import { searchPublished, type PageStart } from '../../search/search-releases.ts';
import {
  cannotSearch,
  componentParameter,
  createPageSize,
  createParameter,
  defaultPageSize,
  defineEndpoint,
  describeJsonAnswer,
  describeProblemAnswer,
} from './endpoint.ts';
import { pastTimeForm, readPastTime, readValue } from './read-request.ts';
import {
  answerCachedJson,
  answerJson,
  createNoteHeader,
  formatElements,
  formatJson,
  linkNextPage,
} from './respond.ts';

const purlParameter = createParameter('query', 'purl', 1000, {
  description: 'Only components of this package URL. The version in it is ignored.',
  expected: 'a package URL such as pkg:npm/%40example/agent',
  example: 'pkg:generic/{component}',
});

export const componentsEndpoint = defineEndpoint({
  name: 'list-components',
  path: '/api/components',
  summary: 'All components, or the components of a package.',
  description: 'Sorted by name. For release lines and support, ask for a component.',
  parameters: [purlParameter],
  answers: {
    200: describeJsonAnswer('found-components', 'The components, as JSON array'),
    503: cannotSearch,
  },
  example: '/api/components',
  async handle({ request, parameters, index }) {
    const file = await index.status();
    const day = await index.day();
    const statedPurl = readValue(purlParameter, parameters, parsePurl);
    const owners = statedPurl && findExact(statedPurl, await index.names()).owners;
    const latest = new Map<unknown, string>();
    for (const { lineFields, releaseFields } of await index.catalogue()) {
      if (releaseFields.isLatest) {
        latest.set(lineFields.component, releaseFields.version);
      }
    }

    const rows: object[] = [];
    for (const [component, { lines: _, ...shared }] of await index.searched()) {
      if (!owners || owners.some((owner) => owner.component === component)) {
        const status = describeStatus(file, component, day, latest.get(component));
        rows.push({ component, ...shared, status });
      }
    }
    return answerCachedJson(request, formatElements(rows), await createNoteHeader(index));
  },
});

export const componentEndpoint = defineEndpoint({
  name: 'show-component',
  path: '/api/components/{component}',
  summary: 'A component: support policy, release lines, freshness.',
  description:
    'The data of details/<component>.json without the releases. A former name gives the renamed component.',
  parameters: [componentParameter],
  answers: {
    200: describeJsonAnswer('found-component', 'The component'),
    404: describeProblemAnswer('There is no such component.'),
  },
  example: '/api/components/{component}',
  async handle({ request, parameters, index }) {
    const facts = summariseDetails(await requireComponent(index, parameters.component));
    const { component, latest } = facts;
    const status = describeStatus(await index.status(), component, await index.day(), latest);
    const body = formatJson({ ...facts, status });
    return answerJson(request, body, await createNoteHeader(index));
  },
});

/** The facts of a component in the form of its document, without the releases: those of a line are counted, and `latest` is a version. */
function summariseDetails({ releases: _, day: __, latest, lines, ...details }: DetailsOn) {
  return {
    ...details,
    latest: latest?.version,
    lines: lines.map(({ releases, phase, ...line }) => ({
      ...line,
      phase: phase?.name,
      releases: releases.length,
    })),
  };
}

/** How fresh the data of a component is on a day, and its latest version. */
function describeStatus(file: StatusFile, component: string, day: Day, latest?: string): object {
  const state = computeFreshnessOn(file, component, day);
  return { ...file.components[component], state, latest };
}

const queryParameter = createParameter('query', 'query', maxQueryLength, {
  isQuestion: true,
  description:
    'Terms such as component:svc isSupported releaseTimestamp:>2026-01-31; all must hold.',
  expected: `at most ${formatCount(maxQueryLength, 'character')}`,
  example: 'component:{component} isLatestOfLine',
});

const sinceParameter = createParameter('query', 'since', 40, {
  description: `Releases first published at this time or later: ${pastTimeForm}. To go on after the last page, give availableAt of its last release plus one millisecond. With 0 or without it, the answer begins with releases that are not recorded yet.`,
  expected: pastTimeForm,
  example: '2026-01-31',
});

const afterParameter = createParameter('query', 'after', 1000, {
  description:
    'The start of a page. Take it from the link to the page, together with the other parameters of the link.',
  expected: 'the value in a link to the next page',
});

export const releasesEndpoint = defineEndpoint({
  name: 'find-releases',
  path: '/api/releases',
  summary: 'The releases of a query, in the order of publication.',
  description:
    'Releases are sorted by availableAt, oldest first. If there are more, the answer links to the next page (rel="next"). The answer to a query with a relative day, age, supportLeft or phaseLeft is not cached.',
  parameters: [
    queryParameter,
    sinceParameter,
    createPageSize('maxReleases', 'releases'),
    afterParameter,
  ],
  answers: {
    200: describeJsonAnswer('found-releases', 'The releases, as JSON array'),
    503: cannotSearch,
  },
  example: '/api/releases?query=component:{component}+isLatestOfLine&maxReleases=2',
  async handle({ request, parameters, index, settings }) {
    const { query: text = '', maxReleases = defaultPageSize } = parameters;
    const today = await index.day();
    const query = parseQuery(text, today);
    const terms = listTerms(query);
    const hasDistances = terms.some(({ fields }) => fields.some(({ name }) => isDistance(name)));
    const hasRelativeDays = terms.some(({ test }) => 'isRelative' in test);

    const { releases, notes, next } = await searchPublished(index, query, today, {
      maxReleases: Number(maxReleases),
      hasDistances,
      publications: await index.publications(),
      since: readValue(sinceParameter, parameters, readPastTime) ?? 0,
      after: readValue(afterParameter, parameters, parseStart),
    });

    const headers = {
      ...(next && linkNextPage(request, settings.baseUrl, formatStart(next))),
      ...(await createNoteHeader(index, notes)),
    };
    const body = formatElements(releases);
    return hasDistances || hasRelativeDays
      ? answerJson(request, body, headers)
      : answerCachedJson(request, body, headers);
  },
});

/** The parameter `after` in the link to the next page: `1783600000000/svc/2025.1`. */
function formatStart({ at, component, version }: PageStart): string {
  return [at, component, version].join('/');
}

function parseStart(text: string): PageStart | undefined {
  const [, at, component = '', version = ''] = /^(\d+)\/([^/]+)\/(.+)$/.exec(text) ?? [];
  return parseVersion(version) && { at: Number(at), component, version };
}
