/** Zoom, pan and fit of a drawing in its stage. */

import type { IDrawing, ITile } from './draw';
import type { IBox, IPoint } from './layout';

const PAD = 8;
const TALLEST = 1100;
/** Below this, words cannot be read: a wide graph is shown in part at first. */
const LEGIBLE = 0.6;
const UNREADABLE = 0.35;
/** What is painted beyond the edge of the stage. */
const ROOM = 200;
const REST = 160;

export class Viewport {
  constructor(
    private _stage: HTMLElement,
    private _svg: SVGSVGElement
  ) {
    _stage.addEventListener('wheel', this._onWheel, { passive: false });
    _stage.addEventListener('pointerdown', this._onDown);
    _stage.addEventListener('keydown', this._onKey);
    if (typeof ResizeObserver !== 'undefined') {
      this._observer = new ResizeObserver(() => {
        if (_stage.clientWidth !== this._width && !this._touched) {
          this.start();
        }
      });
      this._observer.observe(_stage);
    }
  }

  get scale(): number {
    return this._k;
  }

  /** Whether the reader zoomed or moved the picture. */
  get touched(): boolean {
    return this._touched;
  }

  /** Shows a drawing; with `stay`, where the reader had moved to. */
  set({ group, box, tiles, nodes }: IDrawing, stay = false): void {
    this._group = group;
    this._box = box;
    this._tiles = tiles;
    this._anchor = nodes[0]?.at.x ?? 0;
    this._settle();
    if (stay) {
      this._apply();
    } else {
      this.start();
    }
  }

  /** The whole width as long as it can be read, else the part around the first node. */
  start(): void {
    this._whole();
    const { _box: box } = this;
    if (this._k < LEGIBLE && this._width) {
      this._k = LEGIBLE;
      const least = this._width - (box.x1 + PAD) * this._k;
      this._x = Math.min((PAD - box.x0) * this._k, Math.max(least, this._width / 2 - this._anchor * this._k));
      this._tall();
    }
    this._apply();
  }

  /** The whole width, never larger than life; tall graphs reach out below. */
  fit(): void {
    this._whole();
    this._apply();
  }

  private _whole(): void {
    const { _box: box } = this;
    this._touched = false;
    this._width = this._stage.clientWidth;
    const w = box.x1 - box.x0 + 2 * PAD;
    const room = this._width || w;
    this._k = Math.min(1, room / w);
    this._least = this._k / 2;
    this._x = (room - w * this._k) / 2 + (PAD - box.x0) * this._k;
    this._tall();
  }

  private _tall(): void {
    const { _box: box } = this;
    this._y = (PAD - box.y0) * this._k;
    this._height = Math.min(Math.ceil((box.y1 - box.y0 + 2 * PAD) * this._k), TALLEST);
    this._svg.setAttribute('height', String(this._height));
  }

  /** Zooms around a point of the stage, by default its middle. */
  zoom(factor: number, x = this._width / 2, y = this._height / 2): void {
    const k = Math.min(4, Math.max(Math.min(0.15, this._least), this._k * factor));
    const real = k / this._k;
    this._x = x - (x - this._x) * real;
    this._y = y - (y - this._y) * real;
    this._k = k;
    this._touched = true;
    this._apply();
  }

  pan(dx: number, dy: number): void {
    this._x += dx;
    this._y += dy;
    this._touched = true;
    this._apply();
  }

  /** Pans just far enough that a point of the drawing is well inside. */
  keep(at: IPoint): void {
    const [x, y] = [at.x * this._k + this._x, at.y * this._k + this._y];
    const inside = (v: number, size: number): number => {
      const edge = Math.min(110, size / 3);
      return v < edge ? edge - v : v > size - edge ? size - edge - v : 0;
    };
    const [dx, dy] = [inside(x, this._width), inside(y, this._height)];
    if ((dx || dy) && this._width > 60) {
      this.pan(dx, dy);
    }
  }

  dispose(): void {
    clearTimeout(this._rest);
    this._observer?.disconnect();
  }

  private _apply(): void {
    if (this._moving) {
      this._stretch();
    } else {
      this._paint();
    }
  }

  /**
   * While a large drawing is zoomed, the picture that was painted last is stretched, which costs nothing; it is painted
   * anew when the hand rests.
   */
  private _stretch(): void {
    const { _painted: p } = this;
    const real = this._k / p.k;
    const [dx, dy] = [this._x - p.x * real, this._y - p.y * real];
    this._svg.style.transform = `translate(${dx.toFixed(2)}px, ${dy.toFixed(2)}px) scale(${real.toFixed(4)})`;
    clearTimeout(this._rest);
    this._rest = setTimeout(() => this._settle(), REST);
  }

  private _move(): void {
    if (this._tiles.length && !this._moving) {
      this._moving = true;
      this._svg.style.transformOrigin = '0 0';
      this._svg.style.willChange = 'transform';
    }
  }

  private _settle(): void {
    clearTimeout(this._rest);
    if (this._moving) {
      this._moving = false;
      this._svg.style.transform = '';
      this._svg.style.willChange = '';
      this._paint();
    }
  }

  private _paint(): void {
    this._painted = { x: this._x, y: this._y, k: this._k };
    const [x0, y0] = [-this._x / this._k, -this._y / this._k];
    const [x1, y1] = [x0 + this._width / this._k, y0 + this._height / this._k];
    for (const { element, box } of this._tiles) {
      const seen = box.x1 > x0 - ROOM && box.x0 < x1 + ROOM && box.y1 > y0 - ROOM && box.y0 < y1 + ROOM;
      if (seen !== (element.getAttribute('display') === null)) {
        if (seen) {
          element.removeAttribute('display');
        } else {
          element.setAttribute('display', 'none');
        }
      }
    }
    // words that are too small to be read are not painted: a large graph stays quick
    this._svg.classList.toggle('gl-far', this._k < UNREADABLE);
    this._group?.setAttribute(
      'transform',
      `translate(${this._x.toFixed(2)} ${this._y.toFixed(2)}) scale(${this._k.toFixed(4)})`
    );
  }

  /** The wheel scrolls the page; with Ctrl, or by pinching, it zooms. */
  private _onWheel = (event: WheelEvent): void => {
    if (event.ctrlKey || event.metaKey) {
      event.preventDefault();
      this._move();
      const frame = this._stage.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 300), event.clientX - frame.left, event.clientY - frame.top);
    }
  };

  private _onDown = (event: PointerEvent): void => {
    if (event.button !== 0 || event.pointerType === 'touch') {
      return;
    }
    let last = { x: event.clientX, y: event.clientY };
    let dragging = false;
    const move = (e: PointerEvent): void => {
      const [dx, dy] = [e.clientX - last.x, e.clientY - last.y];
      if (!dragging && Math.hypot(dx, dy) < 4) {
        return; // a click with an unsteady hand
      }
      if (!dragging) {
        dragging = true;
        this._stage.setPointerCapture(event.pointerId);
        this._stage.classList.add('gl-dragging');
      }
      last = { x: e.clientX, y: e.clientY };
      this.pan(dx, dy);
    };
    const up = (): void => {
      this._stage.removeEventListener('pointermove', move);
      this._stage.removeEventListener('pointerup', up);
      this._stage.removeEventListener('pointercancel', up);
      this._stage.classList.remove('gl-dragging');
    };
    this._stage.addEventListener('pointermove', move);
    this._stage.addEventListener('pointerup', up);
    this._stage.addEventListener('pointercancel', up);
  };

  private _onKey = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) {
      return;
    }
    const step = 40;
    const actions: Record<string, () => void> = {
      '+': () => this.zoom(1.25),
      '=': () => this.zoom(1.25),
      '-': () => this.zoom(0.8),
      '0': () => this.fit()
    };
    const pans: Record<string, () => void> = {
      ArrowLeft: () => this.pan(step, 0),
      ArrowRight: () => this.pan(-step, 0),
      ArrowUp: () => this.pan(0, step),
      ArrowDown: () => this.pan(0, -step)
    };
    const action = event.shiftKey ? (pans[event.key] ?? actions[event.key]) : actions[event.key];
    if (action) {
      event.preventDefault();
      event.stopPropagation();
      action();
    }
  };

  private _tiles: ITile[] = [];
  private _anchor = 0;
  private _moving = false;
  private _painted = { x: 0, y: 0, k: 1 };
  private _rest: ReturnType<typeof setTimeout> | undefined;
  private _observer: ResizeObserver | null = null;
  private _group: SVGGElement | null = null;
  private _box: IBox = { x0: 0, y0: 0, x1: 1, y1: 1 };
  private _touched = false;
  private _least = 0.15;
  private _width = 0;
  private _height = 0;
  private _k = 1;
  private _x = 0;
  private _y = 0;
}
