import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { eventsPath, nodeEvent, warning } from "../../../clients/kubernetes/nodes";

/** Source of the bootstrap's events. */
export const bootstrapComponent = "tradewind-bootstrap";

const timeoutMilliseconds = 2_000;

/**
 * Reports what the bootstrap waits for as events of its node, which expire by themselves: its journal is hard to reach
 * on a cloud.
 */
export class ApiNotice {
    readonly #api: ApiClient;
    readonly #node: string;
    #last = "";

    constructor(api: ApiClient, node: string) {
        this.#api = api;
        this.#node = node;
    }

    /** Best effort, if there is an API. Repeats are dropped. */
    async report(message: string): Promise<void> {
        if (message === this.#last) return;
        // The kubelet's own events refer to the node this way, and kubectl looks for that.
        const node = { name: this.#node, uid: this.#node };
        const source = { component: bootstrapComponent, host: this.#node };
        const body = nodeEvent(node, warning("BootstrapWaits", message), source);
        try {
            await this.#api.call(eventsPath, { method: "POST", body, isFresh: true, timeoutMilliseconds });
            this.#last = message;
        } catch {
            // It is on the disk, and is reported from there.
        }
    }
}
