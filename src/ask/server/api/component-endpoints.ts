import type { Day } from '../../../core/model/dates.ts';
import { parsePurl } from '../../../core/model/purl.ts';
import type { StatusFile } from '../../../core/schemas/published/status-file.ts';
import type { DetailsOn } from '../../answers/component-on.ts';
import { findExact } from '../../answers/match-names.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { computeFreshnessOn } from '../../answers/silence.ts';
import { cannotSearch, componentParameter } from './common-parts.ts';
import {
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
  describeProblemAnswer,
} from './endpoint.ts';
import { readValue } from './read-request.ts';
import { answerJson, createNoteHeader, formatElements, formatJson } from './respond.ts';

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
    return answerJson(request, formatElements(rows), await createNoteHeader(index));
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
