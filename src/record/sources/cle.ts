import { z } from 'zod';
import { dayOf, type Day } from '../../core/dates.ts';
import { onlyPhase } from '../../core/phases.ts';
import { PhaseName } from '../../core/schemas/phase.ts';
import { StatedLine } from '../../core/schemas/recorded.ts';
import { isInRange, parseVersionRange } from '../../core/version-range.ts';
import { parseVersion, releaseLine, type Version } from '../../core/version.ts';
import { elementsOf, readJson, readLines } from './elements.ts';
import { fetchJsonFile } from './requests.ts';
import type { SupportAdapter } from './source.ts';

const Selected = z.union([z.object({ version: z.string() }), z.object({ range: z.string() })]);
type Selected = z.infer<typeof Selected>;

/** ECMA-428, first edition; only the keys in use. */
const Event = z.object({
  id: z.int(),
  type: z.string(),
  effective: z.iso.datetime({ offset: true }),
  version: z.string().optional(),
  versions: z.array(Selected).optional(),
  supportId: z.string().optional(),
  eventId: z.int().optional(),
});
type Event = z.infer<typeof Event>;

const Document = z.object({
  identifier: z.union([z.string(), z.array(z.string()).min(1)]),
  events: z.array(Event).max(100_000),
});

/** Reads ends of support from a document of the Common Lifecycle Enumeration. */
export const statedByCle: SupportAdapter<'cle'> = {
  async gather({ url }, context) {
    const { identifier, events } = readJson(await fetchJsonFile(context.http, url), Document);
    context.isAbout([identifier].flat().sort().join(' '));
    return readLines(
      url,
      elementsOf(linesOf(events, context.lineGroups), 'line'),
      StatedLine,
      context,
    );
  },
};

/** Applies events by ascending id, without the events that later ones withdraw. */
function linesOf(events: readonly Event[], groups: 1 | 2): unknown[] {
  const lineOf = (version: Version) => releaseLine(version, groups);
  const withdrawn = new Set(events.flatMap(({ eventId }) => eventId ?? []));
  const valid = events.filter(({ id }) => !withdrawn.has(id)).sort((a, b) => a.id - b.id);
  const versions = versionsIn(valid);
  const lines = new Map<string, Map<string, Day>>();
  const firstDays = new Map<string, string>();
  for (const { type, effective, version, versions: selected = [], supportId } of valid) {
    const day = dayOf(new Date(effective).toISOString());
    if (type === 'released' && version !== undefined) {
      const parsed = parseVersion(version);
      const line = parsed && lineOf(parsed);
      if (line !== undefined && day < (firstDays.get(line) ?? '9999')) {
        firstDays.set(line, day);
      }
    }
    if (!/^endOf(?:Development|Support|Life)$/.test(type)) {
      continue;
    }
    const covers = selected.map(testOf);
    const named = versions.filter((each) => covers.some((holds) => holds(each)));
    for (const line of new Set(named.map(lineOf))) {
      const phases = lines.get(line) ?? new Map<string, Day>();
      // The end of development ends the first phase, the end of life the last one.
      const isSame = type !== 'endOfSupport' && [...phases.values()].includes(day);
      if (!isSame) {
        phases.set(phaseName(supportId), day);
      }
      lines.set(line, phases);
    }
  }
  return Array.from(lines, ([line, phases]) => ({
    line,
    firstReleaseDate: firstDays.get(line),
    phases: Array.from(phases, ([name, until]) => ({ name, until })).sort((a, b) =>
      a.until < b.until ? -1 : 1,
    ),
  }));
}

/** The id of a support policy can be any text. */
function phaseName(supportId = onlyPhase): string {
  const name = supportId
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 40);
  return PhaseName.safeParse(name).success ? name : onlyPhase;
}

/** All versions in the document, from which ranges select. */
function versionsIn(events: readonly Event[]): Version[] {
  const selected = events.flatMap(({ versions = [] }) => versions);
  const texts = [
    ...events.flatMap(({ version }) => version ?? []),
    ...selected.flatMap((one) =>
      'version' in one ? one.version : one.range.split(/[/|]/).slice(1),
    ),
  ];
  return texts.flatMap(
    (text) => parseVersion(decodeConstraint(text.replace(/^[<>!=]+/, ''))) ?? [],
  );
}

function decodeConstraint(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Tests versions against a selection. A range in vers form lists bounds by version: each `>` opens a span, each `<` closes it. */
function testOf(selected: Selected): (version: Version) => boolean {
  const bounds = ('version' in selected ? `=${selected.version}` : selected.range)
    .replace(/^[^/]*\//, '')
    .split('|')
    .map(decodeConstraint)
    .filter((bound) => !bound.startsWith('!='))
    .map((bound) => (/^[<>=*]/.test(bound) ? bound : `=${bound}`));
  const spans = bounds.map((bound, index) => {
    const isClosing = bound.startsWith('<') && bounds[index - 1]?.startsWith('>');
    return index === 0 ? bound : `${isClosing ? ' ' : ' || '}${bound}`;
  });
  const range = parseVersionRange(spans.join(''));
  return (version) => range !== undefined && isInRange(range, version);
}
