import { parsePurl } from '../../../core/model/purl.ts';
import type { DetailsOn } from '../../answers/component-on.ts';
import { findExact } from '../../answers/match-names.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { computeFreshnessOn } from '../../answers/silence.ts';
import { askExactly } from '../../answers/version-answer.ts';
import {
  cannotSearch,
  createParameter,
  defineEndpoint,
  describeJsonAnswer,
  describeProblemAnswer,
  expectedVersions,
  unknownName,
  versionParameter,
} from './endpoint.ts';
import { readValue, splitValues } from './read-request.ts';
import {
  answerCachedJson,
  answerJson,
  createNoteHeader,
  formatElements,
  formatJson,
} from './respond.ts';

const purlParameter = createParameter('query', 'purl', 1000, {
  description: 'Only components of this package URL. The version in it is ignored.',
  expected: 'a package URL such as pkg:npm/%40example/agent',
  example: 'pkg:generic/{component}',
});

const componentParameter = createParameter('path', 'component', 200, {
  description: 'Name, title, package or package URL of a component; /api/components lists them.',
  expected: 'the name of a component',
  example: '{component}',
});

const partnersParameter = createParameter('query', 'with', 1000, {
  isList: true,
  description:
    'Versions of other components in use with it: the answer says whether they work together.',
  expected: expectedVersions,
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
    const latestRows = (await index.catalogue()).filter(
      ({ releaseFields }) => releaseFields.isLatest,
    );
    const latest = new Map(
      latestRows.map(({ lineFields, releaseFields }) => [
        lineFields.component,
        releaseFields.version,
      ]),
    );

    const rows: object[] = [];
    for (const [component, { lines: _, ...shared }] of await index.searched()) {
      if (!owners || owners.some((owner) => owner.component === component)) {
        const state = computeFreshnessOn(file, component, day);
        const status = { ...file.components[component], state, latest: latest.get(component) };
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
    const file = await index.status();
    const state = computeFreshnessOn(file, component, await index.day());
    const status = { ...file.components[component], state, latest };
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

export const verdictEndpoint = defineEndpoint({
  name: 'check-version',
  path: '/api/components/{component}/releases/{version}',
  summary: 'The verdict on a version, with reasons and advice.',
  description:
    'In the words of the command "explain", as of the day of the request. A version that is not listed is judged by its release line (isListed is false); 2025.1.0 and 2025.1 are the same version.',
  parameters: [componentParameter, versionParameter, partnersParameter],
  answers: { 200: describeJsonAnswer('version-answer', 'The verdict'), 404: unknownName },
  example: '/api/components/{component}/releases/{version}',
  async handle({ request, parameters, index }) {
    const others = splitValues(parameters.with);
    const { answer } = await askExactly(index, parameters.component, parameters.version, others);
    return answerJson(request, formatJson(answer));
  },
});
