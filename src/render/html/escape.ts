import Handlebars from 'handlebars';

const special = /[&<>"'`=]/;

/** As the templates escape. Most texts have nothing to escape. */
export function escapeHtml(text: string): string {
  return special.test(text) ? Handlebars.escapeExpression(text) : text;
}
