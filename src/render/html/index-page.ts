import { briefFreshnessReason } from '../../answers/freshness-words.ts';
import { noEndStated } from '../../answers/line-words.ts';
import { dayOf } from '../../dates.ts';
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

/** The newest supported lines with their ends, and the one that ends first. */
function supportOf({ lines, releases }: ComponentSummary): object {
  const supported = lines.filter((line) => line.isSupported).reverse();
  const undated = supported.filter((line) => line.eolFrom === undefined);
  const dated = supported.filter((line) => line.eolFrom !== undefined);
  const next = dated.toSorted((a, b) => (a.eolFrom! < b.eolFrom! ? -1 : 1))[0];
  const more = dated.length - maxLines;
  return {
    none: supported.length > 0 ? '' : releases === 0 ? 'no releases known yet' : 'nothing is supported',
    undated: undated.length === 0 ? '' : noEndStated(undated),
    lines: dated.slice(0, maxLines).map((line) => ({ name: line.name, until: line.eolFrom! })),
    more: more > 0 ? { count: more, name: next!.name, until: next!.eolFrom! } : undefined,
    /** First end of support, to sort by; empty where none is stated. */
    nextEnd: next?.eolFrom ?? '',
  };
}
