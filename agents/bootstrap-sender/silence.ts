import { performance } from "node:perf_hooks";
import type { Delivery } from "./delivery";

/**
 * Whether every connection timed out, as it does for clients that a firewall does not allow. A machine that does not
 * listen yet refuses connections, and a load balancer without a healthy machine closes them.
 */
export class Silence {
    readonly #since = performance.now();
    #attempts = 0;
    #isBroken = false;

    constructor(
        private readonly delivery: Pick<Delivery, "server" | "allowedCidrs">,
        private readonly slowMilliseconds: number,
    ) {}

    /** Adds the errors of one attempt to connect. */
    add(...errors: readonly unknown[]): void {
        this.#attempts++;
        this.#isBroken ||= !errors.every(isTimeout);
    }

    /** @default undefined if something answered, or everyone is allowed */
    get reason(): string | undefined {
        const { server, allowedCidrs } = this.delivery;
        if (this.#isBroken || this.#attempts === 0 || !allowedCidrs) return undefined;
        const what = `every connection to ${server} timed out, and only apiAllowedCidrs (${allowedCidrs.join(", ")}) and the nodes are allowed`;
        return `${what}: add the public address of the machine that runs Pulumi, which \`curl -4 https://ifconfig.me\` shows`;
    }

    get isLong(): boolean {
        return this.reason !== undefined && performance.now() - this.#since > this.slowMilliseconds;
    }
}

function isTimeout(error: unknown): boolean {
    const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: unknown };
    return code === "ETIMEDOUT" || name === "TimeoutError" || (cause !== undefined && isTimeout(cause));
}
