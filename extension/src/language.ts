/**
 * Tells a kernel in which language to speak, and hears from it by which process its Functions are named.
 *
 * `%load_ext graphlab` opens a comm for the target `graphlab`; the answer is `{"language": "fa_IR"}`, and again when the
 * reader chooses another. A page that comes to a kernel that has asked before (a second tab, a reload) joins that comm. A
 * kernel that has not loaded graphlab hears nothing, and nothing is ever run in it.
 */

import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';

const TARGET = 'graphlab';

export class Conversation {
  /**
   * @param _language What to say; null leaves the language to the kernel's environment.
   * @param _onProcess Hears the process in which the kernel makes Functions.
   */
  constructor(
    private _session: ISessionContext,
    private _language: () => string | null,
    private _onProcess: (process: string) => void
  ) {
    _session.kernelChanged.connect(this._register, this);
    this._register();
  }

  /** Says the language again, after it was chosen anew. */
  say(): void {
    const language = this._language();
    if (this._comm && !this._comm.isDisposed) {
      this._comm.send({ language });
    }
  }

  private _register(): void {
    const kernel = this._session.session?.kernel;
    if (!kernel?.handleComms) {
      return;
    }
    kernel.registerCommTarget(TARGET, comm => {
      this._take(comm);
    });
    void this._join(kernel);
  }

  /** Takes part in a comm that the kernel has opened before this page came to it. */
  private async _join(kernel: Kernel.IKernelConnection): Promise<void> {
    try {
      const reply = await kernel.requestCommInfo({ target_name: TARGET });
      if (reply.content.status === 'ok' && (!this._comm || this._comm.isDisposed)) {
        const [id] = Object.keys(reply.content.comms);
        if (id && !kernel.hasComm(id)) {
          this._take(kernel.createComm(TARGET, id));
        }
      }
    } catch {
      // the kernel ended before it could answer
    }
  }

  private _take(comm: Kernel.IComm): void {
    this._comm = comm;
    comm.onMsg = message => {
      const { process } = message.content.data;
      if (typeof process === 'string') {
        this._onProcess(process);
      }
    };
    comm.send({ language: this._language() });
  }

  private _comm: Kernel.IComm | null = null;
}
