import type { Cluster } from "../model";
import { invalid, requireMatch, requireOneOf } from "../validate";
import { requireBlocks } from "./cidr";
import { ports } from "./ports";

/** Which workers take HTTP and HTTPS from outside: their ingress controller is the owner's own. */
export interface IngressOptions {
    /** Port of workers that gets what comes to TCP 80: the ingress controller's host port or node port. @default 80 */
    httpPort?: number;
    /** Port of workers that gets what comes to TCP 443. @default 443 */
    httpsPort?: number;
    /** What a worker is asked by HTTP before it gets anything. @default whether its port takes connections */
    healthCheck?: IngressHealthCheck;
    /** Names of the worker pools that get it. @default every pool */
    pools?: string[];
    /** Who may reach it: IPv4 blocks. @default everybody */
    allowedCidrs?: string[];
}

export interface IngressHealthCheck {
    /** Port of workers, which answers with the status 200. */
    port: number;
    /** Path that is asked for: `/healthz`. */
    path: string;
}

/** Validated, with every default filled in. */
export interface Ingress {
    readonly http: number;
    readonly https: number;
    readonly healthCheck?: Readonly<IngressHealthCheck>;
    readonly pools: readonly string[];
    /** @default everybody */
    readonly allowedCidrs?: readonly string[];
}

/** Ports of the outside. */
export const ingressPorts = { http: 80, https: 443 } as const;

/** What a load balancer asks, and sends on. */
export function workerPorts({ http, https, healthCheck }: Ingress): number[] {
    return [...new Set([http, https, ...(healthCheck ? [healthCheck.port] : [])])];
}

/** DNS name of what takes ingress, for people's own names to point to. */
export function ingressName({ zone }: Cluster): string {
    return `ingress.${zone}`;
}

/** Throws `ingress... must be <legal>, got <value>`. */
export function requireIngress(options: IngressOptions, { workerPools }: Cluster): Ingress {
    const names = workerPools.map(({ name }) => name);
    if (names.length === 0) {
        throw invalid("ingress", "left out unless there is a worker pool", options);
    }
    const { httpPort = ingressPorts.http, httpsPort = ingressPorts.https, healthCheck, pools = names } = options;
    const { allowedCidrs } = options;
    requirePort("ingress.httpPort", httpPort);
    requirePort("ingress.httpsPort", httpsPort);
    if (httpPort === httpsPort) {
        throw invalid("ingress.httpsPort", "another port than ingress.httpPort", httpsPort);
    }
    if (healthCheck) {
        requirePort("ingress.healthCheck.port", healthCheck.port);
        requireMatch("ingress.healthCheck.path", /^\/[!-~]{0,1023}$/, "a path such as /healthz", healthCheck.path);
    }
    if (pools.length === 0) {
        throw invalid("ingress.pools", "one pool or more", "none");
    }
    pools.forEach((pool, index) => {
        requireOneOf(`ingress.pools[${index}]`, names, pool);
    });
    requireBlocks("ingress.allowedCidrs", allowedCidrs);
    return {
        http: httpPort,
        https: httpsPort,
        pools: [...new Set(pools)],
        ...(healthCheck && { healthCheck }),
        ...(allowedCidrs && { allowedCidrs }),
    };
}

/** What every node listens on is not an ingress controller's. */
function requirePort(option: string, port: number): void {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) {
        throw invalid(option, "a port from 1 to 65535", port);
    }
    const [taken] = Object.entries(ports).find(([, each]) => each === port) ?? [];
    if (taken && taken !== "dns") {
        throw invalid(option, `a port that nothing of a node has: this is that of ${taken}`, port);
    }
}
