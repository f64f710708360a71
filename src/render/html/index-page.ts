import { briefFreshnessReason } from '../../answers/freshness-words.ts';
import { noEndStated } from '../../answers/line-words.ts';
import { dayOf, type Day } from '../../dates.ts';
import type { Change } from '../../policy/change.ts';
import type { ComponentSummary } from '../../policy/component.ts';
import { counted } from '../../text.ts';
import type { SiteContext } from '../site-context.ts';
import { siteSnippets } from '../snippets.ts';
import { changeRow } from './change-rows.ts';
import { pageOf } from './page-frame.ts';
import { renderTemplate } from './templates.ts';

const maxChanges = 10;
const maxLines = 3;

/** `index.html`. `changes` are those of all components, newest first. */
export function renderIndexPage(
  site: SiteContext,
  summaries: readonly ComponentSummary[],
  changes: readonly Change[],
): string {
  const { title, description } = site.config;
  const example = summaries.find((summary) => summary.latest) ?? summaries[0];
  return renderTemplate(site.theme, 'index', {
    page: pageOf(site, {
      title: `${title}: releases and support of ${counted(summaries.length, 'component')}`,
      heading: title,
      description,
      path: 'index.html',
      alternates: [
        { type: 'application/json', title: 'All releases', href: 'all.json' },
        { type: 'application/json', title: 'Changes', href: 'changes.json' },
        { type: 'application/atom+xml', title: 'Changes', href: 'feed.atom' },
        { type: 'text/calendar', title: 'Ends of support', href: 'support.ics' },
      ],
    }),
    title,
    description,
    size: counted(summaries.length, 'component'),
    components: summaries.map(componentRow),
    showsComponent: true,
    changes: changes.slice(0, maxChanges).map(changeRow),
    snippets: example ? siteSnippets(site, summaries, example) : [],
  });
}

function componentRow(summary: ComponentSummary): object {
  const { name, definition, latest, freshness, newestChange } = summary;
  return {
    name,
    title: definition.title,
    description: definition.description ?? '',
    latest: latest?.version ?? '',
    day: latest?.releaseTimestamp === undefined ? '' : dayOf(latest.releaseTimestamp),
    isObserved: latest?.timestampKind === 'observed',
    support: supportOf(summary),
    freshness: { state: freshness.state, reason: briefFreshnessReason(freshness) },
    change: newestChange && changeRow(newestChange),
  };
}

/** The newest supported lines with the days on which they leave support, and of the others the one that leaves first. */
function supportOf(summary: ComponentSummary): object {
  const supported = summary.lines.filter((line) => line.isSupported).reverse();
  const undated = supported.filter((line) => line.eolFrom === undefined);
  const dated = supported.flatMap(({ name, eolFrom }) => (eolFrom === undefined ? [] : { name, eolFrom }));
  const [shown, others] = [dated.slice(0, maxLines), dated.slice(maxLines)];
  const next = firstToLeave(others);
  return {
    none: supported.length > 0 ? '' : whyNothingIsSupported(summary),
    undated: undated.length === 0 ? '' : noEndStated(undated),
    lines: shown.map(({ name, eolFrom }) => ({ name, day: eolFrom })),
    more: next && { count: others.length, name: next.name, day: next.eolFrom },
    /** First end of support, to sort by; empty where none is stated. */
    nextEnd: firstToLeave(dated)?.eolFrom ?? '',
  };
}

function whyNothingIsSupported({ definition: { support }, releases }: ComponentSummary): string {
  if (releases === 0) return 'no releases known yet';
  if (support === undefined || support.policy === 'none') return 'no support policy';
  return 'every release is deprecated';
}

function firstToLeave<Line extends { eolFrom: Day }>(lines: readonly Line[]): Line | undefined {
  return lines.toSorted((a, b) => (a.eolFrom < b.eolFrom ? -1 : 1))[0];
}
