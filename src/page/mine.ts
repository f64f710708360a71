import { answerPublished } from '../answers/published-answers.ts';
import { findRelease, versionText } from '../answers/version-answer.ts';
import type { DetailsFile } from '../model/published/details-file.ts';
import { releaseAnchor } from '../render/addresses.ts';
import { copyButton } from './copying.ts';
import { calmly, find, findAll, make } from './dom.ts';
import { failure, index } from './fetched-index.ts';
import { askedIn, hashOf, type Asked } from './release-address.ts';

const maxOffered = 200;

/** The verdict on the version that somebody has, and what lies between it and the one to move to. */
export function setUpMine(form: HTMLFormElement, detailsOf: () => Promise<DetailsFile>): void {
  const [mine, target] = findAll<HTMLInputElement>('input', form) as [HTMLInputElement, HTMLInputElement];
  const box = find('#mine-answer');
  const offered = findAll('.releases th a').slice(0, maxOffered);
  find('#versions').append(...offered.map(({ textContent }) => make('option', { value: textContent })));
  /** What somebody would rather move to than what is recommended. */
  let chosen = '';

  form.hidden = false;
  form.onsubmit = (event) => event.preventDefault();
  form.oninput = ({ target: changed }) => {
    if (changed === target) chosen = target.value.trim();
    const asked = question();
    history.replaceState(null, '', asked ? hashOf(asked) : location.pathname);
    answer();
  };
  addEventListener('hashchange', readAddress);
  readAddress();

  function question(): Asked | undefined {
    const version = mine.value.trim();
    return version ? { version, target: chosen } : undefined;
  }

  function readAddress(): void {
    const asked = askedIn(location.hash);
    if (!asked) return;
    mine.value = asked.version;
    target.value = chosen = asked.target ?? '';
    answer();
  }

  const answer = calmly(async () => {
    ...
  });
}
