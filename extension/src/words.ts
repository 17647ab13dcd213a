/**
 * What the extension says by itself, in six languages: before any cell has run, and without a kernel.
 *
 * `words.json` is written from the gettext catalogues by `tools/extension_words.py`; nothing is worded here.
 */

import { digits, plain } from './message';
import type { ViewName } from './model';
import data from './words.json';

export type Language = keyof typeof data;

interface ILanguage {
  dir: 'ltr' | 'rtl';
  digits: string;
  plural: string;
  words: Record<string, string | string[]>;
}

const ALL = data as unknown as Record<Language, ILanguage>;

export const LANGUAGES = Object.keys(ALL) as Language[];

/** The language of that name in any common spelling (`fa_IR`, `zh-Hans`), or null when there is no catalogue. */
export function match(name: string | null | undefined): Language | null {
  const code = (name ?? '').split(/[-_.]/)[0].toLowerCase() as Language;
  return LANGUAGES.includes(code) ? code : null;
}

/** A value in a template: a number, text of the user's, a list of names, or a sentence that is already made. */
export type Value = number | string | string[] | { said: string };

/** Takes from a text the meaning that a message's marks would give it. */
function verbatim(text: string): string {
  return text.replace(/[\\`*]/g, '\\$&');
}

export class Words {
  readonly dir: 'ltr' | 'rtl';
  readonly number: (n: number) => string;

  constructor(readonly lang: Language) {
    this._own = ALL[lang];
    this.dir = this._own.dir;
    this.number = digits(this._own.digits);
  }

  /** A sentence with its marks; `values.n` chooses among plural forms. */
  say(id: string, values: Record<string, Value> = {}): string {
    const template = this._own.words[id];
    if (template === undefined) {
      throw new Error(`words.json has no ${id}`);
    }
    const chosen = typeof template === 'string' ? template : template[this._form(Number(values.n))];
    let code = false;
    return chosen.replace(/`|\{(\w+)\}/g, (whole: string, name?: string) => {
      if (name === undefined) {
        code = !code;
        return whole;
      }
      return this._value(values[name], code);
    });
  }

  /** The same without marks, for names and titles. */
  text(id: string, values: Record<string, Value> = {}): string {
    return plain(this.say(id, values));
  }

  tab(view: ViewName): string {
    return this.text(`tab.${view}`);
  }

  private _form(n: number): number {
    const { plural } = this._own;
    return Number(plural[n < plural.length ? n : 100 + (n % 100)]);
  }

  private _value(value: Value, code: boolean): string {
    if (typeof value === 'number') {
      return code ? String(value) : this.number(value);
    }
    if (typeof value === 'string') {
      return verbatim(value);
    }
    if (!Array.isArray(value)) {
      return value.said;
    }
    const names = value.map(name => `\`${verbatim(name)}\``);
    const last = names.pop() ?? '';
    const comma = this._own.words['list.comma'] as string;
    return names.length ? `${names.join(comma)}${this._own.words['list.and']}${last}` : last;
  }

  private _own: ILanguage;
}
