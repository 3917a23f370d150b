import type { Cluster } from "../model";
import { invalid, mustNot, requireMatch, requireOneOf, requires } from "../validate";
import { requireBlocks } from "./cidr";
import { ports } from "./ports";

/** Workers that receive HTTP and HTTPS traffic from outside. You run the ingress controller. */
export interface IngressOptions {
    /**
     * Worker port that receives traffic to TCP 80: the host port or node port of the ingress controller.
     * @default 80
     */
    httpPort?: number;
    /** Worker port that receives traffic to TCP 443. @default 443 */
    httpsPort?: number;
    /** HTTP health check of workers. @default a TCP check of the port */
    healthCheck?: IngressHealthCheck;
    /** Names of the worker pools that receive the traffic. @default every pool */
    pools?: string[];
    /** IPv4 blocks that may connect. @default all addresses */
    allowedCidrs?: string[];
}

export interface IngressHealthCheck {
    /** Worker port that answers with status 200. */
    port: number;
    /** Path of the health check: `/healthz`. */
    path: string;
}

/** Validated, with all defaults applied. */
export interface Ingress {
    readonly http: number;
    readonly https: number;
    readonly healthCheck?: Readonly<IngressHealthCheck>;
    readonly pools: readonly string[];
    /** @default all addresses */
    readonly allowedCidrs?: readonly string[];
}

/** Ports on the outside. */
export const ingressPorts = { http: 80, https: 443 } as const;

/** Worker ports that a load balancer checks or forwards to. */
export function workerPorts({ http, https, healthCheck }: Ingress): number[] {
    return [...new Set([http, https, ...(healthCheck ? [healthCheck.port] : [])])];
}

/** DNS name of the ingress load balancer; users point their records at it. */
export function ingressName({ zone }: Cluster): string {
    return `ingress.${zone}`;
}

/** Throws `ingress... must be <legal> (got <value>)`. */
export function requireIngress(options: IngressOptions, { workerPools }: Cluster): Ingress {
    const names = workerPools.map(({ name }) => name);
    if (names.length === 0) throw requires("ingress", "a worker pool", options);
    const { httpPort = ingressPorts.http, httpsPort = ingressPorts.https, healthCheck, pools = names } = options;
    const { allowedCidrs } = options;
    requirePort("ingress.httpPort", httpPort);
    requirePort("ingress.httpsPort", httpsPort);
    if (httpPort === httpsPort) throw mustNot("ingress.httpsPort", "equal ingress.httpPort", httpsPort);
    if (healthCheck) {
        requirePort("ingress.healthCheck.port", healthCheck.port);
        requireMatch("ingress.healthCheck.path", /^\/[!-~]{0,1023}$/, "a path such as /healthz", healthCheck.path);
    }
    if (pools.length === 0) throw mustNot("ingress.pools", "be empty");
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

/** The ingress controller cannot use a port that nodes already use. */
function requirePort(option: string, port: number): void {
    if (!Number.isInteger(port) || port < 1 || port > 65_535) throw invalid(option, "a port from 1 to 65535", port);
    const [taken] = Object.entries(ports).find(([, each]) => each === port) ?? [];
    if (taken && taken !== "dns") {
        throw invalid(option, `a port that is free on nodes: this one is used by ${taken}`, port);
    }
}
