// `assets/expressions.js`, the engine of regular expressions. That of the browser reads other expressions, and some of them in another
// way.

export * from '../../core/text/expression.ts';
