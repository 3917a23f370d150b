import type { ApiClient } from "../../../clients/kubernetes/api-client";
import { eventsPath, nodeEvent, warning } from "../../../clients/kubernetes/node-event";

/** Who the bootstrap's events are of. */
export const bootstrapComponent = "tradewind-bootstrap";

const timeoutMilliseconds = 2_000;

/** Tells what the bootstrap waits for by events of its node, which go by themselves: nobody reads its journal on a cloud. */
export class ApiNotice {
    readonly #api: ApiClient;
    readonly #node: string;
    #last = "";

    constructor(api: ApiClient, node: string) {
        this.#api = api;
        this.#node = node;
    }

    /** As far as there is an API. The same is told once. */
    async tell(message: string): Promise<void> {
        if (message === this.#last) return;
        // Kubelets name their own events' node so, and kubectl looks for them.
        const node = { name: this.#node, uid: this.#node };
        const source = { component: bootstrapComponent, host: this.#node };
        const body = nodeEvent(node, warning("BootstrapWaits", message), source);
        try {
            await this.#api.call(eventsPath, { method: "POST", body, isFresh: true, timeoutMilliseconds });
            this.#last = message;
        } catch {
            // It is on the disk, and told by who reads that.
        }
    }
}
