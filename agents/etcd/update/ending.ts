import { endMilliseconds } from "../member/process";

/**
 * Knows a member that somebody asked to end, as the kubelet does for another image: it listened and does so no more. One
 * that is yet to listen is none.
 */
export class Ending {
    #listened?: number;
    #deafSince?: number;

    /**
     * Whether the process has had its time to end: told once.
     *
     * @param listens - whether it does, if that is known
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
