/** A template of the site is broken or does not fit this program; its author has to mend it. The message names the file. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
