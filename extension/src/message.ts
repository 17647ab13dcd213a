/** Sentences, code and numbers as the data gives them, turned into nodes. */

import { button, copyText, h, mark } from './dom';
import type { ICode, IFix, IMessage, Token } from './model';
import unseen from './unseen.json';

/** Characters that are not seen, or turn the text around them: one table with the static views. */
const UNSEEN = new RegExp(unseen.unseen, 'g');
const TURNING = new RegExp(unseen.turning, 'g');

/** Text of the user's program with a dot for each character that could not be seen, as the cell's editor shows it. */
export function visible(text: string): string {
  return text.replace(UNSEEN, '•');
}

/** A sentence, in which nothing turns the rest around. */
export function upright(text: string): string {
  return text.replace(TURNING, '•');
}

/** Inline nodes of a message: `code` in backticks, **strong** (which may hold code); a backslash takes the next character plainly. */
export function inline(text: string): Node[] {
  const top: Node[] = [];
  let strong: HTMLElement | null = null;
  let code: HTMLElement | null = null;
  let run = '';
  const flush = (): void => {
    if (run) {
      const into = code ?? strong;
      const node = document.createTextNode(code ? visible(run) : upright(run));
      if (into) {
        into.append(node);
      } else {
        top.push(node);
      }
      run = '';
    }
  };
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (c === '\\' && i + 1 < text.length) {
      run += text[++i];
    } else if (c === '`') {
      flush();
      if (code) {
        code = null;
      } else {
        code = h('code', { dir: 'ltr' });
        if (strong) {
          strong.append(code);
        } else {
          top.push(code);
        }
      }
    } else if (c === '*' && text[i + 1] === '*' && !code) {
      flush();
      i++;
      if (strong) {
        strong = null;
      } else {
        strong = h('strong');
        top.push(strong);
      }
    } else {
      run += c;
    }
  }
  flush();
  return top;
}

/** The text of a message without its marks, for accessible names. */
export function plain(text: string): string {
  return inline(text)
    .map(node => node.textContent)
    .join('');
}

export function say(message: IMessage): Node[] {
  return inline(message.text);
}

export function highlighted(tokens: Token[]): Node[] {
  return tokens.map(([kind, text]) =>
    kind ? h('span', { class: `gl-hl-${kind}` }, visible(text)) : new Text(visible(text))
  );
}

/** Lines of code; one that is too long goes on below, further in than it began. */
export function codeBlock(code: ICode): HTMLPreElement {
  const lines = code.tokens.map((tokens, i) => {
    const text = tokens.map(([, part]) => part).join('');
    const indent = text.length - text.trimStart().length;
    const end = i < code.tokens.length - 1 ? '\n' : '';
    return h('span', { class: 'gl-cl', style: `--gl-ind: ${indent}` }, ...highlighted(tokens), end);
  });
  return h('pre', {}, h('code', {}, ...lines));
}

/** Formats bare numbers with the digits of the panel's language. */
export function digits(ten: string): (n: number) => string {
  const chars = [...ten];
  return n => String(n).replace(/\d/g, d => chars[Number(d)] ?? d);
}

/** What a view may ask of the panel it stands in. */
export interface IWords {
  word(key: string): string;
  announce(text: string): void;
}

/** The line to write instead, with a button that copies it. */
export function fixBlock(fix: IFix, panel: IWords): HTMLElement {
  const copy = button(
    { class: 'gl-icon', 'aria-label': `${panel.word('copy')}: ${fix.code.text}`, title: panel.word('copy') },
    () => {
      void copyText(fix.code.text).then(() => {
        copy.replaceChildren(mark('ok'));
        panel.announce(panel.word('copied'));
        window.setTimeout(() => copy.replaceChildren(mark('copy')), 1600);
      });
    },
    mark('copy')
  );
  const label = h('span', { class: 'gl-label' }, ...say(fix.place));
  return fix.wide
    ? h('div', { class: 'gl-fix gl-wide-fix' }, label, copy, codeBlock(fix.code))
    : h('div', { class: 'gl-fix' }, label, h('div', { class: 'gl-fx' }, codeBlock(fix.code), copy));
}
