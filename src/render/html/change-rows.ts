import type { Change } from '../../policy/change.ts';
import { releaseAnchor } from '../anchors.ts';
import { escapeHtml } from './escape.ts';

/** One line of a list of changes. */
export interface ChangeRow {
  day: string;
  kind: Change['kind'];
  component: string;
  /** The release it is about, or the newest of a line's, on the page of the component. */
  href: string;
  text: string;
  /** The same in two words, for where there is no room. */
  brief: string;
}

export function changeRow({ on, kind, component, version, line, versions, text }: Change): ChangeRow {
  const subject = version ?? versions?.at(-1);
  const anchor = subject === undefined ? '' : `#${releaseAnchor(subject)}`;
  return {
    day: on,
    kind,
    component,
    href: `${component}.html${anchor}`,
    text,
    brief: `${kind} ${version ?? line ?? component}`,
  };
}

/** `{{> change-rows}}` in a template: `changes`, with or without the component that each is about. */
export function renderChangeRows({ changes, showsComponent }: ChangeRows): string {
  let html = '';
  for (const { day, kind, component, href, text } of changes) {
    const about = showsComponent ? `<a href="${escapeHtml(href)}">${escapeHtml(component)}</a>: ` : '';
    html += `<li><time datetime="${day}">${day}</time> <span class="change-kind">${kind}</span> ${about}${escapeHtml(text)}</li>\n`;
  }
  return html;
}

interface ChangeRows {
  changes: readonly ChangeRow[];
  showsComponent: boolean;
}
