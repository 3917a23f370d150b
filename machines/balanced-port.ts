/** How often a backend is checked, and how many answers in a row change what it is taken for. */
export interface CheckPace {
    /** Unit: seconds. */
    readonly interval: number;
    readonly healthy: number;
    readonly unhealthy: number;
}

/** HAProxy's words for it. */
export function pacing(
    { interval, healthy, unhealthy }: CheckPace = { interval: 1, healthy: 1, unhealthy: 2 },
): string {
    return `inter ${interval}s fall ${unhealthy} rise ${healthy}`;
}

/** A port of a load balancer for what is not the API. */
export interface BalancedPort {
    readonly port: number;

    /** Addresses that get what comes to it, and their port. */
    readonly backends: readonly string[];
    readonly targetPort: number;

    /** What each backend is asked by HTTP. @default - whether its port takes connections */
    readonly check?: { readonly port: number; readonly path: string };

    /** @default - each second, and one good answer is enough */
    readonly pace?: CheckPace;

    /** IPv4 blocks and addresses that may come. @default - everybody */
    readonly allowed?: readonly string[];
}

/** HAProxy's configuration of one: it checks each backend, and asks all of them when none is ready, as clouds do. */
export function balancedPortConfig({ port, backends, targetPort, check, pace, allowed }: BalancedPort): string {
    const servers = backends.map((backend) => `    server ${backend} ${backend}:${targetPort}`);
    const asked = check ? `    option httpchk GET ${check.path}\n    http-check expect status 200\n` : "";
    return `
frontend port-${port}
    bind :${port}
${admission(allowed)}    use_backend unready-${port} if { nbsrv(port-${port}) eq 0 }
    default_backend port-${port}

backend port-${port}
    balance leastconn
${asked}    default-server check ${check ? `port ${check.port} ` : ""}${pacing(pace)}
${servers.join("\n")}

backend unready-${port}
    balance leastconn
${servers.join("\n")}
`;
}

/** Lines of a frontend that refuse everybody else. */
export function admission(allowed: readonly string[] | undefined): string {
    return allowed ? `    tcp-request connection reject unless { src ${allowed.join(" ") || "0.0.0.0/32"} }\n` : "";
}
