import type { Day } from '../../../core/model/dates.ts';
import { keepByObject } from '../../../core/model/objects.ts';
import { parsePurl } from '../../../core/model/purl.ts';
import type { Catalogue } from '../../../core/query/selection.ts';
import type { StatusFile } from '../../../core/schemas/published/status-file.ts';
import type { DetailsOn } from '../../answers/component-on.ts';
import { findExact } from '../../answers/match-names.ts';
import { requireComponent } from '../../answers/resolve.ts';
import { computeFreshnessOn } from '../../answers/silence.ts';
import { cannotSearch, componentParameter, unknownName } from './common-parts.ts';
import { createParameter, defineEndpoint, describeJsonAnswer } from './endpoint.ts';
import { readValue } from './read-request.ts';
import { createNoteHeader } from './note-header.ts';
import { answerJson, formatElements, formatJson } from './respond.ts';

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
    const purl = readValue(purlParameter, parameters, parsePurl);
    const owners = purl && findExact(purl, await index.names()).owners;
    const wanted = owners && new Set(owners.map(({ component }) => component));
    const latestVersions = mapLatest(await index.catalogue());
    const statusFile = await index.status();
    const day = await index.day();

    const components = [...(await index.readComponents())];
    const selected = components.filter(([component]) => wanted?.has(component) ?? true);
    const rows = selected.map(([component, facts]) => {
      const latest = latestVersions.get(component);
      const status = describeStatus(statusFile, component, day, latest);
      return { component, ...facts, lines: undefined, status };
    });
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
    404: unknownName,
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

/** The latest version of each component that has one, found once for all requests of a day. */
const mapLatest = keepByObject((catalogue: Catalogue) => {
  const latestVersions = new Map<string, string>();
  for (const { lineFields, releaseFields } of catalogue) {
    if (releaseFields.isLatest) {
      latestVersions.set(lineFields.component, releaseFields.version);
    }
  }

  return latestVersions;
});

/** The facts of a component as in its document, but each line has the number of its releases, and `latest` is a version. */
function summariseDetails({ latest, lines, ...details }: DetailsOn) {
  return {
    ...details,
    day: undefined,
    releases: undefined,
    latest: latest?.version,
    lines: lines.map((line) => ({
      ...line,
      phase: line.phase?.name,
      releases: line.releases.length,
    })),
  };
}

/** The status of a component, with its freshness and its latest version on a day. */
function describeStatus(
  statusFile: StatusFile,
  component: string,
  day: Day,
  latest: string | undefined,
) {
  const state = computeFreshnessOn(statusFile, component, day);
  return { ...statusFile.components[component], state, latest };
}
