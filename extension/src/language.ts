/**
 * Tells a kernel in which language to speak, and hears from it by which process its Functions are named.
 *
 * Each cell that is sent names the language in its request's metadata, `{"graphlab": {"language": "fa_IR"}}`: cells that
 * wait for each other are sent at once, and what is said on a comm reaches the kernel after them. Kernels that do not know
 * graphlab pass over it. `%load_ext graphlab` opens a comm for the target `graphlab`; the answer is the language again, for
 * what happens between cells (a slider is moved), and so when the reader chooses another. A page that comes to a kernel
 * that has asked before (a second tab, a reload) joins that comm. Nothing is ever run in a kernel.
 */

import type { ISessionContext } from '@jupyterlab/apputils';
import type { Kernel } from '@jupyterlab/services';

const TARGET = 'graphlab';

/** Connections that already name the language. */
const speaking = new WeakSet<Kernel.IKernelConnection>();

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
    if (kernel) {
      this._speak(kernel);
    }
    if (!kernel?.handleComms) {
      return;
    }
    kernel.registerCommTarget(TARGET, comm => {
      this._take(comm);
    });
    void this._join(kernel);
  }

  /** Lets every cell name the language. JupyterLab has no other place for it that is not kept in the notebook. */
  private _speak(kernel: Kernel.IKernelConnection): void {
    if (speaking.has(kernel)) {
      return;
    }
    speaking.add(kernel);
    const request = kernel.requestExecute.bind(kernel);
    kernel.requestExecute = (content, disposeOnDone, metadata) =>
      request(content, disposeOnDone, { ...metadata, [TARGET]: { language: this._language() } });
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
