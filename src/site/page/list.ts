import { find, findAll, on } from './dom.ts';
import { keepPlace } from './keep-place.ts';
import { loadPlans, type Plans } from './load-more.ts';
import { describeFailure, readDocumentText } from './site-documents.ts';

/** The form of the page My versions. Loads the script that answers with the first list. */
export function setUpList(form: HTMLFormElement): void {
  form.hidden = false;

  const text = find<HTMLTextAreaElement>('#list-text');
  const file = find<HTMLInputElement>('#list-input');

  const load = async (work: (plans: Plans) => Promise<void>) => {
    // Load the document together with the script that reads it.
    readDocumentText('status.json').catch(() => {});
    keepPlace();
    hidePage(true);

    try {
      await work(await loadPlans());
    } catch (error) {
      find('#plan-read').textContent = describeFailure(error as Error);
    }

    hidePage(false);
    find('.place').replaceChildren();
  };

  const show = async (content: string) => {
    await load((plans) => plans.showText(content));
    find('h1').focus();
  };

  const read = async (chosen: File | undefined) => {
    if (!chosen) {
      return;
    }

    text.value = await chosen.text();
    await show(text.value);
  };

  on(form, 'submit', (event) => {
    event.preventDefault();
    void show(text.value);
  });

  on(find('#list-file'), 'click', () => file.click());
  on(file, 'change', () => void read(file.files?.[0]));
  on(form, 'dragover', (event) => event.preventDefault());

  on(form, 'drop', (event) => {
    event.preventDefault();
    void read((event as DragEvent).dataTransfer?.files[0]);
  });

  const openAddress = async () => {
    const [, list] = /^#c=(.+)/.exec(location.hash) ?? [];
    if (list !== undefined) {
      await load((plans) => plans.showAddress(list));
    }
  };

  addEventListener('hashchange', () => void openAddress());
  void openAddress();
}

/** Hides the page while the place of a plan is kept: a plan moves all of it. */
function hidePage(isHidden: boolean): void {
  for (const part of findAll('main > :not(.place)')) {
    part.hidden = isHidden;
  }
}
