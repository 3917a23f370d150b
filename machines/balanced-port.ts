/** A port of a load balancer for what is not the API. */
export interface BalancedPort {
    readonly port: number;

    /** Addresses that get what comes to it, and their port. */
    readonly backends: readonly string[];
    readonly targetPort: number;

    /** What each backend is asked by HTTP. @default - whether its port takes connections */
    readonly check?: { readonly port: number; readonly path: string };

    /** IPv4 blocks and addresses that may come. @default - everybody */
    readonly allowed?: readonly string[];
}

/** HAProxy's configuration of one: it asks each backend every second, and all of them when none is ready, as clouds do. */
export function balancedPortConfig({ port, backends, targetPort, check, allowed }: BalancedPort): string {
    const servers = backends.map((backend) => `    server ${backend} ${backend}:${targetPort}`);
    const asked = check ? `    option httpchk GET ${check.path}\n    http-check expect status 200\n` : "";
    return `
frontend port-${port}
    bind :${port}
${admission(allowed)}    use_backend unready-${port} if { nbsrv(port-${port}) eq 0 }
    default_backend port-${port}

backend port-${port}
    balance leastconn
${asked}    default-server check ${check ? `port ${check.port} ` : ""}inter 1s fall 2 rise 1
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
