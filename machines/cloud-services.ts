import { hostAddress } from "./addresses";
import type { TarEntry } from "./tar";

/** What a simulated cloud answers machines of its networks, by a socket of this computer. */
export interface CloudServices {
    /** The folder that has the socket, which may come, go and come again. */
    readonly folder: string;

    /** Domains whose every name leads to it: `amazonaws.com`. */
    readonly domains: readonly string[];

    /** Key and certificates in PEM form of what it is by HTTPS. */
    readonly certificate: string;
}

/** The socket's name in its folder. */
export const SERVICES_SOCKET = "socket";

/** Where the network's mirror has that folder. */
const FOLDER = "/srv/cloud-services";

/** Headers that the mirror writes, whatever a machine wrote: who asks, and how. */
export const ASKED_BY = { network: "x-tradewind-network", address: "x-tradewind-address", way: "x-tradewind-way" };

/** `docker create` options of the mirror. */
export function servicesMount({ folder }: CloudServices): string[] {
    return ["--volume", `${folder}:${FOLDER}`];
}

/** What the mirror is given to hand requests on. */
export function servicesFiles(cluster: string, { certificate }: CloudServices): TarEntry[] {
    return [
        { path: "etc/tradewind/services.cfg", contents: servicesConfig(cluster) },
        { path: "etc/tradewind/services.pem", contents: certificate, mode: 0o600 },
    ];
}

/** Lines for the network's DNS: the mirror stands for all of these domains. */
export function servicesNames(subnet: string, { domains }: CloudServices): string[] {
    return domains.flatMap((domain) => [`local=/${domain}/`, `address=/${domain}/${hostAddress(subnet, 2)}`]);
}

/** By HTTP, too, an API has a name, and the metadata service an address. */
const byName = `    http-request set-header ${ASKED_BY.way} api if { req.hdr(host) -m end .com }\n`;

/** HAProxy's configuration: by HTTP the metadata service, by HTTPS the cloud's APIs. */
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
