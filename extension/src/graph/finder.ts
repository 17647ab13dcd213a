/** The search in a graph: what is typed, how much was found, and the way from one match to the next. */

import { button, h, mark } from '../dom';
import type { INode } from '../model';
import type { IContext } from '../panel';

export interface IFinderOf {
  /** The nodes that a query finds, in order. */
  find(query: string): INode[];
  /** Shows the matches, and goes to one of them. */
  found(matches: INode[], current: INode | null): void;
}

export class Finder {
  readonly node: HTMLElement;

  constructor(
    private _context: IContext,
    private _of: IFinderOf
  ) {
    const { word } = _context;
    this._input = h('input', {
      type: 'search',
      class: 'gl-find',
      'aria-label': word('graph.find'),
      placeholder: word('graph.find.hint'),
      spellcheck: 'false'
    });
    this._input.dir = 'auto';
    this._count = h('span', { class: 'gl-muted gl-find-n', role: 'status', 'aria-live': 'polite' });
    const step = (key: string, name: 'previous' | 'next', by: number): HTMLElement =>
      button({ class: 'gl-icon', 'aria-label': word(key), title: word(key) }, () => this._step(by), mark(name));
    this._steps = [step('graph.find.previous', 'previous', -1), step('graph.find.next', 'next', 1)];
    this.node = h('span', { class: 'gl-finder', role: 'search' }, this._input, this._count, ...this._steps);
    this._input.addEventListener('input', () => this._search(this._input.value));
    this._input.addEventListener('keydown', event => {
      if (event.key === 'Enter' || event.key === 'ArrowDown' || event.key === 'ArrowUp') {
        event.preventDefault();
        this._step((event.key === 'Enter' && event.shiftKey) || event.key === 'ArrowUp' ? -1 : 1);
      } else if (event.key === 'Escape' && this._input.value) {
        event.stopPropagation();
        this._input.value = '';
        this._search('');
      }
    });
    this._tell();
  }

  focus(): void {
    this._input.focus({ preventScroll: true });
    this._input.select();
  }

  /** Searches anew: another part of the graph is shown. */
  again(): void {
    if (this._input.value) {
      this._search(this._input.value);
    }
  }

  private _search(query: string): void {
    this._matches = this._of.find(query);
    this._at = -1;
    this._of.found(this._matches, null);
    this._tell();
  }

  private _step(by: number): void {
    const n = this._matches.length;
    if (n) {
      this._at = this._at < 0 ? (by > 0 ? 0 : n - 1) : (this._at + by + n) % n;
      this._of.found(this._matches, this._matches[this._at]);
      this._tell();
    }
  }

  private _tell(): void {
    const { number, word } = this._context;
    const n = this._matches.length;
    const some = `${this._at < 0 ? '' : `${number(this._at + 1)} / `}${number(n)}`;
    this._count.textContent = !this._input.value.trim() ? '' : n ? some : word('graph.find.none');
    for (const element of this._steps) {
      element.toggleAttribute('disabled', !n);
      element.hidden = !this._input.value.trim();
    }
  }

  private _input: HTMLInputElement;
  private _count: HTMLElement;
  private _steps: HTMLElement[];
  private _matches: INode[] = [];
  private _at = -1;
}
