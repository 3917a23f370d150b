/** How often a backend is checked, and how many consecutive results change its state. */
export interface CheckPace {
    /** Unit: seconds. */
    readonly interval: number;
    readonly healthy: number;
    readonly unhealthy: number;
}

/** The same in HAProxy's syntax. */
export function pacing(
    { interval, healthy, unhealthy }: CheckPace = { interval: 1, healthy: 1, unhealthy: 2 },
): string {
    return `inter ${interval}s fall ${unhealthy} rise ${healthy}`;
}

/** A port of a load balancer other than the API's. */
export interface BalancedPort {
    readonly port: number;

    /** Addresses that receive its traffic, and their port. */
    readonly backends: readonly string[];
    readonly targetPort: number;

    /** HTTP health check of each backend. @default - whether its port accepts connections */
    readonly check?: { readonly port: number; readonly path: string };

    /** @default - every second, and one success is enough */
    readonly pace?: CheckPace;

    /** Whether it closes connections while no backend is ready. @default false: it uses all of them */
    readonly failsClosed?: boolean;

    /** IPv4 blocks and addresses allowed to connect. @default - everyone */
    readonly allowed?: readonly string[];

    /** Those that are not, even if allowed. @default - none */
    readonly refused?: readonly string[];

    /** Whether backends get the client's address in a header, of version 2, and checks send one. @default false */
    readonly sendsProxyProtocol?: boolean;
}

/**
 * HAProxy's configuration of one port: it checks each backend and uses all of them when none is ready, as AWS does.
 */
export function balancedPortConfig(balanced: BalancedPort): string {
    const { port, backends, targetPort, check, pace, failsClosed, sendsProxyProtocol = false } = balanced;
    const header = sendsProxyProtocol ? " send-proxy-v2 check-send-proxy" : "";
    const servers = backends.map((backend) => `    server ${backend} ${backend}:${targetPort}${header}`);
    const asked = check ? `    option httpchk GET ${check.path}\n    http-check expect status 200\n` : "";
    return `
frontend port-${port}
    bind :${port}
${admission(balanced)}${failsClosed ? "" : `    use_backend unready-${port} if { nbsrv(port-${port}) eq 0 }\n`}    default_backend port-${port}

backend port-${port}
    balance leastconn
${asked}    default-server check ${check ? `port ${check.port} ` : ""}${pacing(pace)}
${servers.join("\n")}

backend unready-${port}
    balance leastconn
${servers.join("\n")}
`;
}

/** Lines of a frontend that reject every other client. */
export function admission({ allowed, refused = [] }: Pick<BalancedPort, "allowed" | "refused">): string {
    const rejected = refused.length > 0 ? `    tcp-request connection reject if { src ${refused.join(" ")} }\n` : "";
    if (!allowed) return rejected;
    return `${rejected}    tcp-request connection reject unless { src ${allowed.join(" ") || "0.0.0.0/32"} }\n`;
}
