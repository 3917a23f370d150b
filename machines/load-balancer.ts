import { admission, type BalancedPort, balancedPortConfig, type CheckPace, pacing } from "./balanced-port";
import { containerState, oneAtATime, removeContainer } from "./container";
import { docker } from "./docker";
import { ensureImage } from "./image";
import { containerName, LOAD_BALANCER, labels, networkName } from "./names";
import { requireNetwork } from "./network";
import { tar } from "./tar";

/** Their readiness with TLS 1.2 at most and the cipher suites of AWS, or whether their port accepts connections. */
export type ApiCheck = "tls-1.2" | "tcp";

export interface LoadBalancerOptions {
    readonly cluster: string;

    /** Its address in the cluster's network. */
    readonly address: string;

    /** Name of its container; a network has one per name. @default - that of the API's */
    readonly name?: string;

    /** Addresses of the controllers that serve the API. @default - not an API load balancer */
    readonly backends?: readonly string[];

    /** IPv4 blocks and addresses that may reach the API. @default - everyone */
    readonly allowed?: readonly string[];

    /** Those that may not, even if allowed. @default - none */
    readonly refused?: readonly string[];

    /** How controllers are checked. @default - every second, and one success is enough */
    readonly pace?: CheckPace;

    /** What is checked of controllers. @default - their readiness, with any version of TLS */
    readonly check?: ApiCheck;

    /** Time after which it closes a connection that nothing is sent on. Unit: seconds. @default - a day */
    readonly idleSeconds?: number;

    /** Whether it closes connections while no controller is ready. @default false: it uses one anyway */
    readonly failsClosed?: boolean;

    /** Ports it balances in addition to the API. @default - none */
    readonly ports?: readonly BalancedPort[];

    /**
     * Port on 127.0.0.1 that forwards to it, for engines in a virtual machine (Docker Desktop), whose host cannot reach
     * the cluster's addresses. @default - none
     */
    readonly publish?: number;
}

/** A load balancer, created if it does not exist; changed backends are applied in place and connections stay open. */
export async function ensureLoadBalancer(options: LoadBalancerOptions): Promise<void> {
    await requireNetwork(options.cluster);
    const name = containerName(options.cluster, options.name ?? LOAD_BALANCER);
    await oneAtATime(name, () => makeLoadBalancer(name, options));
}

async function makeLoadBalancer(name: string, options: LoadBalancerOptions): Promise<void> {
    const { cluster, address, publish } = options;
    const config = haproxyConfig(options);
    const existing = await containerState(name);
    if (existing?.state === "running" && existing.address === address) {
        await docker(["exec", "-i", name, "/usr/lib/tradewind/load-balancer-reload"], { input: config });
        return;
    }
    await removeContainer(name);
    await docker([
        ...["create", "--name", name, ...labels(cluster, "load-balancer"), "--hostname", "api"],
        ...["--restart", "unless-stopped", "--tmpfs", "/run"],
        ...(publish
            ? ["--publish", `127.0.0.1:${publish}:6443`]
            : ["--network", networkName(cluster), "--ip", address]),
        ...[await ensureImage(), "haproxy", "-W", "-db", "-f", "/etc/haproxy/haproxy.cfg"],
    ]);
    if (publish) {
        // An internal network cannot publish ports, so it is attached second.
        await docker(["network", "connect", "--ip", address, networkName(cluster), name]);
    }
    await docker(["cp", "-", `${name}:/`], { input: tar([{ path: "etc/haproxy/haproxy.cfg", contents: config }]) });
    await docker(["start", name]);
}

/** @param name - @default that of the API's */
export async function destroyLoadBalancer(cluster: string, name = LOAD_BALANCER): Promise<void> {
    await removeContainer(containerName(cluster, name));
}

const common = (idle?: string) => `global
    stats socket /run/haproxy.sock mode 600 level admin expose-fd listeners
    server-state-file /run/haproxy.state
    fd-hard-limit 16384

defaults
    mode tcp
    load-server-state-from-file global
    timeout connect 1s
    timeout client ${idle ?? "1h"}
    timeout server ${idle ?? "1h"}
    timeout tunnel ${idle ?? "24h"}
    timeout check 2s
    option clitcpka
    option srvtcpka
    srvtcpka-idle 2s
    srvtcpka-intvl 1s
    srvtcpka-cnt 3
    option redispatch 1
    retries 3
`;

/** HAProxy's configuration. */
export function haproxyConfig({
    backends,
    pace,
    check,
    failsClosed,
    idleSeconds,
    ports = [],
    ...clients
}: Omit<LoadBalancerOptions, "cluster" | "address" | "name" | "publish">): string {
    const api = backends ? [apiConfig(backends, { ...clients, pace, check, failsClosed })] : [];
    return [
        common(idleSeconds === undefined ? undefined : `${idleSeconds}s`),
        ...api,
        ...ports.map(balancedPortConfig),
    ].join("");
}

/**
 * Lines of a backend, and options of its servers. Source of AWS' suites: the security policy ELBSecurityPolicy-2016-08; of its version: "Health checks
 * for Network Load Balancer target groups".
 */
const readiness = "    option httpchk GET /readyz\n    http-check expect status 200\n";
const suites =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES128-SHA:ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-ECDSA-AES256-SHA";
const apiChecks = {
    any: [readiness, "check check-ssl verify none"],
    "tls-1.2": [readiness, `check check-ssl verify none ssl-max-ver TLSv1.2 ciphers ${suites}`],
    tcp: ["", "check"],
} as const;

/** Connections of one address at the same time. HAProxy can have about 8000 with the limit of files above. */
const mostOfAddress = 1_000;

/**
 * TCP passthrough to the controllers whose /readyz succeeds. A draining apiserver fails it and gets no new connections;
 * existing ones continue. A backend whose machine vanishes is given up after 5 seconds: by connections waiting for an
 * answer, by idle ones, and by two checks; a new connection goes to another backend after 1. When none is ready it uses
 * one anyway, as AWS's NLB does: on a busy machine a check of the only controller may fail while the controller serves.
 * DigitalOcean's closes connections then.
 */
function apiConfig(
    backends: readonly string[],
    {
        pace,
        check,
        failsClosed,
        ...clients
    }: Pick<LoadBalancerOptions, "allowed" | "refused" | "pace" | "check" | "failsClosed">,
): string {
    // AWS' load balancer does not try a second one.
    const failsOver = check === undefined;
    const [request, checked] = apiChecks[check ?? "any"];
    const servers = backends.map((backend) => `    server ${backend} ${backend}:6443`);
    return `
frontend api
    bind :6443
${admission(clients)}    stick-table type ipv6 size 10k expire 1m store conn_cur
    tcp-request connection track-sc0 src
    tcp-request connection reject if { sc0_conn_cur gt ${mostOfAddress} }
    tcp-request inspect-delay 5s
    tcp-request content accept if { req.ssl_hello_type 1 }
    tcp-request content reject
${failsClosed ? "" : "    use_backend unready if { nbsrv(controllers) eq 0 }\n"}    default_backend controllers

backend controllers
    balance leastconn
${request}    default-server ${checked} ${pacing(pace)} tcp-ut 5s
${servers.join("\n")}

backend unready
    balance leastconn
    retries ${failsOver ? 1 : 0}
    default-server tcp-ut 5s
${servers.join("\n")}
`;
}
