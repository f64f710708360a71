import { announce, makeButton } from './dom.ts';
import { describeFailure } from './site-documents.ts';
import { loadAnswers } from './load-answers.ts';

/** A button that adds the older releases, which the page omits for its size. */
export function setUpOlderReleases(section: HTMLElement, component: string): void {
  const button = makeButton('', 'Show them here, by year', async () => {
    try {
      const { listOlderYears } = await loadAnswers();
      button.replaceWith(...(await listOlderYears(component)));
    } catch (error) {
      button.textContent = describeFailure(error as Error);
      announce(button.textContent);
    }
  });

  section.append(button);
}
