import { hostAddress } from "./names";
import type { TarEntry } from "./tar";

/** What a simulated cloud answers machines of its networks, over a socket on your machine. */
export interface CloudServices {
    /** The folder of the socket, which may disappear and reappear. */
    readonly folder: string;

    /** Domains whose names all resolve to it: `amazonaws.com`. */
    readonly domains: readonly string[];

    /** Key and certificates for HTTPS, in PEM form. */
    readonly certificate: string;
}

/** Name of the socket in its folder. */
export const SERVICES_SOCKET = "socket";

/** Where the network's mirror mounts that folder. */
const FOLDER = "/srv/cloud-services";

/** Headers that the mirror sets, overriding those of a machine: which client sent the request, and how. */
export const ASKED_BY = { network: "x-tradewind-network", address: "x-tradewind-address", way: "x-tradewind-way" };

/** `docker create` options of the mirror. */
export function servicesMount({ folder }: CloudServices): string[] {
    return ["--volume", `${folder}:${FOLDER}`];
}

/** Files that the mirror needs to forward requests. */
export function servicesFiles(cluster: string, { certificate }: CloudServices): TarEntry[] {
    return [
        { path: "etc/tradewind/services.cfg", contents: servicesConfig(cluster) },
        { path: "etc/tradewind/services.pem", contents: certificate, mode: 0o600 },
    ];
}

/** Lines for the network's DNS: all of these domains resolve to the mirror. */
export function servicesNames(subnet: string, { domains }: CloudServices): string[] {
    return domains.flatMap((domain) => [`local=/${domain}/`, `address=/${domain}/${hostAddress(subnet, 2)}`]);
}

/** Over HTTP, too, an API is reached by name and the metadata service by address. */
const byName = `    http-request set-header ${ASKED_BY.way} api if { req.hdr(host) -m end .com }\n`;

/** HAProxy's configuration: the metadata service over HTTP, the cloud's APIs over HTTPS. */
export function servicesConfig(cluster: string): string {
    const asked = (way: string, except = "") => `    http-request set-header ${ASKED_BY.network} ${cluster}
    http-request set-header ${ASKED_BY.address} %[src]
    http-request set-header ${ASKED_BY.way} ${way}
${except}    default_backend services
`;
    return `global
    fd-hard-limit 4096

defaults
    mode http
    timeout connect 2s
    timeout client 60s
    timeout server 60s
    retries 5
    option http-keep-alive

frontend metadata
    bind :80
${asked("metadata", byName)}
frontend apis
    bind :443 ssl crt /etc/tradewind/services.pem
${asked("api")}
backend services
    server services unix@${FOLDER}/${SERVICES_SOCKET}
`;
}
