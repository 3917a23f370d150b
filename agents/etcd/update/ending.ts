import { endMilliseconds } from "../member/process";

/**
 * Detects a member that is being terminated, as the kubelet does for another image: it has listened and no longer does.
 * One that does not listen yet is not being terminated.
 */
export class Ending {
    #listened?: number;
    #deafSince?: number;

    /**
     * Whether the process has used up its time to end. True only once.
     *
     * @param listens - whether it listens, if known
     * @param now - milliseconds
     */
    isOver(pid: number, listens: boolean | undefined, now: number): boolean {
        if (listens !== false) {
            this.#listened = listens ? pid : undefined;
            this.#deafSince = undefined;
            return false;
        }
        if (pid !== this.#listened) {
            return false;
        }
        this.#deafSince ??= now;
        const isOver = now - this.#deafSince >= endMilliseconds;
        if (isOver) this.#listened = undefined;
        return isOver;
    }
}
