import { freshnessSentence, replacementSentence, troubleText } from '../../../decide/sentences.ts';
import { isStaticId, sourceIds } from '../../../core/schemas/source.ts';
import type { ListedChange } from '../../../decide/journal/published-events.ts';
import { type Component, summarise } from '../../../decide/component.ts';
import type { JudgedRelease } from '../../../decide/judge.ts';
import { counted } from '../../../core/text.ts';
import type { SiteContext } from '../site-context.ts';
import { componentSnippets, type Snippet } from '../snippets.ts';
import { changeRow } from './changes-page.ts';
import { answerOf } from './component-answer.ts';
import { lineTables } from './line-table.ts';
import { renderPage } from './page-frame.ts';
import { releaseTables } from './release-tables.ts';

const maxChanges = 12;

/** `<component>.html`. `changes` are those of the component, newest first. */
export function renderComponentPage(
  component: Component,
  changes: readonly ListedChange[],
  site: SiteContext,
): string {
  const { name, definition, judgement } = component;
  const { title, description, homepage, changelogUrl } = definition;
  const isEmpty = judgement.releases.length === 0;
  const view = {
    name,
    title,
    description: description ?? '',
    latest: judgement.latest?.version ?? '',
    count: counted(judgement.releases.length, 'release'),
    homepage,
    changelogUrl,
    freshness: freshnessView(component),
    isEmpty,
    ...renovateView(component, site),
    ...(isEmpty ? emptyView(component) : releasesView(component, changes)),
  };
  return renderPage(site, 'component', view, { path: `${name}.html`, component: name });
}

/** The sources of its releases. */
function emptyView({ definition }: Component): object {
  return { sources: sourceIds(definition.sources).filter((id) => !isStaticId(id)) };
}

function releasesView(component: Component, changes: readonly ListedChange[]): object {
  const { judgement } = component;
  const { releases } = judgement;
  const tables = releaseTables(judgement.lines);
  const left = releases.length - tables.shown;
  return {
    answer: answerOf(component, tables.anchors),
    lines: lineTables(component, tables.anchors),
    size: releases.length.toLocaleString('en-US'),
    days: daysToExplain(releases),
    tables,
    older: left > 0 ? counted(left, 'older release') : '',
    showsComponent: false,
    changes: changes.slice(0, maxChanges).map(changeRow),
  };
}

/** How to keep it updated; without a release to use, the preset alone. */
function renovateView(component: Component, site: SiteContext): object {
  const { once, each, other } = componentSnippets(site, summarise(component));
  const steps = [stepView('Once in a repository', once), stepView('Above each version', each)];
  return {
    hasLatest: component.judgement.latest !== undefined,
    preset: { ...once[0], isLong: false },
    steps: steps.filter(({ snippets }) => snippets.length > 0),
    otherSnippets: other.map((snippet) => ({ ...snippet, isLong: true })),
    replacement: replacementSentence(component).join(''),
    replacedBy: component.definition.replacedBy ?? '',
  };
}

/** Which of the days in the table need an explanation. */
function daysToExplain(releases: readonly JudgedRelease[]): object | undefined {
  const isAnyObserved = releases.some(({ timestampKind }) => timestampKind === 'observed');
  const isAnyUnknown = releases.some(({ releaseDay }) => releaseDay === undefined);
  return isAnyObserved || isAnyUnknown ? { isAnyObserved, isAnyUnknown } : undefined;
}

/** Only the first snippet is open. */
function stepView(title: string, snippets: readonly Snippet[]) {
  return { title, snippets: snippets.map((snippet, index) => ({ ...snippet, isLong: index > 0 })) };
}

function freshnessView({ name, freshness }: Component): object {
  return {
    component: name,
    state: freshness.state,
    brief: freshnessSentence(freshness),
    troubles: freshness.troubles.map(troubleText),
  };
}
