import { describeFailure, readDocumentText } from './site-documents.ts';
import { find, on } from './dom.ts';
import { loadPlans, type Plans } from './load-more.ts';

/** The form of the page My versions. Loads the script that answers with the first list. */
export function setUpList(form: HTMLFormElement): void {
  form.hidden = false;

  const text = find<HTMLTextAreaElement>('#list-text');
  const file = find<HTMLInputElement>('#list-input');

  const load = (work: (plans: Plans) => Promise<void>) => {
    // Load the document together with the script that reads it.
    readDocumentText('status.json').catch(() => {});

    return loadPlans()
      .then(work)
      .catch((error: Error) => {
        find('#plan-read').textContent = describeFailure(error);
      });
  };

  const show = (content: string) => load((plans) => plans.showText(content));

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
