/** A template of the site that does not fit this program, or is none: its author has to look. The message names the file. */
export class TemplateError extends Error {
  override readonly name = 'TemplateError';
}
