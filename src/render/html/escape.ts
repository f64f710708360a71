import { runtime } from './handlebars.ts';

const special = /[&<>"'`=]/;

/** As the templates escape. Most texts have nothing to escape. */
export function escapeHtml(text: string): string {
  return special.test(text) ? runtime.escapeExpression(text) : text;
}
